"""Threshold sweeps: what is stored is decided and scored again at each value (GRAB-RAG, Table 12 and Appendix F)."""

import pytest

from abstain.policies.base import Evidence, Thresholds, as_said
from abstain.policies.two_pass import ConflictCheck
from abstain.rows import Response
from abstain.scoring.cell import cell_metrics
from abstain.scoring.outcome import score
from abstain.scoring.sweeps import sweep

P3 = ConflictCheck(name="p3", prompt="p1")
CONDITIONS = ("q100", "q0", "qc", "closed")


def said(answer, confidence):
    return Response("", True, "answer" if answer else "abstain", answer, confidence, "", "", "complete", 0, 0, 0.0)


# question -> what is said without a context, at q100, at q0 and at qc. Gold is Paris, planted is Lyon.
SAID = {
    "a": (said("Paris", 90), said("Paris", 80), said("", 10), said("Lyon", 80)),
    # F1 of "Paris Saint" with "Paris": 2/3.
    "b": (said("Paris Saint", 60), said("Paris", 90), said("", 0), said("Lyon", 70)),
    # The closed book agrees with the planted answer.
    "c": (said("Lyon", 95), said("Paris", 70), said("Lyon", 30), said("Lyon", 95)),
    "d": (said("", 40), said("Paris", 60), said("", 0), said("Rome", 20)),
}


@pytest.fixture
def decide(case):
    """Score p3's decisions on the table under some thresholds."""

    def at(thresholds):
        rows = []
        for question, (closed, *contexts) in SAID.items():
            for condition, context in zip(CONDITIONS, contexts, strict=False):
                rows.append(score(case(question, condition), P3.decide(Evidence(context, closed), thresholds)))
            rows.append(score(case(question, "closed"), as_said(closed)))
        return rows

    return at


def run(decide, values, capable=frozenset("abcd")):
    return sweep(decide, values, capable, conditions=CONDITIONS, questions=4)


def test_f1_threshold_by_hand(decide):
    points = run(lambda f1: decide(Thresholds(f1=f1, confidence=50)), [0, 0.6, 0.7])
    assert [point.threshold for point in points] == [0, 0.6, 0.7]
    values = {name: [point.metrics[name] for point in points] for name in points[0].metrics}
    # At 0 any two answers agree: p3 is p1. From 0.6 on, c's answer at q100 and those of a and b at qc conflict; from
    # 0.7 b's at q100 too. d's closed book abstains, so d always answers; at q0 only c answers, and agrees.
    assert values["answer_rate/q100"] == [1, 3 / 4, 2 / 4]
    assert values["fac/q100"] == [0, 1 / 4, 2 / 4]
    assert values["hwsa/qc"] == [1, 2 / 4, 2 / 4]
    assert values["hwsa/q0"] == [1 / 4, 1 / 4, 1 / 4]
    assert values["hwsa/delta"] == [3 / 4, 1 / 4, 1 / 4]
    assert values["qc/echo"] == [3 / 4, 1 / 2, 1 / 2]


def test_confidence_cutoff_by_hand(decide):
    points = run(lambda cutoff: decide(Thresholds(f1=0.8, confidence=cutoff)), [0, 80, 100])
    # b's closed book (60) counts as unreliable from 80 on, all of them (at most 95) at 100: then p3 is p1.
    assert [point.metrics["answer_rate/q100"] for point in points] == [2 / 4, 3 / 4, 1]
    assert [point.metrics["hwsa/qc"] for point in points] == [2 / 4, 3 / 4, 1]


def test_a_point_of_the_sweep_is_the_metric_of_the_cell_at_that_threshold(decide):
    (point,) = run(lambda f1: decide(Thresholds(f1=f1, confidence=50)), [0.8])
    cell = cell_metrics(
        decide(Thresholds(f1=0.8, confidence=50)),
        frozenset("abcd"),
        conditions=CONDITIONS,
        questions=4,
        truncated=0,
        context_cut=0,
        planted_cut=0,
        resamples=10,
    )
    assert {name: cell[name] for name in point.metrics} == point.metrics
    assert {"hwsa/qc", "fac/q100", "answer_rate/q100", "aurc"} <= set(point.metrics)


def test_what_no_threshold_moves_is_left_out(decide):
    (point,) = run(lambda f1: decide(Thresholds(f1=f1, confidence=50)), [0.8])
    assert not [name for name in point.metrics if name.startswith(("closed/", "n/")) or name == "qc/eligible"]


def test_raising_the_f1_threshold_never_brings_an_answer_back(decide):
    points = run(lambda f1: decide(Thresholds(f1=f1, confidence=50)), [n / 20 for n in range(21)])
    for name in ("hwsa/qc", "answer_rate/q100"):
        values = [point.metrics[name] for point in points]
        assert values == sorted(values, reverse=True)


def test_no_thresholds_are_an_empty_table(decide):
    assert run(decide, []) == []
