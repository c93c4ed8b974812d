"""Every metric of one GRAB-RAG cell, with its interval, by the name it is logged under (DESIGN 4)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set

import numpy as np

from abstain.rows import ScoredRow
from abstain.scoring.abstention import CLOSED, CONTEXTS, Booleans, Columns, Rate, rates
from abstain.scoring.calibration import ece, ece_mean
from abstain.scoring.inference import Floats, bootstrap_ratios, percentile_interval, resampled_sums
from abstain.scoring.selective import aurc, aurc_of_groups, confidence_groups

Metrics = dict[str, float | None]
"""Metric name -> value; None where it is undefined."""


def cell_metrics(
    rows: Sequence[ScoredRow],
    capable: Set[str],
    *,
    conditions: Sequence[str],
    questions: int,
    truncated: int,
    context_cut: int,
    planted_cut: int,
    resamples: int = 10_000,
    seed: int = 42,
) -> Metrics:
    """Compute all metrics of a cell; every name is always there, None where it is undefined.

    Rates and AURC have 95% percentile intervals, ``_low`` and ``_high``, from one paired bootstrap over questions. ECE
    has none: resampling adds noise to each bin, and ECE takes noise for miscalibration, so the interval would lie too
    high.

    Parameters
    ----------
    rows : sequence of ScoredRow
        The rows that were asked, in any order; no (question, condition) twice.
    capable : set of str
        Ids of the capability set: the questions that p1 answers correctly at q100.
    conditions : sequence of str
        The conditions that were chosen; of qc only some questions may have rows.
    questions : int
        Number of questions of the run.
    truncated, context_cut, planted_cut : int
        Replies at the token limit, contexts over the cap, and qc contexts whose planted answer the cap removed.
    resamples, seed : int
        Of the bootstrap.
    """
    columns = Columns.of(rows, capable)
    made = rates(columns, conditions, questions)
    lows, highs = percentile_interval(_replicates(columns, made, questions, resamples, seed))
    metrics: dict[str, float] = {}
    for (name, value), low, high in zip(_estimates(columns, made).items(), lows.tolist(), highs.tolist(), strict=True):
        metrics |= {name: value, f"{name}_low": low, f"{name}_high": high}
    metrics |= _calibration(columns)
    metrics |= {f"n/{condition}": float(columns.under(condition).sum()) for condition in (*CONTEXTS, CLOSED)}
    metrics |= {
        "n/invalid": float((~columns.answered & ~columns.abstained).sum()),
        "n/truncated": float(truncated),
        "n/context_cut": float(context_cut),
        "n/qc_planted_cut": float(planted_cut),
        "n/capable": float(len(capable)),
    }
    return _defined(metrics)


def point_estimates(columns: Columns, conditions: Sequence[str], questions: int) -> Metrics:
    """The metrics of a cell that a policy's thresholds can move, without intervals."""
    estimates = _estimates(columns, rates(columns, conditions, questions))
    fixed = {name for name in estimates if name.startswith(f"{CLOSED}/")} | {"qc/eligible"}
    return _defined({name: value for name, value in estimates.items() if name not in fixed})


def _estimates(columns: Columns, made: Mapping[str, Rate]) -> dict[str, float]:
    """HwSA's delta, the rates and AURC; `_replicates` has its columns in the same order."""
    pooled = _pooled(columns)
    return {
        "hwsa/delta": made["hwsa/qc"].value - made["hwsa/q0"].value,
        **{name: rate.value for name, rate in made.items()},
        "aurc": aurc(columns.right[pooled], columns.confidence[pooled]) if pooled.any() else math.nan,
    }


def _replicates(columns: Columns, made: Mapping[str, Rate], questions: int, resamples: int, seed: int) -> Floats:
    names = list(made)
    ratios = bootstrap_ratios(
        np.column_stack([rate.numerator for rate in made.values()]),
        np.column_stack([rate.denominator for rate in made.values()]),
        resamples=resamples,
        seed=seed,
    )
    delta = ratios[:, names.index("hwsa/qc")] - ratios[:, names.index("hwsa/q0")]
    return np.column_stack([delta, ratios, _aurc_replicates(columns, questions, resamples, seed)])


def _aurc_replicates(columns: Columns, questions: int, resamples: int, seed: int) -> Floats:
    pooled = _pooled(columns)
    if not pooled.any():
        return np.full(resamples, np.nan)
    group = confidence_groups(columns.confidence[pooled])
    groups = int(group.max()) + 1
    slot = columns.question[pooled] * groups + group

    def table(weights: Floats) -> Floats:
        sums = np.bincount(slot, weights=weights, minlength=questions * groups)
        return sums.astype(float).reshape(questions, groups)

    right = columns.right[pooled]
    counted = np.hstack([table(np.ones(len(right))), table((~right).astype(float))])
    sums = resampled_sums(counted, resamples=resamples, seed=seed)
    # In pieces that fit the processor's cache: three times as fast as all resamples at once.
    pieces = np.array_split(sums, max(1, resamples // 500))
    return np.concatenate([aurc_of_groups(*np.hsplit(piece, 2)) for piece in pieces])


def _pooled(columns: Columns) -> Booleans:
    """The rows that AURC ranks together; closed book has no right behaviour."""
    return ~columns.under(CLOSED)


def _calibration(columns: Columns) -> dict[str, float]:
    metrics = {}
    for name, error in (("ece", ece), ("ece_mean", ece_mean)):
        for condition in CONTEXTS:
            rows = columns.under(condition)
            metrics[f"{name}/{condition}"] = (
                error(columns.right[rows], columns.confidence[rows]) if rows.any() else math.nan
            )
    return metrics


def _defined(metrics: Mapping[str, float]) -> Metrics:
    return {name: None if math.isnan(value) else value for name, value in metrics.items()}
