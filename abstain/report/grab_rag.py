"""GRAB-RAG's main results by cell and by policy. Pure: a grid of fractions in, tables of raw values out."""

from __future__ import annotations

from collections.abc import Sequence

from abstain.report.cells import Grid, difference, get
from abstain.report.table import Column, Interval, Kind, Mean, Table, Value, mean, present, text

CELL = (text("model", "Model"), text("dataset", "Data set"), text("policy", "Policy"))
CONDITIONS = ("q100", "q50", "q0", "qc")
PARTIAL = "(k/n) marks a mean over only k of n cells"
CELL_MEAN = f"plain means over the model × data set cells; {PARTIAL}"

_TRADE_OFF = (
    ("hwsa/qc", "HwSA qc ↓ (%)"),
    ("fac/q100", "FAC q100 ↓ (%)"),
    ("answer_rate/q100", "Answers q100 ↑ (%)"),
    ("fac/q50", "FAC q50 ↓ (%)"),
    ("answer_rate/q50", "Answers q50 ↑ (%)"),
    ("hwsa/q0", "HwSA q0 ↓ (%)"),
)
_TRADE_OFF_COLUMNS = tuple(Column(name.replace("/", "_"), title, Kind.PERCENT, Mean) for name, title in _TRADE_OFF)


def policies(grid: Grid) -> Table:
    """The policies' trade-off, macro-averaged over the model x data set cells (Table 2)."""
    return Table(
        "policies",
        "Policy trade-off (paper: Table 2)",
        f"Macro averages: {CELL_MEAN}. HwSA: answered although it should abstain (lower is safer). FAC: abstained on "
        "questions that the model answers correctly under p1 at q100 (lower is less utility lost). "
        "Answers: raw answer rate.",
        (CELL[2], *_TRADE_OFF_COLUMNS),
        tuple((policy, *_trade_off(grid, policy)) for policy in grid.policies),
    )


def settings(grids: Sequence[Grid]) -> Table:
    """The trade-off under every setting, where the selected runs have several."""
    rows: list[tuple[Value, ...]] = [
        (difference(grid.setting, grids[0].setting), policy, *_trade_off(grid, policy))
        for grid in grids
        for policy in grid.policies
    ]
    return Table(
        "settings",
        "Policy trade-off by setting",
        "The selected runs differ in more than model, data set and policy. The other tables and the figures show the "
        "main setting alone (the one with the most cells; of equal ones the command line's, else the newest), seed "
        f"sensitivity aside; this one shows every setting. Macro averages: {CELL_MEAN}.",
        (text("setting", "Setting"), CELL[2], *_TRADE_OFF_COLUMNS),
        tuple(rows) if len(grids) > 1 else (),
        needs="the selected runs share one setting",
    )


def hwsa(grid: Grid) -> Table:
    """How often each cell answers when it should abstain, and how much misleading context adds (Tables 1 and 7)."""
    return Table(
        "hwsa",
        "HwSA at q0 and qc by cell (paper: Tables 1 and 7)",
        "HwSA: share of questions answered where abstaining is right; both conditions on the n qc-eligible questions. "
        "Δ = HwSA qc − HwSA q0 in percentage points. 95% paired bootstrap intervals over questions.",
        (
            *CELL,
            Column("n", "n", Kind.COUNT),
            Column("hwsa_q0", "HwSA q0 (%) [95% CI]", Kind.PERCENT, Interval),
            Column("hwsa_qc", "HwSA qc (%) [95% CI]", Kind.PERCENT, Interval),
            Column("delta", "Δ (pp) [95% CI]", Kind.POINTS, Interval),
        ),
        _by_cell(grid, "n/qc", ("hwsa/q0", "hwsa/qc", "hwsa/delta")),
    )


