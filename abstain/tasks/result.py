"""What a benchmark hands back to the task that logs it."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from abstain.models.base import Model
from abstain.rows import QuestionSet
from abstain.scoring.sweeps import SweepPoint
from abstain.tasks.figures import sweep_figure
from abstain.tasks.sweeps import STEPS
from abstain.tracking import StepMetric


@dataclass(frozen=True)
class Result:
    """The metrics, sensitivity sweeps and response records of one cell."""

    metrics: Mapping[str, float | None]
    records: Sequence[Mapping[str, Any]]
    sweeps: Mapping[str, Sequence[SweepPoint]]
    """By the prefix of the logged names: ``sweep_f1``, ``sweep_confidence``."""
    read: Mapping[str, str]
    """What was read, by content: logged as tags, because a config may say no more than ``main``."""

    @property
    def steps(self) -> list[StepMetric]:
        """The sweeps as MLflow step metrics; undefined points are left out."""
        return [
            StepMetric(f"{name}/{metric}", value, round(point.threshold * STEPS[name]))
            for name, points in self.sweeps.items()
            for point in points
            for metric, value in point.metrics.items()
            if value is not None
        ]

    def write_sweeps(self, folder: Path) -> None:
        """Write each sweep as CSV and as a figure."""
        for name, points in self.sweeps.items():
            if points:
                folder.mkdir(parents=True, exist_ok=True)
                _write_csv(folder / f"{name}.csv", points)
                sweep_figure(folder / f"{name}.png", name, points)


def _write_csv(file: Path, points: Sequence[SweepPoint]) -> None:
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(["threshold", *points[0].metrics])
        for point in points:
            writer.writerow([point.threshold, *point.metrics.values()])


def provenance(questions: QuestionSet[Any], model: Model) -> dict[str, str]:
    """The content that was read, data and model, and what was left out while reading."""
    return {
        "dataset.source": questions.source,
        "dataset.dropped": json.dumps(dict(questions.dropped)),
        "model.sha256": model.fingerprint,
    }
