"""Scaling and ranking of scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abstain.errors import AbstainError
from abstain.retrieval.base import check_top_k, min_max, ranking


def test_min_max_by_hand() -> None:
    # (2 - 2) / 8, (4 - 2) / 8, (10 - 2) / 8
    assert min_max(np.array([2.0, 4.0, 10.0])).tolist() == [0.0, 0.25, 1.0]


@pytest.mark.parametrize("scores", [[], [0.7], [0.0, 0.0, 0.0], [-3.5, -3.5]])
def test_a_constant_column_says_nothing(scores: list[float]) -> None:
    assert min_max(np.array(scores)).tolist() == [0.0] * len(scores)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(-50, 50), min_size=1, max_size=12), st.integers(1, 9), st.integers(-100, 100))
def test_only_relative_height_matters(values: list[int], stretch: int, shift: int) -> None:
    # Cosines of one encoder crowd in 0.6..1 and of another in 0..1; neither scale may outweigh BM25.
    scores = np.array(values, dtype=float)
    np.testing.assert_allclose(min_max(stretch * scores + shift), min_max(scores), atol=1e-12)


def test_equal_scores_keep_the_order_of_the_passages() -> None:
    assert ranking(np.array([0.5, 0.9, 0.5, 0.9, 0.5])).tolist() == [1, 3, 0, 2, 4]


def test_no_slot_is_refused_by_its_key() -> None:
    with pytest.raises(AbstainError, match=r"^retriever\.top_k=0 "):
        check_top_k(0)
