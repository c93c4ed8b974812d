"""What a chosen replacement must pass before the passage is changed (GRAB-RAG, Appendix C, post-swap filters)."""

from __future__ import annotations

import re
from collections.abc import Callable

from abstain.conditions.swap.kinds import education, institution
from abstain.conditions.swap.phrases import related

_POSSESSIVE = re.compile(r"(?:['’]s|s['’])$", re.IGNORECASE)
_MAX_RATIO = 3
"""Words of a replacement per word of the original."""


def alias_overlap(original: str, replacement: str) -> bool:
    """One is a token-subset alias of the other."""
    return related(original, replacement)


def too_long(original: str, replacement: str) -> bool:
    """The replacement has more than three times the words."""
    return len(replacement.split()) > _MAX_RATIO * len(original.split())


def possessive(original: str, replacement: str) -> bool:
    """The replacement brings in a possessive suffix."""
    return _POSSESSIVE.search(replacement) is not None and _POSSESSIVE.search(original) is None


def case(original: str, replacement: str) -> bool:
    """The original begins with a capital and the replacement does not."""
    return original[:1].isupper() and not replacement[:1].isupper()


def acronym(original: str, replacement: str) -> bool:
    """The replacement is a bare all-caps acronym."""
    letters = re.sub(r"[.&-]", "", replacement)
    return len(replacement.split()) == 1 and letters.isalpha() and letters.isupper()


def education_term(original: str, replacement: str) -> bool:
    """One names a university, college, institute or school, and the other does not or another type of it."""
    return education(original) != education(replacement)


def institution_suffix(original: str, replacement: str) -> bool:
    """Their institutional suffixes are of different groups (a company for a court)."""
    return institution(original) != institution(replacement)


FILTERS: dict[str, Callable[[str, str], bool]] = {
    "filter_alias": alias_overlap,
    "filter_length": too_long,
    "filter_possessive": possessive,
    "filter_case": case,
    "filter_acronym": acronym,
    "filter_education": education_term,
    "filter_institution": institution_suffix,
}
"""Reason -> test that is true of a pair it rejects."""


def rejected_by(original: str, replacement: str) -> str | None:
    """The first filter that rejects the pair; None if all pass."""
    return next((name for name, rejects in FILTERS.items() if rejects(original, replacement)), None)