def fac(grid: Grid) -> Table:
    """False abstention cost and answer rates of each cell (Table 8)."""
    measures = {
        "fac/q100": "FAC q100",
        "fac/q50": "FAC q50",
        "answer_rate/q100": "Answers q100",
        "answer_rate/q50": "Answers q50",
    }
    intervals = (
        Column(metric.replace("/", "_"), f"{title} (%) [95% CI]", Kind.PERCENT, Interval)
        for metric, title in measures.items()
    )
    return Table(
        "fac",
        "FAC and answer rates by cell (paper: Table 8)",
        "FAC: share of the n capable questions (correct under p1 at q100) on which the cell abstains. Answer rates are "
        "over all questions. 95% bootstrap intervals over questions.",
        (*CELL, Column("n_capable", "n capable", Kind.COUNT), *intervals),
        _by_cell(grid, "n/capable", tuple(measures)),
    )


def aurc(grid: Grid) -> Table:
    """Area under the risk-coverage curve of each cell (Table 10)."""
    return Table(
        "aurc",
        "AURC by cell (paper: Table 10)",
        "Area under the risk-coverage curve of the context rows, ranked by confidence; lower is better. "
        f"Last row: {CELL_MEAN}.",
        (*CELL[:2], *(Column(policy, policy, Kind.NUMBER, Mean) for policy in grid.policies)),
        tuple(
            (model, dataset, *(get(grid.at(model, dataset, policy), "aurc") for policy in grid.policies))
            for model in grid.models
            for dataset in grid.datasets
        ),
        (("Mean", "", *(mean(grid.values(policy, "aurc")) for policy in grid.policies)),),
    )


def ece(grid: Grid) -> Table:
    """Expected calibration error by policy and condition, in both forms (Table 11)."""
    measures = [
        (f"{form}/{condition}", f"{title} {condition}")
        for form, title in (("ece", "ECE"), ("ece_mean", "ECE*"))
        for condition in CONDITIONS
    ]
    return Table(
        "ece",
        "ECE by policy and condition (paper: Table 11)",
        f"Macro averages: {CELL_MEAN}. Ten equal-width bins; ECE compares a bin's accuracy with its midpoint (the "
        "paper's form), ECE* with its mean confidence. Lower is better.",
        (CELL[2], *(Column(name.replace("/", "_"), title, Kind.NUMBER, Mean) for name, title in measures)),
        tuple((policy, *(mean(grid.values(policy, name)) for name, _ in measures)) for policy in grid.policies),
    )


def closed_book(grid: Grid) -> Table:
    """What the models say without any passage (Appendix F); the same rows in every policy's cell."""
    rows: list[tuple[Value, ...]] = []
    for model in grid.models:
        for dataset in grid.datasets:
            cells = present(grid.at(model, dataset, policy) for policy in grid.policies)
            asked = [cell for cell in cells if "closed" in cell.facts.abstained]
            cell = asked[0] if asked else None
            abstained = cell.facts.abstained["closed"].rate if cell else None
            rows.append((model, dataset, abstained, get(cell, "closed/em"), get(cell, "closed/mean_confidence")))
    return Table(
        "closed_book",
        "Closed book by model and data set (paper: Appendix F)",
        "No passages are shown; every policy's cell holds the same rows, so they are counted once. Confidence: mean "
        f"over the answered rows, on the models' scale of 0 to 100. Last row: {CELL_MEAN}.",
        (
            *CELL[:2],
            Column("abstained", "Abstained (%)", Kind.PERCENT, Mean),
            Column("exact_match", "EM (%)", Kind.PERCENT, Mean),
            Column("confidence", "Confidence", Kind.CONFIDENCE, Mean),
        ),
        tuple(rows),
        (("Mean", "", *(mean(column) for column in zip(*(row[2:] for row in rows), strict=True))),),
    )


def _trade_off(grid: Grid, policy: str) -> tuple[Mean, ...]:
    return tuple(mean(grid.values(policy, metric)) for metric, _ in _TRADE_OFF)


def _by_cell(grid: Grid, count: str, metrics: Sequence[str]) -> tuple[tuple[Value, ...], ...]:
    """A row a slot: its labels, a count and intervals; a missing cell keeps its row."""
    return tuple(
        (*slot, cell.count(count), *(cell.interval(metric) for metric in metrics))
        if cell
        else (*slot, None, *(None for _ in metrics))
        for slot, cell in grid.slots()
    )
