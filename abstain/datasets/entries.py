"""A question as it was read, before it has a place in the order, and the reasons why one is left out.

GRAB-RAG 4.2 keeps "only examples with a short answer and at least one gold Wikipedia passage"; what it does not keep is
counted by reason, never lost. What is malformed is an error instead, with the file and the line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from abstain.errors import AbstainError

Row = Mapping[str, Any]
"""One record of a file or of a hub data set, not yet checked."""


class Drop(StrEnum):
    """Why a well-formed question is left out."""

    NO_SHORT_ANSWER = "no_short_answer"
    YES_NO = "yes_no"
    """The answer is not a span (GRAB-RAG 4.2)."""
    NO_GOLD_PASSAGE = "no_gold_passage"
    BLANK_GOLD_PASSAGE = "blank_gold_passage"
    GOLD_NOT_A_PARAGRAPH = "gold_not_a_paragraph"
    """The evidence is a table or a list (Natural Questions)."""
    GOLD_INCOMPLETE = "gold_incomplete"
    """A supporting paragraph was not published with the question (HotpotQA fullwiki)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The fields of a `Question` but its index; answers and gold are not empty, hold no blank and no duplicate."""

    id: str
    text: str
    answers: tuple[str, ...]
    gold: tuple[str, ...]
    distractors: tuple[str, ...] = ()


def entry(
    id: str, text: str, answers: Iterable[str], gold: Iterable[str], distractors: Iterable[str] = ()
) -> Entry | Drop:
    """Strip every string, leave out blanks and exact duplicates, keep the order; or say why nothing is left to ask.

    A distractor that is also gold stays gold only.
    """
    kept_answers = _distinct(answers)
    gold = tuple(gold)
    kept_gold = _distinct(gold)
    if not kept_answers:
        return Drop.NO_SHORT_ANSWER
    if not kept_gold:
        return Drop.BLANK_GOLD_PASSAGE if gold else Drop.NO_GOLD_PASSAGE
    others = tuple(passage for passage in _distinct(distractors) if passage not in kept_gold)
    return Entry(id, text, kept_answers, kept_gold, others)


def _distinct(strings: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(stripped for string in strings if (stripped := string.strip())))


def identity(prefix: str, text: str) -> str:
    """An id for a question that came without one: the same for the same text, wherever it stands in the file."""
    return f"{prefix}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def any_text(row: Row, key: str, where: str) -> str:
    """A string, stripped; it may be empty. Raises AbstainError that starts with `where`."""
    value = row.get(key)
    if not isinstance(value, str):
        raise AbstainError(f"{where}: {key!r} must be a string, found {_shown(value)}")
    return value.strip()


def required_text(row: Row, key: str, where: str) -> str:
    """A string that is not blank, stripped. Raises AbstainError that starts with `where`."""
    text = any_text(row, key, where)
    if not text:
        raise AbstainError(f"{where}: {key!r} is empty")
    return text


def strings(row: Row, key: str, where: str) -> list[str]:
    """A list of strings, unchanged; a number, true, false or null among them is refused, not converted.

    Raises AbstainError that starts with `where`.
    """
    values = row.get(key)
    if not isinstance(values, list):
        raise AbstainError(f"{where}: {key!r} must be a list of strings, found {_shown(values)}")
    for value in values:
        if not isinstance(value, str):
            raise AbstainError(f"{where}: {key!r} must hold strings only, found {_shown(value)}; put it in quotes")
    return values


def _shown(value: object) -> str:
    return "nothing" if value is None else repr(value)[:60]
