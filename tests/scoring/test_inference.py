"""Bootstrap over questions, sign-flip test and Holm: against closed forms, enumeration and the published intervals."""

import csv
from fractions import Fraction
from itertools import product
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from abstain.scoring.inference import (
    bootstrap_ratios,
    holm,
    percentile_interval,
    resampled_sums,
    sign_flip_exact,
    sign_flip_monte_carlo,
)

sixths = st.lists(st.integers(-6, 6).map(lambda n: Fraction(n, 6)), max_size=10)
p_values = st.lists(st.one_of(st.just(nan), st.floats(0, 1)), max_size=8)


def column(values):
    return np.asarray(values, dtype=float)[:, None]


# Bootstrap ----------------------------------------------------------------------------------------------------------


def test_the_replicates_of_a_share_are_binomial():
    # 30 of 100 questions: a resample holds Binomial(100, 0.3) of them; its 2.5% and 97.5% points are 0.21 and 0.39.
    share = bootstrap_ratios(column([1] * 30 + [0] * 70), np.ones((100, 1)), seed=7)
    low, high = percentile_interval(share)
    assert (low[0], high[0]) == pytest.approx(stats.binom.ppf([0.025, 0.975], 100, 0.3) / 100, abs=0.011)
    assert share.mean() == pytest.approx(0.3, abs=0.003)
    assert share.std() == pytest.approx((0.3 * 0.7 / 100) ** 0.5, rel=0.05)


def test_clustered_rows_have_the_width_of_the_questions_not_of_the_rows():
    # Six equal rows a question say no more than one: the interval is that of 100 questions, not of 600 rows.
    share = bootstrap_ratios(column([6] * 30 + [0] * 70), column([6] * 100), seed=7)
    assert share.std() == pytest.approx((0.3 * 0.7 / 100) ** 0.5, rel=0.05)


def test_every_resample_draws_as_many_questions_as_there_are():
    sums = resampled_sums(np.column_stack([np.ones(12), np.arange(12)]), resamples=2_500, seed=1)
    assert (sums[:, 0] == 12).all()
    assert sums[:, 1].mean() == pytest.approx(66, abs=1)


def test_columns_are_paired_over_the_same_resamples():
    once = np.random.default_rng(0).integers(2, size=(40, 1))
    pair = bootstrap_ratios(np.hstack([once, once]), np.ones((40, 2)), resamples=500, seed=3)
    assert np.ptp(pair[:, 0]) > 0
    assert (pair[:, 0] == pair[:, 1]).all()


def test_equal_seeds_draw_the_same_questions_whatever_the_columns():
    values = np.random.default_rng(0).random((30, 3))
    together = resampled_sums(values, resamples=200, seed=5)
    alone = resampled_sums(values[:, [2]], resamples=200, seed=5)
    assert together[:, 2] == pytest.approx(alone[:, 0])
    assert not np.allclose(alone, resampled_sums(values[:, [2]], resamples=200, seed=6))


@pytest.mark.parametrize("value", [0, 1])
def test_a_constant_statistic_has_an_interval_of_length_zero(value):
    # BCa would give NaN here (PITFALLS E10).
    low, high = percentile_interval(bootstrap_ratios(column([value] * 20), np.ones((20, 1)), resamples=500, seed=7))
    assert (low[0], high[0]) == (value, value)


def test_resamples_without_a_denominator_are_left_out_and_nan_only_where_all_are():
    # Only one of three questions counts; 8/27 of the resamples miss it.
    ratios = bootstrap_ratios([[1, 0], [0, 0], [0, 0]], [[1, 0], [0, 0], [0, 0]], resamples=2_000, seed=7)
    assert np.isnan(ratios[:, 0]).mean() == pytest.approx(8 / 27, abs=0.04)
    low, high = percentile_interval(ratios)
    assert (low[0], high[0]) == (1.0, 1.0)
    assert isnan(low[1]) and isnan(high[1])


def test_no_questions_are_undefined():
    low, high = percentile_interval(bootstrap_ratios(np.zeros((0, 2)), np.zeros((0, 2)), resamples=10, seed=7))
    assert np.isnan([low, high]).all()


def test_published_intervals_of_answer_rates_and_hwsa(shared):
    # Tables 7 and 8: the printed rate and n give the count, and the count the interval, but for the paper's own draws
    # and a step of 1 / n.
    published = _published_rates(shared / "data" / "grab_rag")
    assert len(published) == 120
    for n in {n for n, *_ in published}:
        rates = [row for row in published if row[0] == n]
        counts = np.array([round(rate * n / 100) for _, rate, _, _ in rates])
        ratios = bootstrap_ratios((np.arange(n)[:, None] < counts).astype(float), np.ones((n, len(rates))), seed=42)
        ours = 100 * np.column_stack([counts / n, *percentile_interval(ratios)])
        assert ours[:, 0] == pytest.approx([rate for _, rate, _, _ in rates], abs=0.051)
        assert ours[:, 1:] == pytest.approx(np.array([row[2:] for row in rates]), abs=0.051 + 100 / n)


