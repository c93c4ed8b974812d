"""What a report holds: for each benchmark its facts, figures and tables, in the order of the page."""

from __future__ import annotations

from collections.abc import Sequence

from abstain.report import arctic, figures, grab_rag, misleading, sensitivity
from abstain.report.cells import Grid, description, difference
from abstain.report.page import Drawing, Section
from abstain.report.runs import runs
from abstain.report.style import styled
from abstain.report.table import Table, present

_NAMED = 20
"""How many missing cells are named before the rest is only counted."""


def grab_rag_section(grids: Sequence[Grid]) -> Section:
    """GRAB-RAG; the first grid is the main setting and holds the counts over rows."""
    grid = grids[0]
    with styled():
        drawings = _grab_rag_drawings(grid)
    return Section("grab_rag", "GRAB-RAG", [*_coverage(grids), *_collapse(grid)], drawings, _grab_rag_tables(grids))


def arctic_section(grids: Sequence[Grid]) -> Section:
    """ArcticAbstain; the first grid is the main setting and holds the scored responses."""
    grid = grids[0]
    with styled():
        drawing = Drawing(
            "arctic_paired",
            "Paired abstention rates (paper: Figure 1)",
            "Each segment joins a model's abstention rates with the answer present and absent, pooled over the trials; "
            "the label is the shift, absent − present, in percentage points.",
            figures.paired_segments(grid),
        )
    tables = [
        arctic.shift(grid),
        arctic.metrics(grid),
        arctic.overall(grid),
        arctic.counts(grid),
        runs(grids, "arctic_runs", {}),
    ]
    return Section("arctic_abstain", "ArcticAbstain", _coverage(grids), [drawing], tables)


def _grab_rag_drawings(grid: Grid) -> list[Drawing]:
    return [
        Drawing(
            "abstention",
            "Abstention by condition (paper: Figure 2)",
            "Averaged over data sets, over all rows of a condition. Shaded: abstaining is right (q0, qc). Bands: "
            "95% bootstrap intervals over questions. No point where a data set's cell is missing.",
            figures.abstention(grid),
        ),
        Drawing(
            "safety_utility",
            "Safety against utility",
            "Large: each policy's plain mean over its cells, (k/n) over only k of n. Small: the cells. "
            "The best place is the lower right.",
            figures.safety_utility(grid),
        ),
        *(
            Drawing(
                name,
                f"Sensitivity to the {title}",
                f"Plain means over the policy's cells, (k/n) over only k of n{sensitivity.held(grid, name)}. Dashed: "
                "the value used in the other tables.",
                figures.thresholds(grid, name),
            )
            for name, title in sensitivity.CURVES.items()
        ),
    ]


def _grab_rag_tables(grids: Sequence[Grid]) -> list[Table]:
    grid = grids[0]
    return [
        grab_rag.policies(grid),
        grab_rag.hwsa(grid),
        misleading.sources_by_model(grid),
        misleading.sources(grid),
        grab_rag.fac(grid),
        grab_rag.aurc(grid),
        grab_rag.ece(grid),
        *(sensitivity.sweep(grid, name) for name in sensitivity.CURVES),
        sensitivity.seeds(grids),
        misleading.audited(grid),
        misleading.eligibility(grid),
        misleading.normalised(grid),
        misleading.abstention_by_dataset(grid),
        grab_rag.closed_book(grid),
        grab_rag.settings(grids),
        runs(grids, "grab_rag_runs", {"context_cut": "Context cut", "qc_planted_cut": "Planted cut"}),
    ]


def _coverage(grids: Sequence[Grid]) -> list[str]:
    """What the tables are about, which cells are missing, and which runs are elsewhere."""
    grid = grids[0]
    shape = (
        f"{_number(len(grid.cells), 'cell')} of {_number(len(grid.models), 'model')}, "
        f"{_number(len(grid.datasets), 'data set')} and {_number(len(grid.policies), 'policy', 'policies')}"
    )
    facts = [f"{shape}. Setting: {description(grid.setting)}."]
    if grid.missing:
        named = "; ".join(" ".join(slot) for slot in grid.missing[:_NAMED])
        more = f"; and {len(grid.missing) - _NAMED} more" if len(grid.missing) > _NAMED else ""
        facts.append(f"{_number(len(grid.missing), 'missing cell')}, shown as —: {named}{more}.")
    if grids[1:]:
        others = "; ".join(
            f"{difference(g.setting, grid.setting)} ({_number(len(g.cells), 'cell')})" for g in grids[1:]
        )
        facts.append(f"Other settings, not in the tables below unless they say so: {others}.")
    undefined = sum(cell.get("n/capable") == 0 for cell in grid.cells.values())
    if undefined:
        facts.append(
            f"FAC is undefined in {_number(undefined, 'cell')}: no question there is answered right at q100 under p1."
        )
    lost = [cell.lost for cell in grid.cells.values() if cell.lost]
    if lost:
        facts.append(f"What is counted over rows is missing where these could not be read: {'; '.join(lost)}.")
    return facts


def _collapse(grid: Grid) -> list[str]:
    """How many cells answer more under misleading than under missing context, and for how many that is certain."""
    deltas = present(cell.interval("hwsa/delta") for cell in grid.cells.values())
    if not deltas:
        return []
    up = sum(delta.value > 0 for delta in deltas)
    certain = sum(delta.low is not None and delta.low > 0 for delta in deltas)
    return [
        f"Misleading context raises the answer rate over missing context in {up} of {len(deltas)} cells; "
        f"in {certain} of them the 95% interval of Δ lies above zero."
    ]


def _number(count: int, one: str, many: str | None = None) -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"
