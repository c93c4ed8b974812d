"""GRAB-RAG's closer look at the misleading condition: sources of the answers, eligibility, data sets, swap quality."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from abstain.report.cells import Cell, Grid, get
from abstain.report.grab_rag import CELL, PARTIAL
from abstain.report.responses import Share
from abstain.report.table import Column, Kind, Mean, Table, Value, mean, present, text

SOURCES = {"echo": "Echo", "hallucinated": "Hallucinated", "correct": "Correct"}
_NONE = Share(0, 0)
_SOURCE_COLUMNS = tuple(Column(name, f"{title} (%)", Kind.PERCENT) for name, title in SOURCES.items())


def sources(grid: Grid) -> Table:
    """What each cell says when it answers misleading context (Table 9)."""
    return Table(
        "qc_sources",
        "Sources of the qc answers by cell (paper: Table 9)",
        "Answered: share of the n qc-eligible questions. The others are shares of the answered rows, undefined where "
        "nothing was answered. Echo: the planted answer; correct: a gold answer all the same; hallucinated: neither.",
        (*CELL, Column("n", "n", Kind.COUNT), Column("answered", "Answered (%)", Kind.PERCENT), *_SOURCE_COLUMNS),
        tuple(
            (
                *slot,
                cell.count("n/qc") if cell else None,
                get(cell, "hwsa/qc"),
                *(get(cell, f"qc/{source}") for source in SOURCES),
            )
            for slot, cell in grid.slots()
        ),
    )


def sources_by_model(grid: Grid) -> Table:
    """The same, pooled over each model's cells and over all (Table 3)."""
    return Table(
        "qc_sources_by_model",
        "Sources of the qc answers by model (paper: Table 3)",
        "Pooled: the answered qc rows of a model's cells are added up over data sets and policies, and the shares are "
        "of that sum. Cells: how many of the cells that there should be went into it.",
        (text("model", "Model"), text("cells", "Cells"), Column("answers", "Answers", Kind.COUNT), *_SOURCE_COLUMNS),
        tuple((model, *_pooled(cell for slot, cell in grid.slots() if slot[0] == model)) for model in grid.models),
        (("All", *_pooled(cell for _, cell in grid.slots())),),
    )


def _pooled(cells: Iterable[Cell | None]) -> tuple[Value, ...]:
    listed = list(cells)
    added = [cell for cell in present(listed) if cell.get("hwsa/qc") is not None]
    answers = [round(cell.metrics["n/qc"] * cell.metrics["hwsa/qc"]) for cell in added]
    total = sum(answers)
    counts = (
        sum(round(n * (cell.get(f"qc/{source}") or 0)) for n, cell in zip(answers, added, strict=True))
        for source in SOURCES
    )
    shares = (count / total if total else None for count in counts)
    return (f"{len(added)} of {len(listed)}", total if added else None, *shares)


def eligibility(grid: Grid) -> Table:
    """Whether qc-eligible questions are easier: exact match at q100 on them and on the others (section 6)."""
    rows = [
        (slot, cell.facts.exact_eligible if cell else _NONE, cell.facts.exact_other if cell else _NONE)
        for slot, cell in grid.slots()
    ]
    gaps = {
        dataset: mean(_gap(eligible, other) for slot, eligible, other in rows if slot[1] == dataset)
        for dataset in grid.datasets
    }
    return Table(
        "qc_eligibility",
        "Exact match at q100: qc-eligible against other questions (paper: section 6)",
        "Recomputed from the stored rows. Gap: eligible − other, in percentage points. "
        f"Last rows: plain means over the cells of a data set, its policies included; {PARTIAL}.",
        (
            *CELL,
            Column("n_eligible", "n eligible", Kind.COUNT),
            Column("em_eligible", "EM eligible (%)", Kind.PERCENT),
            Column("n_other", "n other", Kind.COUNT),
            Column("em_other", "EM other (%)", Kind.PERCENT),
            Column("gap", "Gap (pp)", Kind.POINTS, Mean),
        ),
        tuple((*slot, *_counted(eligible), *_counted(other), _gap(eligible, other)) for slot, eligible, other in rows),
        tuple(("Mean", dataset, "", "", "", "", "", gap) for dataset, gap in gaps.items()),
    )


def _counted(share: Share) -> tuple[int | None, float | None]:
    return share.n or None, share.rate


def _gap(eligible: Share, other: Share) -> float | None:
    if eligible.rate is None or other.rate is None:
        return None
    return eligible.rate - other.rate


def abstention_by_dataset(grid: Grid) -> Table:
    """How often misleading context makes a model abstain, by data set (section 6)."""
    columns = tuple(Column(dataset, f"{dataset} (%)", Kind.PERCENT, Mean) for dataset in grid.datasets)
    return Table(
        "qc_abstention",
        "Abstention at qc by data set (paper: section 6)",
        "Share of the qc rows on which the cell abstains, averaged over policies, and in the last row over models too: "
        f"plain means; {PARTIAL}.",
        (text("model", "Model"), *columns),
        tuple(
            (model, *(mean(_abstained(grid, [model], dataset)) for dataset in grid.datasets)) for model in grid.models
        ),
        (("All", *(mean(_abstained(grid, grid.models, dataset)) for dataset in grid.datasets)),),
    )


