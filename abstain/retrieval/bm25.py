"""Lexical retrieval: BM25 over postings, with the statistics of rank-bm25.

rank-bm25 scores every passage anew for each term of each query, which takes minutes on a few thousand questions. Here
each term's contributions are computed once, and a query adds up the postings of its terms.

The variant is `BM25Plus`, whose inverse document frequency ln((N + 1) / n) is positive for every term. That of
`BM25Okapi` is zero for a term in half of the passages and can be negative on small pools, so that a passage with the
term ranks level with or below one without. The constant that rank-bm25's BM25Plus adds to all passages of a query is
left out: it changes no order, and without it a passage that shares no term with the query scores 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Plus

from abstain.retrieval.base import Scores, check_top_k
from abstain.text import tokenize

_Postings = dict[str, tuple[NDArray[np.intp], Scores]]


class Bm25Retriever:
    """BM25 scores, 0 or more; 0 where a passage shares no term with the query."""

    def __init__(self, top_k: int = 5) -> None:
        self.top_k = check_top_k(top_k)

    def scores(self, queries: Sequence[str], passages: Sequence[str]) -> Iterator[Scores]:
        """For each query, in order, one score a passage; a term repeated in the query counts each time."""
        postings = _postings([tokenize(passage) for passage in passages])
        for query in queries:
            row = np.zeros(len(passages))
            for term in tokenize(query):
                if term in postings:
                    positions, contributions = postings[term]
                    row[positions] += contributions
            yield row


def _postings(documents: list[list[str]]) -> _Postings:
    """For each term, the documents that hold it and what it adds to their scores."""
    if not any(documents):  # rank-bm25 divides by the mean length
        return {}
    statistics = BM25Plus(documents)
    k1, b = statistics.k1, statistics.b
    length_norm = k1 * (1 - b + b * np.asarray(statistics.doc_len) / statistics.avgdl)
    found: dict[str, tuple[list[int], list[int]]] = {term: ([], []) for term in statistics.idf}
    for position, frequencies in enumerate(statistics.doc_freqs):
        for term, frequency in frequencies.items():
            found[term][0].append(position)
            found[term][1].append(frequency)
    postings: _Postings = {}
    for term, (at, counts) in found.items():
        positions, frequency = np.asarray(at, dtype=np.intp), np.asarray(counts, dtype=np.float64)
        postings[term] = positions, statistics.idf[term] * frequency * (k1 + 1) / (frequency + length_norm[positions])
    return postings
