"""How long scoring a full GRAB-RAG grid takes: all metrics with intervals, and both threshold sweeps.

Thirty cells of synthetic responses (three models x NQ and HotpotQA with the paper's eligible questions x five
policies), 52,980 context rows and 500 closed rows a cell. Prints JSON. Run: python benchmarks/scoring.py
"""

from __future__ import annotations

import json
import random
import resource
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from abstain.policies.base import Evidence, Thresholds, as_said
from abstain.policies.single_pass import SinglePass
from abstain.policies.two_pass import ConflictCheck, ContradictionCheck
from abstain.rows import Case, Question, Response, ScoredRow, Swap
from abstain.scoring.cell import cell_metrics
from abstain.scoring.outcome import score
from abstain.scoring.sweeps import sweep

QUESTIONS = 500
ELIGIBLE = {"nq": 202, "hotpotqa": 330}
CONDITIONS = ("q100", "q50", "q0", "qc", "closed")
THRESHOLDS = Thresholds(0.8, 50, (0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1), (0, 20, 40, 50, 60, 80))
Policy = SinglePass | ConflictCheck | ContradictionCheck
POLICIES: tuple[Policy, ...] = (
    SinglePass(name="p0", prompt="p0"),
    SinglePass(name="p1", prompt="p1"),
    SinglePass(name="p2", prompt="p2"),
    ConflictCheck(name="p3", prompt="p1"),
    ContradictionCheck(name="p4", prompt="p1"),
)


def main() -> None:
    """Time the grid stage by stage."""
    grid = [(policy, _cell(eligible, number)) for number, (policy, eligible) in enumerate(_slots())]
    begun = time.process_time()
    seconds = dict.fromkeys(("score", "metrics", "sweeps"), 0.0)
    counts = {"cells": len(grid), "rows": 0, "sweep_points": 0}
    for policy, cell in grid:
        start = time.perf_counter()
        rows = _decide(policy, cell, THRESHOLDS)
        capable = {row.case.question.id for row in rows if row.case.condition == "q100" and row.exact_match}
        scored = time.perf_counter()
        cell_metrics(
            rows, capable, conditions=CONDITIONS, questions=QUESTIONS, truncated=0, context_cut=0, planted_cut=0
        )
        measured = time.perf_counter()
        counts["sweep_points"] += _sweeps(policy, cell, capable)
        swept = time.perf_counter()
        counts["rows"] += len(rows)
        seconds["score"] += scored - start
        seconds["metrics"] += measured - scored
        seconds["sweeps"] += swept - measured
    report = {
        **counts,
        **{f"{stage}_seconds": round(value, 2) for stage, value in seconds.items()},
        "total_seconds": round(sum(seconds.values()), 2),
        "cpu_seconds": round(time.process_time() - begun, 2),
        "peak_megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    print(json.dumps(report, indent=2))


def _slots() -> Iterator[tuple[Policy, int]]:
    for _model in range(3):
        for eligible in ELIGIBLE.values():
            for policy in POLICIES:
                yield policy, eligible


def _cell(eligible: int, seed: int) -> list[tuple[Case, Evidence]]:
    rng = random.Random(seed)
    words = [
        f"{a}{b}" for a in ("mar", "tel", "ost", "vin", "kal", "ber") for b in ("ano", "ford", "isk", "well", "eau")
    ]
    rows = []
    for number in range(QUESTIONS):
        names = [" ".join(rng.sample(words, rng.randint(1, 3))) for _ in range(4)]
        question = Question(f"q{number:03}", number, "Who?", (names[0], names[0].title(), names[1]), ("",))
        closed = _response(rng, names)
        swap = Swap("", "", names[0], names[2], names[2], "entity", "PERSON", ())
        for condition in CONDITIONS:
            if condition != "qc" or number < eligible:
                case = Case(question, condition, (), swap if condition == "qc" else None)
                labels = tuple(rng.choices(("neutral", "contradiction"), (9, 1), k=5))
                context = closed if condition == "closed" else _response(rng, names)
                rows.append((case, Evidence(context, closed, labels)))
    return rows


def _response(rng: random.Random, names: Sequence[str]) -> Response:
    if rng.random() < 0.01:
        return Response("", False, "", "", 0, "", "", "length", 0, 0, 0.0)
    decision = rng.choice(("answer", "answer", "abstain"))
    answer = rng.choice(names) if decision == "answer" else ""
    # All 101 values of the confidence: the most groups that AURC can meet.
    return Response("", True, decision, answer, rng.randint(0, 100), "", "", "complete", 0, 0, 0.0)


def _decide(policy: Policy, cell: Sequence[tuple[Case, Evidence]], thresholds: Thresholds) -> list[ScoredRow]:
    return [
        score(case, as_said(shown.context) if case.condition == "closed" else policy.decide(shown, thresholds))
        for case, shown in cell
    ]


def _sweeps(policy: Policy, cell: Sequence[tuple[Case, Evidence]], capable: set[str]) -> int:
    def decide_f1(value: float) -> list[ScoredRow]:
        return _decide(policy, cell, replace(THRESHOLDS, f1=value))

    def decide_confidence(value: float) -> list[ScoredRow]:
        return _decide(policy, cell, replace(THRESHOLDS, confidence=value))

    swept = []
    if isinstance(policy, ConflictCheck):
        swept.append((decide_f1, THRESHOLDS.sweep_f1))
    if policy.needs_closed:
        swept.append((decide_confidence, THRESHOLDS.sweep_confidence))
    return sum(
        len(sweep(decide, values, capable, conditions=CONDITIONS, questions=QUESTIONS)) for decide, values in swept
    )


if __name__ == "__main__":
    main()
