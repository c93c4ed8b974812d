"""Logged runs become cells: the newest FINISHED run of each full identity, however many runs there are."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from abstain.errors import AbstainError
from abstain.manifest import IDENTITY, PLUMBING
from abstain.report.cells import Cell, Curve, Grid
from abstain.report.responses import COLUMNS, Tiers, facts
from abstain.rows import GRAB_RAG
from abstain.scoring.choice import ScoredChoice
from abstain.tracking import Tracker
from abstain.urls import without_passwords

_TAGS = ("benchmark", "dataset", "model", "policy")
_CHOICE_COLUMNS = ("item_id", "condition", "trial", "outcome")
_SWEEPS = ("sweep_f1", "sweep_confidence")


@dataclass(frozen=True)
class Selection:
    """Which runs a report is about: all of an experiment, those of one sweep, those with some tags."""

    sweep_id: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def filter(self) -> str:
        """As a filter of MLflow."""
        wanted = {"kind": "cell"} | ({"sweep_id": self.sweep_id} if self.sweep_id else {}) | dict(self.tags)
        clauses = [f"tags.`{key}` = {_quoted(key, str(value))}" for key, value in wanted.items()]
        return " and ".join(["attributes.status = 'FINISHED'", *clauses])

    def __str__(self) -> str:
        parts = ([f"sweep_id={self.sweep_id}"] if self.sweep_id else []) + [f"{k}={v}" for k, v in self.tags.items()]
        return ", ".join(parts)


def select(tracker: Tracker, selection: Selection) -> list[Cell]:
    """The cells of the selected runs, with their metrics; rows and sweeps are read by `complete`.

    Raises AbstainError when no run matches.
    """
    runs = tracker.runs(selection.filter)
    if not runs:
        chosen = f" with {selection}" if str(selection) else ""
        raise AbstainError(
            f"no FINISHED run{chosen} in the experiment {tracker.experiment!r} of {without_passwords(tracker.uri)}; "
            "make some (abstain -m policy=p0,p1) or choose others (task.sweep_id=, +task.tags.KEY=, task.experiment= "
            f"one of {', '.join(tracker.experiments())})"
        )
    return newest(_cell(run) for run in runs)


def newest(cells: Iterable[Cell]) -> list[Cell]:
    """The newest cell of each identity; a run without the tag of its identity stands for itself.

    Model, data set and policy are looked at too, because replayed models share one config.
    """
    found: dict[tuple[str, ...], Cell] = {}
    for cell in sorted(cells, key=lambda cell: cell.started, reverse=True):
        found.setdefault((cell.identity or cell.run_id, cell.model, cell.dataset, cell.policy), cell)
    return list(found.values())


def complete(tracker: Tracker, grid: Grid, tiers: Tiers) -> Grid:
    """The grid with the counts over each cell's rows and its sweep curves, read from the artifacts.

    `tiers` are of the raw names of data sets, so they go by the run, not by the label.
    """
    with tempfile.TemporaryDirectory() as folder:
        cells = {slot: _with_artifacts(tracker, cell, tiers, Path(folder)) for slot, cell in grid.cells.items()}
    return replace(grid, cells=cells)


def parent_of(tracker: Tracker, cells: Sequence[Cell]) -> str | None:
    """The id of the run above the cells, None unless they are of one sweep."""
    sweeps = {cell.sweep_id for cell in cells}
    if len(sweeps) != 1 or "" in sweeps:
        return None
    parents = tracker.runs(f"tags.kind = 'sweep' and tags.sweep_id = {_quoted('sweep_id', sweeps.pop())}")
    return str(parents[0].info.run_id) if parents else None


def _cell(run: Any) -> Cell:
    tags = run.data.tags
    lacking = [tag for tag in _TAGS if tag not in tags]
    if lacking:
        raise AbstainError(f"run {run.info.run_id} is no cell of abstain: it has no tag {', '.join(lacking)}")
    return Cell(
        run_id=run.info.run_id,
        sweep_id=tags.get("sweep_id", ""),
        identity=tags.get("config_sha256", ""),
        started=run.info.start_time,
        **{tag: tags[tag] for tag in _TAGS},
        params={key: value for key, value in run.data.params.items() if _is_identity(key)},
        metrics=run.data.metrics,
    )


def _is_identity(key: str) -> bool:
    group, _, name = key.partition(".")
    return group in IDENTITY and name not in PLUMBING


def _with_artifacts(tracker: Tracker, cell: Cell, tiers: Tiers, folder: Path) -> Cell:
    from pyarrow import ArrowInvalid

    try:
        return _read_artifacts(tracker, cell, tiers, folder)
    except FileNotFoundError as error:
        return replace(cell, lost=str(error))
    except ArrowInvalid as error:
        return replace(cell, lost=f"responses.parquet of run {cell.run_id} ({str(error).splitlines()[0]})")


def _read_artifacts(tracker: Tracker, cell: Cell, tiers: Tiers, folder: Path) -> Cell:
    responses = tracker.artifact(cell.run_id, "responses.parquet", folder)
    if cell.benchmark != GRAB_RAG:
        rows = _read_parquet(responses, _CHOICE_COLUMNS)
        return replace(
            cell, choices=tuple(ScoredChoice(r["item_id"], r["condition"], r["trial"], r["outcome"]) for r in rows)
        )
    dataset = cell.params.get("dataset.name", cell.dataset)
    sweeps = [name for name in _SWEEPS if any(metric.startswith(f"{name}/") for metric in cell.metrics)]
    return replace(
        cell,
        facts=facts(_read_parquet(responses, COLUMNS), tiers.get(dataset, {})),
        curves={name: _read_curve(tracker.artifact(cell.run_id, f"sweeps/{name}.csv", folder)) for name in sweeps},
    )


def _read_parquet(file: Path, columns: Sequence[str]) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    rows: list[dict[str, Any]] = pq.read_table(file, columns=list(columns)).to_pylist()
    return rows


def _read_curve(file: Path) -> Curve:
    with file.open(encoding="utf-8", newline="") as lines:
        return {
            float(row.pop("threshold")): {name: float(value) for name, value in row.items() if value}
            for row in csv.DictReader(lines)
        }


def _quoted(key: str, value: str) -> str:
    """A string of MLflow's filter language, which knows no escapes."""
    for quote in ("'", '"'):
        if quote not in value:
            return f"{quote}{value}{quote}"
    raise AbstainError(f"task.tags.{key}={value}: MLflow cannot search for a value with both kinds of quotes")
