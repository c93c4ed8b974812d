"""Comparing phrases as bags of normalised tokens, as the rules of Appendix C do."""

from __future__ import annotations

import re

from abstain.text import normalize

LEADING_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


def tokens(phrase: str) -> frozenset[str]:
    """The set of normalised tokens."""
    return frozenset(normalize(phrase).split())


def related(one: str, other: str) -> bool:
    """Whether the phrases are token-subset aliases: the smaller token set lies within the larger."""
    left, right = tokens(one), tokens(other)
    return left <= right or right <= left


def head(phrase: str) -> str:
    """The word that says what a name is a name of: the last word, or the last one before ``of``; lower case."""
    words = re.split(r"\s+(?:of|for|in|at)\s+", phrase.casefold(), maxsplit=1)[0].split()
    return words[-1].strip(".,") if words else ""
