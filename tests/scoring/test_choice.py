"""ArcticAbstain's metrics and inference: by hand on a small table, and on the published outcomes."""

import csv
import time
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abstain.replay import read_recorded
from abstain.rows import ChoiceCase, ChoiceQuestion, Decision, Option, Outcome
from abstain.scoring.choice import CODES, ScoredChoice, across_models, choice_metrics, holm_across, score
from abstain.scoring.inference import holm

PUBLISHED = Path(__file__).parents[2] / ".." / "shared" / "data" / "arctic_abstain"


def rows(*questions):
    """One string a question, such as "123 445": codes of the trials with the answer present, then absent."""
    return [
        ScoredChoice(f"q{k}", condition, trial, f"N{digit}")
        for k, question in enumerate(questions)
        for condition, digits in zip(("answer_present", "answer_absent"), question.split(), strict=True)
        for trial, digit in enumerate(digits, start=1)
    ]


# N0 = 3, N1 = 5, N2 = 2, N3 = 4, N4 = 4, N5 = 6; 21 of the 24 are valid.
TABLE = rows("113 455", "123 445", "110 554", "323 500")


def test_pooled_metrics_by_hand():
    metrics = choice_metrics(TABLE)
    assert [metrics[f"n/{code}"] for code in CODES] == [3, 5, 2, 4, 4, 6]
    assert metrics["n/invalid"] == 3
    assert (metrics["n/answer_present"], metrics["n/answer_absent"]) == (12, 12)
    assert metrics["acc"] == pytest.approx(11 / 21)
    assert metrics["precision_abs"] == pytest.approx(6 / 10)
    assert metrics["recall_abs"] == pytest.approx(6 / 12)
    assert metrics["f1_abs"] == pytest.approx(2 * 0.6 * 0.5 / (0.6 + 0.5))
    assert metrics["abstention_rate"] == pytest.approx(10 / 21)
    assert metrics["r_acc"] == pytest.approx(5 / 11)
    assert metrics["ssr"] == pytest.approx(15 / 21)


def test_medians_are_of_the_three_trials_by_hand():
    metrics = choice_metrics(TABLE)
    # Trial 1: 1 1 1 3 | 4 4 5 5; trial 2: 1 2 1 2 | 5 4 5 0; trial 3: 3 3 0 3 | 5 5 4 0.
    assert metrics["acc_median"] == pytest.approx(sorted([5 / 8, 4 / 7, 2 / 6])[1])
    assert metrics["abstention_rate_median"] == pytest.approx(sorted([3 / 8, 2 / 7, 5 / 6])[1])
    assert metrics["r_acc_median"] == pytest.approx(sorted([3 / 5, 2 / 5, 0 / 1])[1])
    assert metrics["ssr_median"] == pytest.approx(sorted([6 / 8, 4 / 7, 5 / 6])[1])


def test_shift_by_hand():
    metrics = choice_metrics(TABLE)
    assert metrics["abstention/present"] == pytest.approx(4 / 11)
    assert metrics["abstention/absent"] == pytest.approx(6 / 10)
    assert metrics["abstention/shift"] == pytest.approx(6 / 10 - 4 / 11)
    assert metrics["abstention/shift_low"] <= metrics["abstention/shift"] <= metrics["abstention/shift_high"]


def test_exact_p_by_hand():
    # Differences: 2/3 - 1/3 = 1/3, 1/3 - 1/3 = 0, 2/3 - 0 = 2/3 and 1/1 - 2/3 = 1/3. Of the eight sign patterns of the
    # three that are not zero, only the two with equal signs reach the sum 4/3.
    metrics = choice_metrics(TABLE)
    assert metrics["n/paired"] == 4
    assert metrics["abstention/p"] == pytest.approx(2 / 8)
    assert metrics["abstention/p_mc"] == pytest.approx(2 / 8, abs=0.015)


def test_a_question_without_a_valid_response_in_both_conditions_is_not_tested_but_counted_in_the_rates():
    metrics = choice_metrics(rows("113 555", "333 000"))
    assert metrics["n/paired"] == 1
    assert metrics["abstention/present"] == pytest.approx(4 / 6)


