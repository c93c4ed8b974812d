"""AURC as the mean of prefix risks (GRAB-RAG, Appendix A), ties by their expectation (DESIGN 6)."""

from itertools import groupby, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abstain.scoring.selective import aurc, aurc_of_groups, confidence_groups

rows = st.lists(st.tuples(st.booleans(), st.integers(0, 100)), min_size=1, max_size=40)
few_tied_rows = st.lists(st.tuples(st.booleans(), st.sampled_from([0, 50, 90])), min_size=1, max_size=6)


def prefix_risks(right):
    return np.mean(np.cumsum(1 - np.array(right, dtype=float)) / np.arange(1, len(right) + 1))


def test_four_rows_by_hand():
    # The first wrong: risks 1, 1/2, 1/3, 1/4, mean 0.5208; trapezoids would give 0.4896 or 0.3646 (PITFALLS E8).
    assert aurc([0, 1, 1, 1], [90, 80, 70, 60]) == pytest.approx(25 / 48)
    # The last wrong instead: risks 0, 0, 0, 1/4.
    assert aurc([1, 1, 1, 0], [90, 80, 70, 60]) == pytest.approx(1 / 16)


def test_four_tied_rows_with_two_errors_by_hand():
    # By row order alone: from 0.21 to 0.79 (PITFALLS E9). Every prefix has the expected risk 1/2.
    assert aurc([1, 1, 0, 0], [80] * 4) == pytest.approx(0.5)


def test_a_tie_after_a_first_row_by_hand():
    # Risk 0; then a tie of one right and one wrong: expected prefix risks (0 + 1/2) / 2 and 1 / 3.
    assert aurc([1, 1, 0], [90, 20, 20]) == pytest.approx((0 + 1 / 4 + 1 / 3) / 3)


@settings(max_examples=60)
@given(few_tied_rows)
def test_ties_are_the_mean_over_all_orders_of_the_tied_rows(table):
    ordered = sorted(table, key=lambda row: -row[1])
    groups = [list(group) for _, group in groupby(ordered, key=lambda row: row[1])]
    orders = product(*(permutations(group) for group in groups))
    values = [prefix_risks([right for group in order for right, _ in group]) for order in orders]
    assert aurc(*zip(*table, strict=True)) == pytest.approx(np.mean(values))


@given(rows, st.randoms())
def test_the_order_of_the_rows_never_matters(table, random):
    shuffled = random.sample(table, len(table))
    assert aurc(*zip(*table, strict=True)) == aurc(*zip(*shuffled, strict=True))


@given(rows)
def test_only_the_order_of_the_confidences_is_seen(table):
    right, confidence = zip(*table, strict=True)
    assert aurc(right, confidence) == aurc(right, [value**3 / 7 - 4 for value in confidence])


@given(rows)
def test_no_ranking_beats_the_oracle_or_is_worse_than_its_reverse(table):
    right, confidence = (np.array(column) for column in zip(*table, strict=True))
    assert aurc(right, right) - 1e-12 <= aurc(right, confidence) <= aurc(right, ~right) + 1e-12


@given(rows)
def test_a_constant_confidence_gives_the_plain_error_rate(table):
    right = [row[0] for row in table]
    assert aurc(right, [50] * len(right)) == pytest.approx(1 - np.mean(right))


@given(rows, st.lists(st.integers(0, 3), min_size=40, max_size=40))
def test_a_resample_counted_by_group_is_the_aurc_of_the_repeated_rows(table, times):
    right, confidence = (np.array(column) for column in zip(*table, strict=True))
    repeats = np.array(times[: len(right)])
    group = confidence_groups(confidence)
    counted = aurc_of_groups(np.bincount(group, weights=repeats), np.bincount(group, weights=repeats * ~right))
    if repeats.sum() == 0:
        assert np.isnan(counted)
    else:
        assert counted == pytest.approx(aurc(np.repeat(right, repeats), np.repeat(confidence, repeats)))


def test_no_rows_warn_and_are_undefined():
    with pytest.warns(UserWarning, match="no rows"):
        assert np.isnan(aurc([], []))
