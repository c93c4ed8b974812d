"""A suggested quality tier for a swap, by simple checks; people decide (GRAB-RAG, Appendix C).

The checks look for the two ways in which the paper's swaps broke, a clash of types and an implausible year, and for
the residual cues that make a swap borderline. They see less than a reader does: "fluent" means that none of them fired.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from abstain.audit.expected import clash
from abstain.audit.judged import BORDERLINE, BROKEN, FLUENT
from abstain.audit.marks import kept, pieces
from abstain.conditions.swap import lexicon
from abstain.rows import Question, Swap

_CUE_LETTERS = 4
"""Letters from which a word of the original is a cue."""
_PRESENT = 2025
"""Years after this one lie in the future; a constant, so that a suggestion does not change with the calendar."""
_YEAR = re.compile(r"(?<![\d.,])(?:1\d{3}|20\d\d)(?!\d|[.,]\d)")
_COMMON = lexicon.TITLES | lexicon.GENERIC_ORGS | lexicon.AWARDS | {*lexicon.EDUCATION, *lexicon.INSTITUTIONS}
_COMMON |= {*lexicon.PLACES, *lexicon.EVENTS, "north", "south", "east", "west", "saint", "great"}
"""Words in many names, which do not give one away; a surname among them is missed."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A tier, and the checks that fired; none for ``fluent``."""

    tier: str
    why: str


def suggest(question: Question, swap: Swap) -> Suggestion:
    """The suggested tier of a question's swap."""
    broken = [*clash(question.text, swap), *_implausible_years(question.text, swap)]
    cues = list(_residual_cues(question.text, swap))
    tier = BROKEN if broken else BORDERLINE if cues else FLUENT
    return Suggestion(tier, "; ".join([*broken, *cues]))


def _implausible_years(question: str, swap: Swap) -> Iterator[str]:
    """Shifted years that lie in the future, or on another side of a year that the passage or the question names."""
    others = {int(year) for text in (*kept(swap), question) for year in _YEAR.findall(text)}
    shifted = {
        (int(old), int(new))
        for piece in pieces(swap)
        if piece.kind
        for old, new in zip(_YEAR.findall(piece.before), _YEAR.findall(piece.after), strict=False)
    }
    for old, new in sorted(shifted):
        if old <= _PRESENT < new:
            yield f"implausible year: {new} lies in the future"
        if crossed := sorted(other for other in others if _order(old, other) != _order(new, other)):
            yield f"implausible year: {old} became {new}, beside {', '.join(map(str, crossed))}"


def _order(year: int, other: int) -> int:
    return (year > other) - (year < other)


def _residual_cues(question: str, swap: Swap) -> Iterator[str]:
    """Words of the original name, and its acronym, in what was kept of the passage.

    Words that the question has already, or that stand in many names, give nothing away.
    """
    text = "\n".join(kept(swap))
    asked = {word.casefold() for word in re.findall(r"\w+", question)}
    for word in dict.fromkeys(re.findall(rf"[^\W\d_]{{{_CUE_LETTERS},}}", swap.original)):
        if not word[0].isupper() or word.casefold() in asked | _COMMON:
            continue
        left = re.finditer(rf"(?<!\w){word}(?:['’]?s)?(?!\w)", text, re.IGNORECASE)
        if any(match.group()[0].isupper() for match in left):
            yield f"residual cue: {word}"
    letters = "".join(re.findall(r"\b[A-Z]", swap.original))
    acronym = r"\.?".join(letters)
    if len(letters) > 1 and letters.casefold() not in asked and re.search(rf"(?<!\w){acronym}(?:\.|s)?(?!\w)", text):
        yield f"residual cue: {letters}"
