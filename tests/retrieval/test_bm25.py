"""BM25: values by hand, agreement with rank-bm25, and its faults on small pools."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi, BM25Plus

from abstain.retrieval.base import ranking
from abstain.retrieval.bm25 import Bm25Retriever
from abstain.text import tokenize

WORDS = st.sampled_from(["nobel", "prize", "physics", "röntgen", "1901", "paris"])
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)


def scores(query: str, *passages: str) -> list[float]:
    return next(Bm25Retriever().scores([query], passages)).tolist()


def test_two_passages_by_hand() -> None:
    # Both have the mean length, so one occurrence counts 1 x 2.5 / (1 + 1.5) = 1, two count 2 x 2.5 / (2 + 1.5) = 10/7;
    # the term stands in one passage of two: ln(3 / 1), or in both: ln(3 / 2).
    assert scores("nobel", "nobel prize", "grand prix") == pytest.approx([log(3), 0])
    assert scores("nobel", "nobel nobel", "nobel prize") == pytest.approx([log(1.5) * 10 / 7, log(1.5)])


def test_length_normalisation_by_hand() -> None:
    # Lengths 1 and 3, mean 2: k1 (1 - b + b x length / mean) = 1.5 x 0.625 = 0.9375 and 1.5 x 1.375 = 2.0625.
    expected = [log(1.5) * 2.5 / 1.9375, log(1.5) * 2.5 / 3.0625]
    assert scores("nobel", "nobel", "nobel grand prix") == pytest.approx(expected)


def test_a_repeated_query_term_counts_each_time() -> None:
    assert scores("nobel nobel", "nobel prize", "grand prix") == pytest.approx([2 * log(3), 0])


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=8))
def test_agrees_with_rank_bm25_up_to_its_constant(query: str, passages: list[str]) -> None:
    documents = [tokenize(passage) for passage in passages]
    if not any(documents):
        return
    reference = BM25Plus(documents)
    constant = sum(reference.idf.get(term, 0) for term in tokenize(query))  # delta = 1, given to every passage
    np.testing.assert_allclose(
        np.array(scores(query, *passages)) + constant, reference.get_scores(tokenize(query)), atol=1e-9
    )


@settings(max_examples=60, deadline=None)
@given(TEXTS.filter(bool), st.lists(TEXTS, min_size=1, max_size=8))
def test_a_match_scores_above_zero_and_no_match_scores_zero(query: str, passages: list[str]) -> None:
    for passage, score in zip(passages, scores(query, *passages), strict=True):
        assert (score > 0) == bool(set(query.split()) & set(passage.split()))


def test_the_faults_of_okapi_are_absent() -> None:
    half, single = [["nobel", "prize"], ["grand", "prix"]], [["nobel", "prize"]]
    assert BM25Okapi(half).get_scores(["nobel"])[0] == 0  # in half of the passages
    assert BM25Okapi(single).get_scores(["nobel"])[0] < 0  # in all of them
    assert scores("nobel", "nobel prize", "grand prix")[0] > 0
    assert scores("nobel", "nobel prize")[0] > 0


def test_empty_pools_queries_and_passages_score_zero() -> None:
    assert scores("nobel") == []
    assert scores("nobel", "", "...") == [0, 0]
    assert scores("", "nobel prize") == [0]
    assert scores("nobel", "", "nobel prize")[0] == 0
    assert list(Bm25Retriever().scores([], ["nobel prize"])) == []


def test_case_and_punctuation_do_not_decide() -> None:
    assert scores("Hello?", "hello, world", "HELLO (world)") == scores("hello", "hello world", "hello world")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Röntgen's first X-ray (1895).", ["röntgen", "s", "first", "x", "ray", "1895"]),
        ("1939–1940", ["1939", "1940"]),
        ("snake_case C++", ["snake", "case", "c"]),
        ("Zu\u0308rich", ["zürich"]),  # a combining accent is part of its letter
        ("İstanbul", tokenize("i\u0307stanbul")),
        ("—?!", []),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


def test_equal_passages_of_equal_score_rank_by_position() -> None:
    row = next(Bm25Retriever().scores(["nobel"], ["prix", "nobel a", "nobel b", "nobel c"]))
    assert ranking(row).tolist() == [1, 2, 3, 0]


def test_a_row_does_not_depend_on_the_other_queries() -> None:
    passages = ["nobel prize in physics", "physics of paris", "röntgen in 1901"]
    together = list(Bm25Retriever().scores(["nobel physics", "paris", "1901 röntgen"], passages))
    assert together[2].tolist() == scores("1901 röntgen", *passages)
