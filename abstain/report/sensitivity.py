"""How far results depend on what was chosen: the verifiers' thresholds and the construction seed."""

from __future__ import annotations

from collections.abc import Sequence

from abstain.report.cells import Cell, Grid, Setting, get
from abstain.report.grab_rag import CELL, CELL_MEAN
from abstain.report.table import Column, Kind, Mean, Table, Value, mean, present, text

CURVES = {
    "sweep_f1": "F1 agreement threshold",
    "sweep_confidence": "closed-book confidence cutoff",
}
THRESHOLDS = {"sweep_f1": "thresholds.f1", "sweep_confidence": "thresholds.confidence"}
"""The config key that each sweep moves."""
CURVE_METRICS = {
    "hwsa/qc": "HwSA qc ↓",
    "fac/q100": "FAC q100 ↓",
    "answer_rate/q100": "Answers q100 ↑",
}


def sweep(grid: Grid, name: str) -> Table:
    """The verifier policies over a threshold, from the sweep that each such run logs (Table 12, Appendix F)."""
    title = CURVES[name]
    rows: list[tuple[Value, ...]] = [
        (policy, f"{threshold:g}", *(mean(values) for values in curve.values()))
        for policy in grid.policies
        for threshold, curve in macro_curve(grid, name, policy).items()
    ]
    source = "Table 12" if name == "sweep_f1" else "Appendix F"
    return Table(
        name,
        f"Sensitivity to the {title} (paper: {source})",
        f"Each verifier run decides again at every threshold from what is stored{held(grid, name)}. "
        f"Macro averages: {CELL_MEAN}.",
        (
            CELL[2],
            text("threshold", title[:1].upper() + title[1:]),
            *(
                Column(metric.replace("/", "_"), f"{head} (%)", Kind.PERCENT, Mean)
                for metric, head in CURVE_METRICS.items()
            ),
        ),
        tuple(rows),
        needs="a run of p3" + (" or p4" if name == "sweep_confidence" else ""),
    )


def held(grid: Grid, name: str) -> str:
    """The other threshold, which does not move in a sweep."""
    (other,) = CURVES.keys() - {name}
    value = dict(grid.setting).get(THRESHOLDS[other])
    return f", the {CURVES[other]} held at {float(value):g}" if value is not None else ""


def macro_curve(grid: Grid, name: str, policy: str) -> dict[float, dict[str, list[float | None]]]:
    """Threshold -> metric -> its values over the policy's cells; empty when no cell has the sweep."""
    cells = grid.of_policy(policy)
    curves = [cell.curves.get(name, {}) if cell else {} for cell in cells]
    thresholds = sorted({threshold for curve in curves for threshold in curve})
    return {
        threshold: {metric: [curve.get(threshold, {}).get(metric) for curve in curves] for metric in CURVE_METRICS}
        for threshold in thresholds
    }


def seeds(grids: Sequence[Grid]) -> Table:
    """Answer rates under different construction seeds, all else equal (Table 13)."""
    alike = [grid for grid in grids if _unseeded(grid) == _unseeded(grids[0])]
    by_seed = {_seed(grid): grid for grid in sorted(alike, key=_seed)}
    slots = dict.fromkeys(slot for grid in by_seed.values() for slot, _ in grid.slots())
    rows: list[tuple[Value, ...]] = []
    for slot in slots:
        cells = [grid.at(*slot) for grid in by_seed.values()]
        if len(present(cells)) > 1:
            rows += [(*slot, "q0", *_compared(cells, "answer_rate/q0")), (*slot, "qc", *_compared(cells, "hwsa/qc"))]
    return Table(
        "seeds",
        "Seed sensitivity (paper: Table 13)",
        "Answer rates under each construction seed, in the cells that were run under several: at q0 over all "
        "questions, at qc over the questions that are eligible under that seed. |Δ|: largest difference.",
        (
            *CELL,
            text("condition", "Condition"),
            *(Column(f"seed_{seed}", f"Seed {seed} (%)", Kind.FINE_PERCENT) for seed in by_seed),
            Column("largest_difference", "|Δ| (pp)", Kind.FINE_PERCENT),
        ),
        tuple(rows),
        needs="runs under two seeds: abstain -m seed=s42,s43",
    )


def _compared(cells: Sequence[Cell | None], metric: str) -> tuple[float | None, ...]:
    values = [get(cell, metric) for cell in cells]
    known = present(values)
    return (*values, max(known) - min(known) if len(known) > 1 else None)


def _seed(grid: Grid) -> str:
    return dict(grid.setting).get("seed.value", "")


def _unseeded(grid: Grid) -> Setting:
    return tuple(pair for pair in grid.setting if not pair[0].startswith("seed."))