def test_invalid_rows_stand_outside_every_denominator():
    with_invalid = choice_metrics(TABLE)
    without = choice_metrics([row for row in TABLE if row.code != "N0"])
    same = [name for name in with_invalid if name not in ("n/N0", "n/invalid", "n/answer_present", "n/answer_absent")]
    assert [with_invalid[name] for name in same] == [without[name] for name in same]


def test_undefined_metrics_are_none():
    only_present = choice_metrics([row for row in rows("112 444") if row.condition == "answer_present"])
    for name in ("precision_abs", "abstention/absent", "abstention/shift", "abstention/shift_low", "abstention/p"):
        assert only_present[name] is None
    assert only_present["abstention/present"] == 0
    assert choice_metrics([])["acc"] is None
    never_abstains = choice_metrics(rows("112 444"))
    assert (never_abstains["precision_abs"], never_abstains["recall_abs"], never_abstains["f1_abs"]) == (None, 0, 0)


def test_no_difference_at_all_has_p_one():
    metrics = choice_metrics(rows("333 555", "111 444"))
    assert (metrics["abstention/shift"], metrics["abstention/p"], metrics["abstention/p_mc"]) == (0, 1, 1)


codes = st.tuples(st.text("0123", min_size=2, max_size=2), st.text("045", min_size=2, max_size=2)).map(" ".join)


