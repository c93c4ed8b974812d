"""Sensitivity sweeps: the same stored evidence decided at other thresholds, scored again."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

from abstain.rows import ScoredRow
from abstain.scoring.abstention import Columns
from abstain.scoring.cell import Metrics, point_estimates


@dataclass(frozen=True)
class SweepPoint:
    """The metrics of a cell at one threshold, without intervals."""

    threshold: float
    metrics: Metrics


def sweep(
    decide: Callable[[float], Sequence[ScoredRow]],
    thresholds: Sequence[float],
    capable: Set[str],
    *,
    conditions: Sequence[str],
    questions: int,
) -> list[SweepPoint]:
    """Score what `decide` makes of each threshold (GRAB-RAG, Table 12 and Appendix F).

    Parameters
    ----------
    decide : callable
        Threshold -> the scored rows of the cell; decides over stored responses, calls no model.
    thresholds : sequence of float
        Of shape (n_points,).
    capable : set of str
        Ids of the capability set, which is p1's and does not move with the threshold.
    conditions, questions
        As in `cell_metrics`.

    Returns
    -------
    list of SweepPoint
        In the order of `thresholds`, with the same metric names in each.
    """
    return [
        SweepPoint(threshold, point_estimates(Columns.of(decide(threshold), capable), conditions, questions))
        for threshold in thresholds
    ]
