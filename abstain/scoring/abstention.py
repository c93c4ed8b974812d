"""The rates of GRAB-RAG as sums over questions: who answered, when they should have, and when not (GRAB-RAG 3.5).

Each rate is a ratio of two sums over questions: the form that the paired bootstrap needs, and one definition for the
estimate and its interval.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from abstain.rows import Outcome, ScoredRow

CONTEXTS = ("q100", "q50", "q0", "qc")
"""The conditions with a context, in the paper's order."""

CLOSED = "closed"

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True)
class Rate:
    """What each question adds to a rate: arrays of shape (n_questions,)."""

    numerator: Floats
    denominator: Floats

    @property
    def value(self) -> float:
        """The rate over all questions, NaN when nothing is in its denominator."""
        total = self.denominator.sum()
        return float(self.numerator.sum() / total) if total else float("nan")


@dataclass(frozen=True)
class Columns:
    """The rows of a cell as arrays of shape (n_rows,)."""

    question: NDArray[np.int64]
    """Place of the row's question among the questions sorted by id."""
    condition: NDArray[np.str_]
    outcome: NDArray[np.str_]
    answered: Booleans
    abstained: Booleans
    """An invalid row neither answered nor abstained."""
    exact_match: Booleans
    f1: Floats
    confidence: NDArray[np.int64]
    capable: Booleans
    """Whether the row's question is in the capability set."""
    eligible: Booleans
    """Whether the row's question has a qc row."""

    @staticmethod
    def of(rows: Sequence[ScoredRow], capable: Set[str]) -> Columns:
        """Take the columns out of scored rows; `capable` holds the ids of the capability set."""
        ids = [row.case.question.id for row in rows]
        place = {id: number for number, id in enumerate(sorted(set(ids)))}
        eligible = {row.case.question.id for row in rows if row.case.condition == "qc"}
        verdicts = np.array([row.decision.verdict for row in rows], dtype=np.str_)
        return Columns(
            question=np.array([place[id] for id in ids], dtype=np.int64),
            condition=np.array([row.case.condition for row in rows], dtype=np.str_),
            outcome=np.array([row.outcome.value for row in rows], dtype=np.str_),
            answered=verdicts == "answer",
            abstained=verdicts == "abstain",
            exact_match=np.array([row.exact_match for row in rows], dtype=bool),
            f1=np.array([row.f1 for row in rows], dtype=float),
            confidence=np.array([row.decision.confidence for row in rows], dtype=np.int64),
            capable=np.array([id in capable for id in ids], dtype=bool),
            eligible=np.array([id in eligible for id in ids], dtype=bool),
        )

    @property
    def right(self) -> Booleans:
        """Whether the behaviour was right: a correct answer at q100 and q50, an abstention at q0 and qc."""
        return np.isin(self.outcome, [Outcome.CORRECT.value, Outcome.RIGHT_ABSTENTION.value])

    def under(self, condition: str) -> Booleans:
        """Which rows belong to a condition."""
        return np.asarray(self.condition == condition)


def rates(columns: Columns, conditions: Sequence[str], questions: int) -> dict[str, Rate]:
    """Every rate by metric name, in a fixed order; what was not run, or applies to no row, has an empty denominator.

    Parameters
    ----------
    columns : Columns
        The rows of a cell.
    conditions : sequence of str
        The conditions that were chosen.
    questions : int
        Number of questions of the run, those without a row included.

    Returns
    -------
    dict of Rate
        All in 0..1 but ``closed/mean_confidence``, 0..100. Best 0: ``hwsa``, ``fac``.
    """
    q100, q50, q0, qc = (columns.under(condition) for condition in CONTEXTS)
    answered_qc = qc & columns.answered
    closed = columns.under(CLOSED)
    counted_among: dict[str, tuple[ArrayLike, Booleans]] = {
        # Any answer counts, one that overrides the context correctly too. q0 on the qc-eligible questions only, so that
        # both stand on the same questions.
        "hwsa/q0": (columns.answered, q0 & columns.eligible),
        "hwsa/qc": (columns.answered, qc),
        "fac/q100": (columns.abstained, q100 & columns.capable),
        "fac/q50": (columns.abstained, q50 & columns.capable),
        **{f"answer_rate/{condition}": (columns.answered, columns.under(condition)) for condition in CONTEXTS},
        **{f"em/{condition}": (columns.exact_match, columns.under(condition)) for condition in CONTEXTS},
        **{f"f1/{condition}": (columns.f1, columns.under(condition)) for condition in CONTEXTS},
        "qc/echo": (columns.outcome == Outcome.ECHO.value, answered_qc),
        "qc/correct": (columns.outcome == Outcome.CORRECT_OVERRIDE.value, answered_qc),
        "qc/hallucinated": (columns.outcome == Outcome.HALLUCINATION.value, answered_qc),
        "closed/answer_rate": (columns.answered, closed),
        "closed/em": (columns.exact_match, closed),
        "closed/mean_confidence": (columns.confidence, closed & columns.answered),
    }

    def by_question(values: ArrayLike) -> Floats:
        sums = np.bincount(columns.question, weights=np.asarray(values, dtype=float), minlength=questions)
        return sums.astype(float)

    made = {
        name: Rate(by_question(np.multiply(counted, among)), by_question(among))
        for name, (counted, among) in counted_among.items()
    }
    return made | {"qc/eligible": Rate(by_question(qc), np.full(questions, float("qc" in conditions)))}
