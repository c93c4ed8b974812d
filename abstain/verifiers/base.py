"""What every verifier offers: labels for (passage, hypothesis) pairs, each pair judged once and then kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from abstain.models.base import Model
from abstain.store import Store

ENTAILMENT = "entailment"
NEUTRAL = "neutral"
CONTRADICTION = "contradiction"
LABELS = (ENTAILMENT, NEUTRAL, CONTRADICTION)

Pair: TypeAlias = tuple[str, str]
"""A premise (one passage, as the prompt showed it) and the hypothesis about it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The label of every pair asked for, and how many pairs had to be judged now."""

    labels: Mapping[Pair, str]
    """One of `LABELS` for each pair."""
    made: int


class Verifier(Protocol):
    """A natural language inference check (GRAB-RAG 3.4). Constructing one loads nothing."""

    def judge(self, pairs: Sequence[Pair], model: Model, store: Store, advance: Callable[[], None]) -> Judged:
        """Label the pairs; `model` is the run's generator, and what `store` holds is not judged again.

        `advance` is called once for each distinct pair that is judged anew. A label depends on its pair alone.
        """

    def probe(self) -> str:
        """What judges, in a few words, once it is sure to be there; raises AbstainError if not. Loads no weights."""

    def pending(self, pairs: Sequence[Pair], model: Model, store: Store) -> int:
        """How many distinct pairs `judge` would have to judge; loads no weights."""


def hypothesis(question: str, closed_answer: str) -> str:
    """The sentence that each passage is held against (GRAB-RAG 3.4)."""
    return f"The answer to {question} is {closed_answer}."


def distinct(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs without repeats, in order of first appearance."""
    return list(dict.fromkeys(pairs))