def _published_rates(folder):
    """(n, rate, low, high) in percent, where n is known: HwSA on the eligible questions, answer rates on all."""
    with (folder / "table7_hwsa.csv").open() as file:
        rows = [(int(row["n"]), row, name) for row in csv.DictReader(file) for name in ("q0", "qc")]
    with (folder / "table8_fac.csv").open() as file:
        rows += [(500, row, name) for row in csv.DictReader(file) for name in ("answer_rate_q100", "answer_rate_q50")]
    return [(n, *(float(row[f"{name}{end}"]) for end in ("", "_low", "_high"))) for n, row, name in rows]


# Sign-flip test -----------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(sixths)
def test_the_exact_p_is_that_of_full_enumeration(differences):
    steps = np.array([int(6 * d) for d in differences])
    sums = np.abs(np.array(list(product((1, -1), repeat=len(steps)))) @ steps)
    assert sign_flip_exact(differences) == pytest.approx(np.mean(sums >= abs(steps.sum())))


def test_five_flips_in_fifty_items():
    # Two of 2^5 patterns (PITFALLS E12); the 45 items without a difference say nothing.
    assert sign_flip_exact([1] * 5 + [0] * 45) == 2 / 32


@pytest.mark.parametrize("differences", [[], [0, 0, 0], [Fraction(1, 3), Fraction(-1, 3)]])
def test_no_difference_on_the_whole_has_p_one(differences):
    assert sign_flip_exact(differences) == 1.0
    assert sign_flip_monte_carlo([float(d) for d in differences], draws=500) == 1.0


@given(sixths, st.integers(1, 9), st.randoms())
def test_the_exact_p_sees_neither_order_nor_scale_nor_direction(differences, factor, random):
    p = sign_flip_exact(differences)
    assert sign_flip_exact(random.sample(differences, len(differences))) == pytest.approx(p)
    assert sign_flip_exact([-factor * d for d in differences]) == pytest.approx(p)


def test_the_exact_p_of_many_questions_is_close_to_the_normal_one():
    # 194 questions in sixths, the size of ArcticQA; the tie correction is half a step of 2/6.
    rng = np.random.default_rng(3)
    steps = [int(step) for step in rng.integers(-5, 7, size=194)]
    spread = sum(step**2 for step in steps) ** 0.5
    assert sign_flip_exact(steps) == pytest.approx(2 * stats.norm.sf((abs(sum(steps)) - 1) / spread), rel=0.02)


def test_monte_carlo_is_near_the_exact_p_and_repeats_with_its_seed():
    differences = [Fraction(n, 6) for n in (3, 2, 2, 1, 1, 1, -1, -2, 4, 0, 0, 1)]
    values = [float(d) for d in differences]
    assert sign_flip_monte_carlo(values) == pytest.approx(sign_flip_exact(differences), abs=0.01)
    assert sign_flip_monte_carlo(values, seed=7) == sign_flip_monte_carlo(values, seed=7)


def test_monte_carlo_is_never_zero():
    # 2 of 2^60 patterns are as extreme; (0 + 1) / (20,000 + 1) is the least that the draws can say.
    assert sign_flip_monte_carlo([1.0] * 60) == 1 / 20_001


def test_monte_carlo_counts_ties_in_spite_of_rounding():
    # Every pattern of one difference ties with it, and 0.1 + 0.2 - 0.3 does not end at zero in floating point.
    assert sign_flip_monte_carlo([0.1], draws=999) == 1.0
    assert sign_flip_monte_carlo([0.1, 0.2, -0.3], draws=999) == 1.0


# Holm ---------------------------------------------------------------------------------------------------------------


def test_holm_by_hand():
    # Sorted .01 .02 .03 .04 times 4 3 2 1: .04 .06 .06 .04, and the running maximum lifts the last.
    assert holm([0.03, 0.01, 0.04, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.01, 0.011]) == pytest.approx([0.02, 0.02])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_an_undefined_p_is_no_member_of_the_family():
    assert holm([0.01, nan, 0.04]) == pytest.approx([0.02, nan, 0.04], nan_ok=True)


@given(p_values)
def test_holm_keeps_the_order_and_never_lowers_a_p(values):
    adjusted = holm(values)
    pairs = sorted((p, a) for p, a in zip(values, adjusted, strict=True) if not isnan(p))
    assert all(p <= a <= 1 for p, a in pairs)
    assert [a for _, a in pairs] == sorted(a for _, a in pairs)
    assert [isnan(a) for a in adjusted] == [isnan(p) for p in values]
