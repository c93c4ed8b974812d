"""All metrics of a GRAB-RAG cell (DESIGN 4 and 6): by hand on the table of all outcomes, and laws on any rows."""

import csv
import math
import random
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abstain.rows import Decision
from abstain.scoring.cell import cell_metrics
from abstain.scoring.outcome import score

CONDITIONS = ("q100", "q50", "q0", "qc", "closed")
NO_COUNTS = {"truncated": 0, "context_cut": 0, "planted_cut": 0}
CAPABLE = frozenset("abdf")

# Worked out from the table in conftest.py; 6 questions, of which a to e are eligible for qc, 6 + 6 + 6 + 5 + 6 rows.
RATES = {
    "hwsa/delta": 4 / 5 - 3 / 5,
    "hwsa/q0": 3 / 5,  # b, c, e of a to e; f answers too but is not eligible
    "hwsa/qc": 4 / 5,  # all but e
    "fac/q100": 1 / 4,  # d of a, b, d, f
    "fac/q50": 2 / 4,  # b, d; f is invalid, which is no abstention, and stays in the denominator
    "answer_rate/q100": 4 / 6,
    "answer_rate/q50": 3 / 6,
    "answer_rate/q0": 4 / 6,
    "answer_rate/qc": 4 / 5,
    "em/q100": 3 / 6,
    "em/q50": 2 / 6,
    "em/q0": 1 / 6,
    "em/qc": 1 / 5,
    "f1/q100": (1 + 1 + 2 / 3 + 0 + 0 + 1) / 6,  # c: "paris saint" and "paris" share one of 2 + 1 tokens
    "f1/q50": 2 / 6,
    "f1/q0": 1 / 6,
    "f1/qc": 1 / 5,
    "qc/echo": 2 / 4,  # of the four answers
    "qc/correct": 1 / 4,
    "qc/hallucinated": 1 / 4,
    "qc/eligible": 5 / 6,
    "closed/answer_rate": 3 / 6,
    "closed/em": 2 / 6,
    "closed/mean_confidence": (90 + 70 + 80) / 3,  # of the three answers
    # Confidence: rows, errors, over the 23 context rows: 100: 4, 3; 95: 1, 1; 90: 2, 1; 80: 1, 0; 70: 1, 1; 60: 1, 0;
    # 50: 1, 0; 40: 1, 1; 30: 2, 2; 20: 1, 1; 10: 1, 0; 0: 7, 5. Expected errors after each row, ties by expectation:
    "aurc": sum(
        errors / k
        for k, errors in enumerate(
            [
                *(0.75, 1.5, 2.25, 3, 4, 4.5, 5, 5, 6, 6, 6, 7, 8, 9, 10, 10),
                *(10 + 5 / 7 * k for k in range(1, 8)),
            ],
            start=1,
        )
    )
    / 23,
}
POINTS = {
    # Per bin |right - rows x midpoint|. q100: 90, 80, 100 right, 70 wrong, 0 and 0 wrong.
    "ece/q100": (0.15 + 0.25 + 0.05 + 0.65 + 0.10) / 6,
    # q50: 60 right; 0, 0, 0 wrong and 10 right share the first bin, |1 - 4 x 0.05|; 100 wrong.
    "ece/q50": (0.45 + 0.80 + 0.95) / 6,
    # q0: 50 right, 40 wrong, 30 wrong, 0 right, 20 wrong, 100 wrong.
    "ece/q0": (0.55 + 0.35 + 0.25 + 0.95 + 0.15 + 0.95) / 6,
    # qc: 100 and 95 wrong in one bin, 90 wrong, 30 wrong, 0 right.
    "ece/qc": (1.90 + 0.85 + 0.25 + 0.95) / 5,
    # The same with the stated confidences instead of the midpoints.
    "ece_mean/q100": (0.1 + 0.2 + 0 + 0.7 + 0) / 6,
    "ece_mean/q50": (0.4 + 0.9 + 1.0) / 6,
    "ece_mean/q0": (0.5 + 0.4 + 0.3 + 1.0 + 0.2 + 1.0) / 6,
    "ece_mean/qc": (1.95 + 0.9 + 0.3 + 1.0) / 5,
    "n/q100": 6,
    "n/q50": 6,
    "n/q0": 6,
    "n/qc": 5,
    "n/closed": 6,
    "n/invalid": 3,  # q100 e, q50 f, closed e
    "n/truncated": 2,
    "n/context_cut": 3,
    "n/qc_planted_cut": 1,
    "n/capable": 4,
}


