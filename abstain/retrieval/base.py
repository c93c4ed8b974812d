"""What a retriever offers: one row of passage scores a query, and a ranking that breaks ties by position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from abstain.errors import AbstainError

Scores = NDArray[np.float64]


class Retriever(Protocol):
    """Scores passages for queries. Constructing one loads nothing."""

    top_k: int
    """Passages that a reader is shown: the number of context slots."""

    def scores(self, queries: Sequence[str], passages: Sequence[str]) -> Iterator[Scores]:
        """For each query, in order, one score a passage; higher is better, comparable within one query only.

        A row depends on its query and on the passages, not on the other queries.
        """


def ranking(scores: Scores) -> NDArray[np.intp]:
    """Passage positions, best score first; equal scores keep the order of the passages."""
    return np.argsort(-scores, kind="stable")


def min_max(scores: Scores) -> Scores:
    """Scores scaled to 0..1; all zeros where they are all equal and so say nothing about the order."""
    if scores.size == 0:
        return scores
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.zeros_like(scores)


def check_top_k(top_k: Any) -> int:
    """`top_k`, or an AbstainError when it leaves no context slot."""
    if top_k < 1:
        raise AbstainError(f"retriever.top_k={top_k} leaves no context slot; give 1 or more")
    return int(top_k)
