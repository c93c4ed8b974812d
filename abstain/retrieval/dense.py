"""Dense retrieval: cosine similarity of sentence embeddings; only queries carry the encoder's query prompt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from abstain.retrieval.base import Scores, check_top_k
from abstain.retrieval.embeddings import CachedEncoder
from abstain.retrieval.encoders import choose_encoder

_QUERIES_A_PRODUCT = 64


class DenseRetriever:
    """Cosine scores in -1..1.

    `encoder` names one of `encoders`; each entry says where the model lies (`path`, `package` or `hub` with
    `revision`) and which `query_prompt` it expects. Embeddings are kept in `cache_dir`.
    """

    def __init__(self, encoder: str, encoders: Mapping[str, Mapping[str, Any]], cache_dir: str, top_k: int = 5) -> None:
        self.top_k = check_top_k(top_k)
        self.source = choose_encoder(encoder, encoders)
        self._encoder = CachedEncoder(self.source, Path(cache_dir))

    def scores(self, queries: Sequence[str], passages: Sequence[str]) -> Iterator[Scores]:
        """For each query, in order, its cosine with each passage."""
        if not passages or not queries:
            yield from (np.zeros(len(passages)) for _ in queries)
            return
        passage_vectors = self._encoder.embed(passages).astype(np.float64)
        query_vectors = self._encoder.embed(queries, self.source.query_prompt).astype(np.float64)
        for start in range(0, len(queries), _QUERIES_A_PRODUCT):
            product = query_vectors[start : start + _QUERIES_A_PRODUCT] @ passage_vectors.T
            # The last bits of a product depend on its shape; rounding leaves what the two texts alone decide.
            yield from product.round(9)