def measure(rows, capable=CAPABLE, conditions=CONDITIONS, questions=6, resamples=200, **counts):
    return cell_metrics(
        rows, capable, conditions=conditions, questions=questions, resamples=resamples, **{**NO_COUNTS, **counts}
    )


def under(rows, *conditions):
    return [row for row in rows if row.case.condition in conditions]


def test_every_metric_by_hand(all_outcomes):
    metrics = measure(all_outcomes, truncated=2, context_cut=3, planted_cut=1)
    assert {name: metrics[name] for name in RATES} == pytest.approx(RATES)
    assert {name: metrics[name] for name in POINTS} == pytest.approx(POINTS)
    intervals = {f"{name}_{end}" for name in RATES for end in ("low", "high")}
    assert set(metrics) == set(RATES) | set(POINTS) | intervals


def test_an_interval_holds_its_estimate(all_outcomes):
    metrics = measure(all_outcomes, resamples=2_000)
    for name in RATES:
        assert metrics[f"{name}_low"] <= metrics[name] <= metrics[f"{name}_high"]


def test_names_are_always_the_same_in_the_same_order_and_legal_in_mlflow(all_outcomes):
    names = list(measure(all_outcomes))
    assert list(measure([])) == names
    assert list(measure(under(all_outcomes, "q100"), conditions=["q100"])) == names
    assert all(re.fullmatch(r"[\w\-. :/]+", name, re.ASCII) for name in names)


def test_the_order_of_the_rows_changes_no_digit(all_outcomes):
    shuffled = random.Random(3).sample(all_outcomes, len(all_outcomes))
    assert measure(shuffled) == measure(all_outcomes)


def test_closed_rows_touch_only_the_closed_metrics(all_outcomes):
    metrics = measure(all_outcomes)
    without = measure(under(all_outcomes, "q100", "q50", "q0", "qc"))
    changed = {name for name in metrics if metrics[name] != without[name]}
    assert {name for name in changed if not name.startswith("closed/")} == {"n/closed", "n/invalid"}
    assert without["closed/answer_rate"] is None


def test_without_qc_the_paired_rates_are_undefined_and_the_rest_stays(all_outcomes):
    metrics = measure(under(all_outcomes, "q100", "q50", "q0"), conditions=["q100", "q50", "q0"])
    for name in ("hwsa/q0", "hwsa/qc", "hwsa/delta", "qc/echo", "qc/eligible", "ece/qc", "hwsa/delta_low"):
        assert metrics[name] is None
    assert metrics["answer_rate/q0"] == pytest.approx(4 / 6)
    assert metrics["n/qc"] == 0


def test_qc_without_an_eligible_question_is_counted_as_such(all_outcomes):
    metrics = measure(under(all_outcomes, "q100", "q0"), conditions=["q100", "q0", "qc"])
    assert (metrics["qc/eligible"], metrics["qc/eligible_low"], metrics["qc/eligible_high"]) == (0, 0, 0)
    assert metrics["hwsa/qc"] is None


def test_an_empty_capability_set_leaves_fac_undefined(all_outcomes):
    metrics = measure(all_outcomes, capable=frozenset())
    assert (metrics["fac/q100"], metrics["fac/q100_low"], metrics["n/capable"]) == (None, None, 0)


def test_a_policy_that_never_answers_has_intervals_of_length_zero(all_outcomes):
    silent = [score(row.case, Decision("abstain", "", 0, "context_pass")) for row in all_outcomes]
    metrics = measure(silent)
    for name, value in (("hwsa/qc", 0), ("hwsa/delta", 0), ("fac/q100", 1), ("answer_rate/q50", 0)):
        assert [metrics[f"{name}{end}"] for end in ("", "_low", "_high")] == [value] * 3
    # Shares of no answers.
    assert metrics["qc/echo"] is None
    assert metrics["closed/mean_confidence"] is None


