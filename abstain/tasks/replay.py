"""task=replay: metrics, runs and a report from responses that were recorded elsewhere; no model is called."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from omegaconf import DictConfig

from abstain.assemble import construct
from abstain.conditions.choice import CONDITIONS
from abstain.errors import AbstainError
from abstain.replay import Recorded, read_recorded
from abstain.replay_rows import RecordedCell, is_cell, read_cell
from abstain.rows import ARCTIC_ABSTAIN, GRAB_RAG
from abstain.scoring.cell import cell_metrics
from abstain.scoring.choice import across_models, choice_metrics, holm_across
from abstain.tasks.report import Report
from abstain.tasks.responses import write_parquet
from abstain.tracking import Tracker


@dataclass(frozen=True)
class ReplayedRun:
    """One run to log: what it is called, its tags, metrics and rows."""

    name: str
    tags: Mapping[str, str]
    metrics: Mapping[str, float | None]
    records: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Replay:
    """Read recorded responses and log each model as a run under one parent, then report on them.

    `path` is a CSV or JSONL file of multiple-choice responses (docs/replay.md), or the `responses.parquet` of any run;
    `name` is the folder of the report.
    """

    path: str
    name: str = "replay"
    tracked: bool = False

    def __call__(self, config: DictConfig) -> None:
        """Replay the file; the config only says where to log and to report."""
        file = Path(self.path)
        found, overall = _cell(file) if is_cell(file) else _choices(file)
        tracker: Tracker = construct(config.tracking)
        sweep_id = f"replay/{_sha256(file)[:16]}"
        parent = tracker.open_parent(sweep_id)
        status = "FAILED"
        try:
            for replayed in found:
                _log(tracker, replayed, sweep_id, parent)
            tracker.add_metrics(parent, overall)
            status = "FINISHED"
        finally:
            tracker.close_parent(parent, status)
        Report(name=self.name, sweep_id=sweep_id)(config)


def _choices(file: Path) -> tuple[list[ReplayedRun], Mapping[str, float | None]]:
    """A run a model, Holm's correction over the models of the file, and the shift over all of them."""
    recorded = read_recorded(file)
    metrics = {model.model: choice_metrics(model.rows) for model in recorded}
    holm = holm_across(metrics)
    found = [
        ReplayedRun(
            name=f"{model.model} {file.stem} replay",
            tags=_tags(file, ARCTIC_ABSTAIN, model.model, file.stem, "mcq") | {"conditions": ",".join(CONDITIONS)},
            metrics={**metrics[model.model], **holm[model.model], "n/incomplete": len(model.incomplete)},
            records=_choice_records(model),
        )
        for model in recorded
    ]
    return found, across_models({model.model: model.rows for model in recorded})


def _cell(file: Path) -> tuple[list[ReplayedRun], Mapping[str, float | None]]:
    """The one GRAB-RAG cell of a `responses.parquet`, scored again."""
    cell: RecordedCell = read_cell(file)
    metrics = cell_metrics(
        cell.rows,
        cell.capable,
        conditions=cell.conditions,
        questions=cell.questions,
        truncated=cell.truncated,
        context_cut=cell.context_cut,
        planted_cut=cell.planted_cut,
    )
    tags = _tags(file, GRAB_RAG, cell.model, cell.dataset, cell.policy) | {
        "conditions": ",".join(cell.conditions),
        "seed": str(cell.seed),
        "thresholds.f1": str(cell.threshold_f1),
        "thresholds.confidence": str(cell.threshold_confidence),
    }
    return [ReplayedRun(f"{cell.model} {cell.dataset} {cell.policy} replay", tags, metrics, cell.records)], {}


def _choice_records(model: Recorded) -> list[dict[str, Any]]:
    return [
        {"item_id": row.item_id, "condition": row.condition, "trial": row.trial, "outcome": row.code}
        for row in model.rows
    ]


def _log(tracker: Tracker, replayed: ReplayedRun, sweep_id: str, parent: str) -> None:
    tags = {**replayed.tags, "sweep_id": sweep_id}
    with tracker.run(replayed.name, tags, {}, parent) as logged, TemporaryDirectory() as folder:
        write_parquet(replayed.records, Path(folder) / "responses.parquet")
        (Path(folder) / "metrics.json").write_text(json.dumps(dict(replayed.metrics), indent=1), encoding="utf-8")
        logged.log(replayed.metrics, [], Path(folder))


def _tags(file: Path, benchmark: str, model: str, dataset: str, policy: str) -> dict[str, str]:
    return {
        "benchmark": benchmark,
        "dataset": dataset,
        "model": model,
        "policy": policy,
        "config_sha256": _sha256(file),
        "replayed": str(file),
    }


def _sha256(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise AbstainError(f"task.path={file}: {error.strerror}") from error
