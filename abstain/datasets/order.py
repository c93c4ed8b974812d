"""The fixed order of a data set: from entries in file order to the questions and the pool of a run (DESIGN 6).

Entries are shuffled once by `random.Random(sample_seed)`. `limit` takes the head of that order, so a larger `limit`
adds questions and changes none: neither their index nor, up to `pool_questions`, the pool of passages around them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from abstain.datasets.entries import Drop, Entry
from abstain.errors import AbstainError
from abstain.rows import GRAB_RAG, Question, QuestionSet

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Order:
    """How many questions to take, and in which order.

    `limit` is None for all, else at least 1; `sample_seed` at least 0; `pool_questions` at least 1. Raises AbstainError
    that names the key.
    """

    limit: int | None
    sample_seed: int
    pool_questions: int

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise AbstainError(f"dataset.limit={self.limit}: give at least 1, or null for all questions")
        if self.sample_seed < 0:
            raise AbstainError(f"dataset.sample_seed={self.sample_seed}: give 0 or more")
        if self.pool_questions < 1:
            raise AbstainError(f"dataset.pool_questions={self.pool_questions}: give at least 1")

    def question_set(self, name: str, source: str, read: Iterable[tuple[str, Entry | Drop]]) -> QuestionSet[Question]:
        """Put what was read, as (place in the file, entry or reason) pairs, in order.

        Raises AbstainError when two entries share an id or when no entry is left.
        """
        entries, dropped = _sorted_out(read)
        if not entries:
            reasons = ", ".join(f"{reason} {count}" for reason, count in dropped.items()) or "there are none"
            raise AbstainError(f"dataset {name} ({source}): no question can be used ({reasons})")
        head, size = self.arranged(entries)
        pool = tuple(
            Question(entry.id, index, entry.text, entry.answers, entry.gold, entry.distractors)
            for index, entry in enumerate(head)
        )
        return QuestionSet(name, GRAB_RAG, pool[:size], pool, dropped, source)

    def arranged(self, items: Iterable[T]) -> tuple[list[T], int]:
        """The pool in the fixed order of these items in file order, and how many of its first are the questions."""
        shuffled = list(items)
        random.Random(self.sample_seed).shuffle(shuffled)
        size = len(shuffled) if self.limit is None else min(self.limit, len(shuffled))
        return shuffled[: max(size, self.pool_questions)], size


def _sorted_out(read: Iterable[tuple[str, Entry | Drop]]) -> tuple[list[Entry], dict[str, int]]:
    entries: list[Entry] = []
    places: dict[str, str] = {}
    dropped: Counter[Drop] = Counter()
    for where, item in read:
        if isinstance(item, Drop):
            dropped[item] += 1
            continue
        if item.id in places:
            raise AbstainError(f"{where}: the id {item.id!r} stands also at {places[item.id]}; ids must be unique")
        places[item.id] = where
        entries.append(item)
    return entries, {reason.value: dropped[reason] for reason in Drop if dropped[reason]}
