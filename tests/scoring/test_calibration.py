"""ECE over ten bins of whole-number confidences, against midpoints and mean confidence (GRAB-RAG, Appendix A)."""

import csv
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abstain.scoring.calibration import ece, ece_mean

rows = st.lists(st.tuples(st.booleans(), st.integers(0, 100)), min_size=1, max_size=40)


def bin_of(confidence):
    """1 to 10: the bin (10 (b - 1), 10 b] of a confidence, with 0 in the first."""
    return max(1, math.ceil(confidence / 10))


def test_three_bins_by_hand():
    # (60, 70]: two of three right, mid .65, mean (62 + 65 + 68) / 300 = .65; (90, 100]: one of two, mid .95, mean .97;
    # (0, 10]: wrong, mid .05, mean .04.
    right, confidence = [1, 1, 0, 1, 0, 0], [62, 65, 68, 94, 100, 4]
    assert ece(right, confidence) == pytest.approx((3 * (2 / 3 - 0.65) + 2 * (0.95 - 0.5) + 0.05) / 6)
    assert ece_mean(right, confidence) == pytest.approx((3 * (2 / 3 - 0.65) + 2 * (0.97 - 0.5) + 0.04) / 6)


def test_confidence_100_is_in_the_last_bin():
    # Always wrong and always sure (PITFALLS E1).
    assert ece([0, 0, 0], [100] * 3) == 0.95
    assert ece_mean([0, 0, 0], [100] * 3) == 1.0
    assert ece_mean([1, 1, 1], [100] * 3) == 0.0


def test_confidence_0_is_in_the_first_bin():
    # Always right and never sure (PITFALLS E2).
    assert ece([1, 1, 1], [0] * 3) == 0.95
    assert ece_mean([1, 1, 1], [0] * 3) == 1.0
    assert ece_mean([0, 0, 0], [0] * 3) == 0.0


@pytest.mark.parametrize("confidence", range(101))
def test_bins_are_closed_on_the_right(confidence):
    # 10 lies with 1..10, 11 with 11..20; each multiple of ten is an edge (PITFALLS E3).
    midpoint = (bin_of(confidence) - 0.5) / 10
    assert ece([0], [confidence]) == pytest.approx(midpoint)
    assert ece([1], [confidence]) == pytest.approx(1 - midpoint)


@given(rows)
def test_both_forms_agree_with_the_definition(table):
    by_bin = {}
    for right, confidence in table:
        by_bin.setdefault(bin_of(confidence), []).append((right, confidence / 100))
    midpoint = mean = 0.0
    for number, held in by_bin.items():
        accuracy, stated = np.mean(held, axis=0)
        midpoint += len(held) / len(table) * abs(accuracy - (number - 0.5) / 10)
        mean += len(held) / len(table) * abs(accuracy - stated)
    right, confidence = zip(*table, strict=True)
    assert ece(right, confidence) == pytest.approx(midpoint)
    assert ece_mean(right, confidence) == pytest.approx(mean)


@given(rows, st.randoms())
def test_the_order_of_the_rows_never_matters(table, random):
    shuffled = random.sample(table, len(table))
    for error in (ece, ece_mean):
        assert error(*zip(*table, strict=True)) == error(*zip(*shuffled, strict=True))


def test_confidences_that_are_not_whole_percentages_are_refused():
    for confidence in ([0.9], [101], [-1]):
        with pytest.raises(ValueError, match="whole numbers from 0 to 100"):
            ece([1], confidence)


def test_no_rows_warn_and_are_undefined():
    for error in (ece, ece_mean):
        with pytest.warns(UserWarning, match="no rows"):
            assert math.isnan(error([], []))


def test_the_published_ceiling_is_that_of_the_midpoint_form(shared):
    # p3 and p4 set the confidence of every abstention to 0; abstaining on (nearly) all of q0 is right at 0: 1 - 0.05.
    with (shared / "data" / "grab_rag" / "table11_ece.csv").open() as file:
        published = {row["policy"]: row for row in csv.DictReader(file)}
    ceiling = ece([True] * 500, [0] * 500)
    assert float(published["P3"]["q0"]) == pytest.approx(ceiling, abs=0.0005)
    assert float(published["P4"]["q0"]) == pytest.approx(ceiling, abs=0.0005)
    values = [float(row[condition]) for row in published.values() for condition in ("q100", "q50", "q0", "qc")]
    assert max(values) <= ceiling
