"""task=run: make and log every response and metric of one cell."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf

from abstain import manifest
from abstain.assemble import assemble, construct
from abstain.checks import leaves
from abstain.errors import AbstainError
from abstain.generate import ALONE, Turn
from abstain.manifest import Job, Manifest
from abstain.rows import GRAB_RAG
from abstain.sweep import SUMMARY
from abstain.tables import print_run
from abstain.tasks.figures import conditions_figure
from abstain.tasks.result import Result
from abstain.tracking import Tracker, finite
from abstain.urls import without_passwords

log = logging.getLogger("abstain.job")
"""Goes to the log file of the job alone: on the terminal Hydra or the sweep's table says what failed."""


@dataclass(frozen=True)
class Run:
    """Run one cell: construct, generate what is missing, decide, score, log."""

    tracked: bool = True

    def __call__(self, config: DictConfig) -> None:
        """Run the cell of `config` inside an MLflow run; its artifacts also stay in Hydra's output folder."""
        plain = OmegaConf.to_container(config, resolve=True)
        assert isinstance(plain, dict)
        resolved = {str(key): value for key, value in plain.items()}
        sweep = manifest.current()
        folder = Path(HydraConfig.get().runtime.output_dir)
        tracker: Tracker = construct(config.tracking)
        with _summary(folder) as summary:
            started = time.monotonic()
            parent = sweep.parent_run_id if sweep else None
            opened = tracker.run(_name(resolved), _tags(resolved, sweep), leaves(resolved), parent)
            with opened as logged, _no_exit():
                summary["run_id"] = logged.run_id
                result = _run_cell(config, sweep.siblings(resolved) if sweep else [], _turn(sweep))
                metrics = finite({**result.metrics, "cost/seconds": time.monotonic() - started})
                artifacts = _write(folder / "artifacts", config, result, metrics)
                logged.tag(result.read)
                logged.log(metrics, result.steps, artifacts)
            summary["metrics"] = metrics
        if sweep is None:
            print_run(_name(resolved), metrics, tracker.ui_command)


def _turn(sweep: Manifest | None) -> Turn:
    """Which of the jobs at work this one is."""
    if sweep is None or sweep.jobs_at_once == 1:
        return ALONE
    return Turn(HydraConfig.get().job.num % sweep.jobs_at_once, sweep.jobs_at_once)


def _run_cell(config: DictConfig, siblings: list[Job], turn: Turn) -> Result:
    parts = assemble(config)
    if parts.benchmark == GRAB_RAG:
        from abstain.tasks.run_grab_rag import run_grab_rag

        return run_grab_rag(parts, siblings, turn)
    from abstain.tasks.run_choice import run_choice

    return run_choice(parts, turn)


def _write(folder: Path, config: DictConfig, result: Result, metrics: dict[str, float | None]) -> Path:
    from abstain.tasks.responses import write_parquet

    folder.mkdir(parents=True, exist_ok=True)
    shown = without_passwords(OmegaConf.to_yaml(config, resolve=True))
    (folder / "config.yaml").write_text(shown, encoding="utf-8")
    (folder / "metrics.json").write_text(json.dumps(metrics, indent=1), encoding="utf-8")
    write_parquet(result.records, folder / "responses.parquet")
    result.write_sweeps(folder / "sweeps")
    conditions_figure(folder / "figures" / "answer_rate.png", metrics)
    return folder


@contextmanager
def _summary(folder: Path) -> Iterator[dict[str, Any]]:
    """Leave a line for the sweep's table, whatever happens to the job."""
    summary: dict[str, Any] = {"status": "FINISHED", "error": None, "run_id": None, "metrics": {}}
    try:
        yield summary
    except Exception as error:
        summary |= {"status": "FAILED", "error": without_passwords(f"{type(error).__name__}: {error}".splitlines()[0])}
        log.exception("the job failed")
        raise
    except BaseException:
        summary |= {"status": "KILLED", "error": "stopped by a signal"}
        raise
    finally:
        _leave(folder / SUMMARY, json.dumps(summary))


def _leave(file: Path, text: str) -> None:
    """Write a file whole or not at all; a full disk must not hide what the job itself has to say."""
    try:
        file.with_suffix(".tmp").write_text(text, encoding="utf-8")
        file.with_suffix(".tmp").replace(file)
    except OSError as error:
        print(f"{file}: not written ({error.strerror}); make room", file=sys.stderr)


@contextmanager
def _no_exit() -> Iterator[None]:
    """Turn a component's sys.exit into an error of its job, because Hydra would end the whole sweep on it."""
    try:
        yield
    except SystemExit as error:
        raise AbstainError(f"a component called sys.exit({error.code!r}); components raise errors instead") from error


def _name(config: dict[str, Any]) -> str:
    return f"{config['model']['name']} {config['dataset']['name']} {config['policy']['name']}"


def _tags(config: dict[str, Any], sweep: Manifest | None) -> dict[str, str]:
    """The tags of DESIGN 4; they group and find runs."""
    return {
        "benchmark": config["condition"]["benchmark"],
        "dataset": config["dataset"]["name"],
        "model": config["model"]["name"],
        "policy": config["policy"]["name"],
        "conditions": ",".join(config["condition"]["names"]),
        "seed": str(config["seed"]["value"]),
        "thresholds.f1": str(config["thresholds"]["f1"]),
        "thresholds.confidence": str(config["thresholds"]["confidence"]),
        "sweep_id": sweep.sweep_id if sweep else "",
        "config_sha256": manifest.identity_sha256(config),
    }
