"""task=report: the papers' tables and figures from logged runs, on one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf
from rich.console import Console

from abstain import __version__
from abstain.assemble import construct
from abstain.checks import leaves
from abstain.errors import AbstainError
from abstain.report import arctic, grab_rag
from abstain.report.cells import SETTING, Cell, Grid, grids
from abstain.report.collect import Selection, complete, parent_of, select
from abstain.report.names import named
from abstain.report.page import Section, write
from abstain.report.responses import read_tiers
from abstain.report.sections import arctic_section, grab_rag_section
from abstain.report.terminal import rich_table
from abstain.rows import ARCTIC_ABSTAIN, GRAB_RAG
from abstain.tracking import Tracker


@dataclass(frozen=True)
class Report:
    """Select runs, make the tables and figures, write the page, log it under the sweep.

    `name` is the folder below ``<root>/reports``; `experiment` is the one that is tracked to unless given; `sweep_id`
    and `tags` narrow the runs down; `audit` is a filled audit of misleading passages (CSV).
    """

    name: str = "latest"
    experiment: str | None = None
    sweep_id: str | None = None
    tags: Mapping[str, Any] = field(default_factory=dict)
    audit: str | None = None
    tracked: bool = False

    def __post_init__(self) -> None:
        if self.name in ("", ".", "..") or set(self.name) & set("/\\"):
            raise AbstainError(f"task.name={self.name}: give the name of one folder, without / or \\")

    def __call__(self, config: DictConfig) -> None:
        """Report on the selected runs; the rest of `config` says where they are, and which setting is the main one."""
        tiers = read_tiers(self.audit) if self.audit else {}
        tracker: Tracker = construct(config.tracking)
        tracker = replace(tracker, experiment=self.experiment or tracker.experiment)
        selection = Selection(self.sweep_id, {key: str(value) for key, value in self.tags.items()})
        cells = select(tracker, selection)
        named_cells, preferred = named(cells), _preferred(config)
        by_benchmark = {
            benchmark: _completed(
                tracker, grids([cell for cell in named_cells if cell.benchmark == benchmark], preferred), tiers
            )
            for benchmark in (GRAB_RAG, ARCTIC_ABSTAIN)
        }
        folder = Path(config.paths.root).absolute() / "reports" / self.name
        page = write(folder, _heading(tracker, selection, cells), _sections(by_benchmark))
        parent = parent_of(tracker, cells)
        if parent is not None:
            tracker.log_artifacts(parent, folder)
        _print(by_benchmark, page, logged=parent is not None)


def _preferred(config: DictConfig) -> dict[str, str]:
    """The command line's setting, as MLflow would record it."""
    groups = {group: OmegaConf.to_container(config[group], resolve=True) for group in SETTING}
    return {key: str(value) for key, value in leaves(groups).items()}


def _completed(tracker: Tracker, found: list[Grid], tiers: Mapping[str, Mapping[str, str]]) -> list[Grid]:
    """The grids of one benchmark; only the main one needs its cells' rows."""
    return [complete(tracker, grid, tiers) for grid in found[:1]] + found[1:]


def _sections(by_benchmark: Mapping[str, list[Grid]]) -> list[Section]:
    makers = {GRAB_RAG: grab_rag_section, ARCTIC_ABSTAIN: arctic_section}
    return [makers[benchmark](found) for benchmark, found in by_benchmark.items() if found]


def _heading(tracker: Tracker, selection: Selection, cells: Sequence[Cell]) -> dict[str, str]:
    runs = [datetime.fromtimestamp(cell.started / 1000, UTC) for cell in cells]
    return {
        "title": "When models abstain",
        "Experiment": tracker.experiment,
        "Runs": f"{len(cells)}: the newest finished run of each cell"
        + (f", with {selection}" if str(selection) else ""),
        "Started": f"{min(runs):%Y-%m-%d %H:%M} to {max(runs):%Y-%m-%d %H:%M} UTC",
        "Made": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC by abstain {__version__}",
    }


def _print(by_benchmark: Mapping[str, list[Grid]], page: Path, logged: bool) -> None:
    short = {GRAB_RAG: (grab_rag.policies,), ARCTIC_ABSTAIN: (arctic.shift, arctic.metrics)}
    console = Console() if Console().is_terminal else Console(width=200)
    for benchmark, found in by_benchmark.items():
        for table in short[benchmark] if found else ():
            console.print(rich_table(table(found[0])))
    console.print(
        "The report is here" + (", and among the artifacts of its sweep's run:" if logged else ":"), style="bold"
    )
    console.print(f"  {page}", soft_wrap=True, highlight=False, markup=False)