def _abstained(grid: Grid, models: Sequence[str], dataset: str) -> list[float | None]:
    cells = (grid.at(model, dataset, policy) for model in models for policy in grid.policies)
    return [cell.facts.abstained.get("qc", _NONE).rate if cell else None for cell in cells]


def normalised(grid: Grid) -> Table:
    """HwSA at qc over the answer rate at q100: is a model safe, or does it just answer less (section 6)."""
    columns = tuple(Column(dataset, f"{dataset} (%)", Kind.PERCENT, Mean) for dataset in grid.datasets)
    rows: list[tuple[Value, ...]] = []
    for model in grid.models:
        answers = mean(get(grid.at(model, d, p), "answer_rate/q100") for d in grid.datasets for p in grid.policies)
        ratios = [_ratio(grid, model, dataset) for dataset in grid.datasets]
        rows.append((model, answers, *ratios, mean(ratio.value for ratio in ratios)))
    return Table(
        "hwsa_normalised",
        "HwSA at qc normalised by the answer rate at q100 (paper: section 6)",
        "Within a data set: mean HwSA qc over policies divided by mean answer rate at q100 over the same policies. "
        "Mean: over the data sets. Answers q100: plain mean over policies and data sets. (k/n): only k of n policies, "
        "data sets or cells are in it.",
        (
            text("model", "Model"),
            Column("answer_rate_q100", "Answers q100 (%)", Kind.PERCENT, Mean),
            *columns,
            Column("mean", "Mean (%)", Kind.PERCENT, Mean),
        ),
        tuple(rows),
    )


def _ratio(grid: Grid, model: str, dataset: str) -> Mean:
    cells = present(grid.at(model, dataset, policy) for policy in grid.policies)
    pairs = [(cell.get("hwsa/qc"), cell.get("answer_rate/q100")) for cell in cells]
    both = [(hwsa, answers) for hwsa, answers in pairs if hwsa is not None and answers is not None]
    answered = sum(answers for _, answers in both)
    ratio = sum(hwsa for hwsa, _ in both) / answered if answered else None
    return Mean(ratio, len(both), len(grid.policies))


@dataclass(frozen=True, slots=True)
class _Audited:
    """One cell on all its swaps and on the audited fluent and borderline ones."""

    n: int | None = None
    full: float | None = None
    n_kept: int | None = None
    kept: float | None = None
    sign_kept: int | None = None

    @staticmethod
    def of(cell: Cell | None) -> _Audited:
        if cell is None:
            return _Audited()
        q0, qc = (cell.facts.kept.get(condition, _NONE).rate for condition in ("q0", "qc"))
        delta = cell.get("hwsa/delta")
        sign = None if q0 is None or qc is None or delta is None else int(_sign(qc - q0) == _sign(delta))
        n_kept = cell.facts.kept["qc"].n if qc is not None else None
        return _Audited(cell.count("n/qc"), cell.get("hwsa/qc"), n_kept, qc, sign)

    @property
    def shift(self) -> float | None:
        return None if self.full is None or self.kept is None else self.kept - self.full


def audited(grid: Grid) -> Table:
    """HwSA at qc on all eligible questions beside the audited fluent and borderline ones (Table 6)."""
    found = [(slot, _Audited.of(cell)) for slot, cell in grid.slots()]
    audits = [audit for _, audit in found]
    signs = present(audit.sign_kept for audit in audits)
    return Table(
        "audited",
        "HwSA at qc: all swaps beside the fluent and borderline ones (paper: Table 6)",
        "F+B: the questions whose swap the audit calls fluent or borderline, recomputed from the stored rows. Sign "
        f"kept: 1 where HwSA qc − HwSA q0 has the same sign on both sets. Last row: plain means over all cells, signs "
        f"added up; {PARTIAL}.",
        (
            *CELL,
            Column("n_full", "n full", Kind.COUNT),
            Column("hwsa_full", "HwSA qc full (%)", Kind.PERCENT, Mean),
            Column("n_kept", "n F+B", Kind.COUNT),
            Column("hwsa_kept", "HwSA qc F+B (%)", Kind.PERCENT, Mean),
            Column("shift", "Shift (pp)", Kind.POINTS, Mean),
            Column("sign_kept", "Sign kept", Kind.COUNT),
        ),
        tuple((*slot, a.n, a.full, a.n_kept, a.kept, a.shift, a.sign_kept) for slot, a in found) if signs else (),
        (
            (
                *("Mean", "", "", ""),
                *(mean(a.full for a in audits), "", mean(a.kept for a in audits), mean(a.shift for a in audits)),
                sum(signs),
            ),
        )
        if signs
        else (),
        needs="a filled audit of these questions: task.audit=FILE.csv",
    )


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
