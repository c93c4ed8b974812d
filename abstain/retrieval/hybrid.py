"""Hybrid retrieval: a weighted sum of dense and lexical scores, each scaled over the whole pool (GRAB-RAG 4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from abstain.errors import AbstainError
from abstain.retrieval.base import Scores, min_max
from abstain.retrieval.bm25 import Bm25Retriever
from abstain.retrieval.dense import DenseRetriever


class HybridRetriever:
    """alpha x dense + (1 - alpha) x BM25, both min-max scaled for each query; scores in 0..1.

    The keys but `alpha` (0..1, the weight of the dense score) are those of `DenseRetriever`.
    """

    def __init__(
        self,
        encoder: str,
        encoders: Mapping[str, Mapping[str, Any]],
        cache_dir: str,
        alpha: float = 0.5,
        top_k: int = 5,
    ) -> None:
        if not 0 <= alpha <= 1:
            raise AbstainError(f"retriever.alpha={alpha} is not a weight; give a number from 0 (BM25) to 1 (dense)")
        self.alpha = alpha
        self.dense = DenseRetriever(encoder, encoders, cache_dir, top_k)
        self.lexical = Bm25Retriever(top_k)
        self.top_k = top_k

    def scores(self, queries: Sequence[str], passages: Sequence[str]) -> Iterator[Scores]:
        """For each query, in order, one score a passage, in 0..1."""
        both = zip(self.dense.scores(queries, passages), self.lexical.scores(queries, passages), strict=True)
        for dense, lexical in both:
            yield self.alpha * min_max(dense) + (1 - self.alpha) * min_max(lexical)