@given(st.lists(codes, min_size=1, max_size=7), st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_the_order_of_the_rows_changes_nothing(questions, random):
    table = rows(*questions)
    shuffled = random.sample(table, len(table))
    assert choice_metrics(shuffled) == choice_metrics(table)


@given(st.lists(codes, min_size=1, max_size=7))
@settings(max_examples=20, deadline=None)
def test_exact_p_is_the_share_of_all_sign_patterns(questions):
    table = rows(*questions)
    metrics = choice_metrics(table)
    differences = []
    for k in range(len(questions)):
        found = Counter(row.code for row in table if row.item_id == f"q{k}")
        present, absent = found["N1"] + found["N2"] + found["N3"], found["N4"] + found["N5"]
        if present and absent:
            differences.append(6 * found["N5"] // absent - 6 * found["N3"] // present)
    if not differences:
        assert metrics["abstention/p"] is None
        return
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    assert metrics["abstention/p"] == pytest.approx(sum(s >= abs(sum(differences)) for s in sums) / len(sums))


def test_holm_is_over_the_models_given():
    adjusted = holm_across(
        {
            "a": {"abstention/p": 0.01, "abstention/p_mc": 0.02},
            "b": {"abstention/p": None, "abstention/p_mc": None},
            "c": {"abstention/p": 0.011, "abstention/p_mc": 0.5},
        }
    )
    assert adjusted["a"] == {"abstention/p_holm": 0.02, "abstention/p_mc_holm": 0.04}
    assert adjusted["b"] == {"abstention/p_holm": None, "abstention/p_mc_holm": None}
    assert adjusted["c"] == {"abstention/p_holm": 0.02, "abstention/p_mc_holm": 0.5}


def test_the_two_mean_shifts_differ_where_responses_are_missing():
    # Model a: q0 1 - 0, q1 1 - 1 (one valid response); model b: q0 0 - 0, q1 is not paired.
    result = across_models({"a": rows("11 55", "30 55"), "b": rows("11 44", "00 44")})
    assert result["n/models"] == 2
    assert result["n/paired"] == 2
    assert result["abstention/mean_shift"] == pytest.approx(((1 + 0) / 2 + 0) / 2)
    assert result["abstention/mean_of_shifts"] == pytest.approx(((1 - 1 / 3) + (0 - 0)) / 2)
    assert result["abstention/mean_shift_p"] == 1


CASE = ChoiceCase(
    ChoiceQuestion("q", 0, "?", "", "g", ("a", "b", "c", "d")),
    "answer_present",
    2,
    (Option("a", "distractor"), Option("I abstain from answering", "abstain"), Option("g", "gold")),
)
ABSENT = ChoiceCase(CASE.question, "answer_absent", 1, (*CASE.options[:2], Option("d", "distractor")))


@pytest.mark.parametrize(
    ("case", "decision", "code", "outcome"),
    [
        (CASE, Decision("answer", "g", 0, "context_pass"), "N1", Outcome.CORRECT),
        (CASE, Decision("answer", "a", 0, "context_pass"), "N2", Outcome.WRONG),
        (CASE, Decision("abstain", "I abstain from answering", 0, "context_pass"), "N3", Outcome.FALSE_ABSTENTION),
        (ABSENT, Decision("answer", "d", 0, "context_pass"), "N4", Outcome.FALSE_COMMITMENT),
        (ABSENT, Decision("abstain", "I abstain from answering", 0, "context_pass"), "N5", Outcome.RIGHT_ABSTENTION),
        (ABSENT, Decision("invalid", "", 0, "invalid"), "N0", Outcome.INVALID),
    ],
)
def test_a_decision_falls_into_its_category(case, decision, code, outcome):
    scored = score(case, decision)
    assert (scored.item_id, scored.condition, scored.trial) == ("q", case.condition, case.trial)
    assert (scored.code, scored.outcome) == (code, outcome)


@pytest.fixture(scope="module")
def published():
    if not PUBLISHED.exists():
        pytest.skip("the published outcomes are not here (../shared/data/arctic_abstain)")
    start = time.monotonic()
    recorded = read_recorded(PUBLISHED / "outcomes.csv")
    metrics = {one.model: choice_metrics(one.rows) for one in recorded}
    adjusted = holm_across(metrics)
    overall = across_models({one.model: one.rows for one in recorded})
    seconds = time.monotonic() - start
    with (PUBLISHED / "published_metrics.csv").open(encoding="utf-8") as file:
        expected = {row["model"]: row for row in csv.DictReader(file)}
    assert list(metrics) == list(expected)
    assert all(not one.incomplete for one in recorded)
    return {model: metrics[model] | adjusted[model] for model in metrics}, expected, overall, seconds


def differences(published, ours, theirs):
    metrics, expected, _, _ = published
    return [abs(metrics[model][ours] - float(row[theirs])) for model, row in expected.items()]


def test_published_counts_agree_exactly(published):
    for code in CODES:
        assert differences(published, f"n/{code}", code) == [0] * 8
    assert differences(published, "n/paired", "questions_in_test") == [0] * 8


@pytest.mark.parametrize("name", ["acc", "abstention_rate", "f1_abs", "r_acc"])
@pytest.mark.parametrize("suffix", ["", "_median"])
def test_published_pooled_and_median_metrics_agree_to_three_decimals(published, name, suffix):
    assert max(differences(published, name + suffix, name + suffix)) < 0.0005 + 1e-9


@pytest.mark.parametrize(
    ("ours", "theirs", "tolerance"),
    [
        ("abstention/present", "present_abstention", 1e-6),
        ("abstention/absent", "absent_abstention", 1e-6),
        ("abstention/shift", "shift", 1e-6),
        ("abstention/shift_low", "shift_low", 0.003),
        ("abstention/shift_high", "shift_high", 0.003),
        ("abstention/p", "exact_p", 1e-6),
        ("abstention/p_mc", "permutation_p", 0.006),
    ],
)
def test_published_rates_shifts_intervals_and_p_values_agree(published, ours, theirs, tolerance):
    assert max(differences(published, ours, theirs)) <= tolerance


def test_published_holm_values_agree(published):
    _, expected, _, _ = published
    theirs = [float(row["permutation_p"]) for row in expected.values()]
    assert holm(theirs) == pytest.approx([float(row["holm_p"]) for row in expected.values()], abs=5e-6)
    # Of ours, both families single out the same two models as the paper.
    metrics, _, _, _ = published
    for name in ("abstention/p_holm", "abstention/p_mc_holm"):
        assert {model for model in metrics if metrics[model][name] < 0.05} == {"claude-fable-5-1", "gpt-6-astra"}


def test_published_mean_shift_agrees_in_both_meanings(published):
    _, _, overall, _ = published
    assert overall["n/paired"] == 194
    assert round(100 * overall["abstention/mean_shift"], 2) == 5.05
    assert round(100 * overall["abstention/mean_of_shifts"], 2) == 5.06
    assert overall["abstention/mean_shift_p"] < 1e-4


def test_the_published_analysis_takes_under_ten_seconds(published):
    assert published[3] < 10