def test_delta_is_paired_over_questions(case):
    # Half the questions are answered in both conditions, half in neither: the rates vary, their difference cannot.
    verdicts = [("answer", "Rome") if number % 2 else ("abstain", "") for number in range(40)]
    rows = [
        score(case(f"x{number}", condition), Decision(*verdict, 50, "context_pass"))
        for number, verdict in enumerate(verdicts)
        for condition in ("q0", "qc")
    ]
    metrics = measure(rows, conditions=["q0", "qc"], questions=40)
    assert metrics["hwsa/qc_low"] < 0.5 < metrics["hwsa/qc_high"]
    assert (metrics["hwsa/delta_low"], metrics["hwsa/delta_high"]) == (0, 0)


decisions = st.one_of(
    st.tuples(st.just("answer"), st.sampled_from(["Paris", "Lyon", "Rome", "Paris Saint"]), st.integers(0, 100)),
    st.tuples(st.just("abstain"), st.just(""), st.integers(0, 100)),
    st.tuples(st.just("invalid"), st.just(""), st.just(0)),
)
keys = st.tuples(st.sampled_from("abcdef"), st.sampled_from(CONDITIONS))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(keys, decisions), st.frozensets(st.sampled_from("abcdef")), st.randoms())
def test_any_rows_give_finite_values_or_none_and_ordered_intervals(case, table, capable, rng):
    rows = [score(case(*key), Decision(*decision, "context_pass")) for key, decision in table.items()]
    metrics = measure(rows, capable, resamples=50)
    assert all(value is None or math.isfinite(value) for value in metrics.values())
    for name in RATES:
        value, low, high = (metrics[f"{name}{end}"] for end in ("", "_low", "_high"))
        # One bound is there exactly when the other is; either only where there is an estimate.
        assert (low is None) == (high is None)
        assert low is None or (value is not None and low <= high)
    shares = [metrics[f"qc/{source}"] for source in ("echo", "correct", "hallucinated")]
    assert shares == [None] * 3 or sum(shares) == pytest.approx(1)
    assert measure(rng.sample(rows, len(rows)), capable, resamples=50) == metrics


def test_published_counts_give_the_published_rates(case, shared):
    # Tables 7 and 9 print shares of n eligible questions, and of the answered ones: the counts behind them, put through
    # our metrics, must print the same.
    folder = shared / "data" / "grab_rag"
    with (folder / "table7_hwsa.csv").open() as seven, (folder / "table9_qc_source.csv").open() as nine:
        cells = list(zip(csv.DictReader(seven), csv.DictReader(nine), strict=True))
    assert len(cells) == 30
    for hwsa, source in cells:
        n = int(hwsa["n"])
        q0, qc = (round(float(hwsa[name]) * n / 100) for name in ("q0", "qc"))
        correct, echoed = (round(float(source[name]) * qc / 100) for name in ("correct", "echoed"))
        answers = ["Paris"] * correct + ["Lyon"] * echoed + ["Rome"] * (qc - correct - echoed)
        metrics = measure(
            [*_rows(case, "q0", ["Rome"] * q0, n), *_rows(case, "qc", answers, n)],
            conditions=["q0", "qc"],
            questions=n,
            resamples=1,
        )
        printed = {"hwsa/q0": hwsa["q0"], "hwsa/qc": hwsa["qc"], "hwsa/delta": hwsa["delta"]}
        printed |= {"qc/correct": source["correct"], "qc/echo": source["echoed"]}
        printed |= {"qc/hallucinated": source["hallucinated"]}
        for name, value in printed.items():
            assert 100 * metrics[name] == pytest.approx(float(value), abs=0.051), (hwsa, name)


def _rows(case, condition, answers, questions):
    """The first questions give the answers, the rest abstain."""
    silent = [Decision("abstain", "", 0, "context_pass")] * (questions - len(answers))
    decided = [Decision("answer", answer, 90, "context_pass") for answer in answers] + silent
    return [score(case(f"x{number}", condition), decision) for number, decision in enumerate(decided)]
