"""A sweep from the outside: its manifest, the MLflow run above its jobs, and the table at its end."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from omegaconf import DictConfig, OmegaConf

from abstain.assemble import construct
from abstain.checks import check
from abstain.cpus import JOBS_AT_ONCE, available_cpus
from abstain.errors import AbstainError
from abstain.launchers import jobs_at_once
from abstain.manifest import IDENTITY, VARIABLE, Job, Manifest, identity
from abstain.roots import check_root
from abstain.tables import print_sweep
from abstain.urls import without_passwords

SUMMARY = "summary.json"
"""What each job leaves in its output folder: its status, and its metrics or its error."""


class Sweep:
    """A context manager around all jobs of one `abstain -m`, in the launching process."""

    def __init__(self, folder: Path, launcher: Mapping[str, Any]) -> None:
        self._folder = folder
        self._launcher = launcher
        self._environment: dict[str, str] = {}
        self._manifest = Manifest(sweep_id=f"{folder.parent.name}/{folder.name}", parent_run_id=None, jobs=[])
        self._first: DictConfig | None = None
        self._tracker: Any = None

    def __enter__(self) -> Sweep:
        return self

    def add(self, overrides: list[str], config: DictConfig) -> None:
        """Take a composed job into the manifest."""
        check(config)
        check_root(config.paths.root)
        resolved = OmegaConf.to_container(config, resolve=True)
        assert isinstance(resolved, dict)
        self._first = self._first or config
        cell = {group: resolved[group] for group in IDENTITY}
        shown = [without_passwords(override) for override in overrides]
        self._manifest.jobs.append(Job(len(self._manifest.jobs), shown, cell))

    def start(self) -> None:
        """Open the parent run if the jobs log any, and let the jobs know of each other."""
        assert self._first is not None
        if self._manifest.parent_run_id is None and self._first.task.get("tracked"):
            self._tracker = construct(self._first.tracking)
            parent = self._tracker.open_parent(self._manifest.sweep_id)
            self._manifest = replace(self._manifest, parent_run_id=parent)
        at_once = jobs_at_once(self._launcher, len(self._manifest.jobs))
        self._manifest = replace(self._manifest, jobs_at_once=at_once)
        file = self._folder / "manifest.json"
        self._manifest.write(file)
        self._let_jobs_know({VARIABLE: str(file), JOBS_AT_ONCE: str(at_once)})

    def _let_jobs_know(self, environment: dict[str, str]) -> None:
        """Set what the workers of every launcher inherit; jobs that run at once share the CPUs in other code too."""
        at_once = self._manifest.jobs_at_once
        if at_once > 1 and "OMP_NUM_THREADS" not in os.environ:
            environment["OMP_NUM_THREADS"] = str(max(1, available_cpus() // at_once))
        self._environment = environment
        os.environ.update(environment)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        for name in self._environment:
            os.environ.pop(name, None)
        if self._tracker is None or self._manifest.parent_run_id is None:
            return
        interrupted = kind is not None and not issubclass(kind, Exception)
        with _below(error):
            if interrupted:
                self._tracker.stop_jobs(self._manifest.sweep_id)
        summaries = [self._summary(job) for job in self._manifest.jobs]
        print_sweep(self._manifest.jobs, summaries, self._tracker.ui_command)
        finished = all(summary["status"] == "FINISHED" for summary in summaries)
        with _below(error):
            self._correct_for_models(summaries)
            status = "KILLED" if interrupted else "FINISHED" if finished else "FAILED"
            self._tracker.close_parent(self._manifest.parent_run_id, status)

    def _correct_for_models(self, summaries: list[dict[str, Any]]) -> None:
        """Log Holm's correction over the models of the sweep that were asked the same (ArcticAbstain 5.3)."""
        from abstain.scoring.choice import holm_across

        families: dict[str, dict[str, Any]] = {}
        for job, summary in zip(self._manifest.jobs, summaries, strict=True):
            if "abstention/p" in summary["metrics"]:
                asked = identity(job.config, [group for group in IDENTITY if group != "model"])
                families.setdefault(json.dumps(asked, sort_keys=True), {})[summary["run_id"]] = summary["metrics"]
        for family in families.values():
            for run_id, adjusted in holm_across(family).items():
                self._tracker.add_metrics(run_id, adjusted)

    def _summary(self, job: Job) -> dict[str, Any]:
        folder = self._folder / str(job.number)
        lost: dict[str, Any] = {"run_id": None, "metrics": {}}
        if not folder.exists():
            return {"status": "NOT RUN", "error": "it had not begun when the sweep ended", **lost}
        try:
            summary: dict[str, Any] = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            why = "it left no summary: its process died or works on alone, or the disk was full"
            return {"status": "LOST", "error": why, **lost}
        return summary


@contextmanager
def _below(first: BaseException | None) -> Iterator[None]:
    """Let what ended the sweep go before a complaint of MLflow, which has it for a reason."""
    try:
        yield
    except AbstainError:
        if first is None:
            raise
