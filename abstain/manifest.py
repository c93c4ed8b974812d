"""The list of a sweep's jobs, written by the sweeper and read by each job, whatever process it runs in."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

VARIABLE = "ABSTAIN_MANIFEST"
"""Environment variable that leads a job to its sweep's manifest; it reaches the workers of every launcher."""

IDENTITY = ("dataset", "condition", "model", "policy", "thresholds", "seed", "retriever", "ner", "nli")
"""The config groups that make a cell what it is; the others say where things are kept."""

PLUMBING = frozenset({"hash_memory", "cache_dir", "n_threads", "concurrency", "max_retries", "timeout", "api_key_env"})
"""Keys inside those groups that say where things are kept or how fast they go, and change no result."""

SHARED = ("dataset", "condition", "model", "seed", "retriever", "ner")
"""Jobs that agree on these groups ask the same model about the same cases."""


@dataclass(frozen=True)
class Job:
    """One job of a sweep: its number, its overrides as they may be shown, and the config groups of its cell."""

    number: int
    overrides: list[str]
    config: dict[str, Any]


@dataclass(frozen=True)
class Manifest:
    """A sweep: its id, the MLflow run above its jobs, the jobs, and how many of them run at the same time."""

    sweep_id: str
    parent_run_id: str | None
    jobs: list[Job]
    jobs_at_once: int = 1

    def write(self, file: Path) -> None:
        """Write atomically as JSON."""
        temporary = file.with_suffix(".tmp")
        temporary.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")
        temporary.replace(file)

    def siblings(self, config: Mapping[str, Any]) -> list[Job]:
        """The jobs that ask the same model about the same cases as `config`, under other policies."""
        return [
            job
            for job in self.jobs
            if job.config["policy"] != config["policy"] and identity(job.config, SHARED) == identity(config, SHARED)
        ]


def current() -> Manifest | None:
    """The manifest of the sweep that this process works for, None outside a sweep."""
    file = os.environ.get(VARIABLE)
    if not file:
        return None
    content = json.loads(Path(file).read_text(encoding="utf-8"))
    return Manifest(**{**content, "jobs": [Job(**job) for job in content["jobs"]]})


def identity_sha256(config: Mapping[str, Any]) -> str:
    """The hash of what makes a cell what it is; equal cells have equal hashes wherever they ran."""
    return hashlib.sha256(json.dumps(identity(config, IDENTITY), sort_keys=True).encode()).hexdigest()


def identity(config: Mapping[str, Any], groups: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What some groups of a resolved config say about the cell."""
    return {group: {key: value for key, value in config[group].items() if key not in PLUMBING} for group in groups}
