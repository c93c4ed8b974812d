"""Exact match and token-level F1, SQuAD normalisation (GRAB-RAG 3.5, DESIGN 6)."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abstain.scoring.qa import exact_match, f1, token_f1

words = st.lists(st.sampled_from(["red", "blue", "The", "a", "1997", "U.S."]), max_size=5).map(" ".join)


def test_case_punctuation_and_articles_do_not_count():
    assert exact_match("  The Tami-Lynn!", ["Nobody", "tamilynn"])
    assert not exact_match("Tami", ["Tami Lynn"])


def test_an_answer_of_articles_alone_still_matches_only_itself():
    # SQuAD normalisation would empty both (PITFALLS D1).
    assert exact_match("A", ["a"])
    assert not exact_match("A", ["The"])
    assert token_f1("A", "a") == 1.0
    assert token_f1("A", "The") == 0.0


def test_an_empty_answer_matches_nothing_and_has_no_f1():
    for prediction, reference in product(("", "   "), ("", "Paris")):
        assert not exact_match(prediction, [reference])
        assert token_f1(prediction, reference) == 0.0
        assert token_f1(reference, prediction) == 0.0


def test_f1_by_hand():
    # Shared {march, 1997}; precision 2/3, recall 2/2: F1 4/5, and exactly the threshold of p3.
    assert token_f1("in March 1997", "March 1997") == 0.8
    # A token counts as often as both have it: shared {new} once; 2 / (2 + 2).
    assert token_f1("New New", "new york") == 0.5


def test_f1_is_the_best_over_the_aliases():
    # "paris saint" against "paris": 2/3; against "city of paris": 2/5.
    assert f1("Paris Saint", ["City of Paris", "Paris"]) == pytest.approx(2 / 3)
    assert f1("Paris", []) == 0.0


@given(words, words)
def test_f1_is_symmetric_bounded_and_one_for_an_exact_match(first, second):
    assert token_f1(first, second) == token_f1(second, first)
    assert 0.0 <= token_f1(first, second) <= 1.0
    if exact_match(first, [second]):
        assert token_f1(first, second) == 1.0
