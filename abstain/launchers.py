"""What a Hydra launcher means for its jobs: how many of them share this machine at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from abstain.cpus import available_cpus
from abstain.errors import AbstainError


def jobs_at_once(launcher: Mapping[str, Any], jobs: int) -> int:
    """How many of `jobs` jobs run at the same time on the CPUs of one machine, at least 1.

    `launcher` is the node `hydra.launcher`. Hydra's basic launcher runs one after another, and a Slurm job has CPUs of
    its own, which its affinity shows. Raises AbstainError where joblib is given no worker.
    """
    kind = str(launcher["_target_"])
    workers = 1
    if kind.endswith(".JoblibLauncher"):
        workers = int(launcher["n_jobs"])
        if workers == 0:
            raise AbstainError("hydra.launcher.n_jobs=0: give at least 1, or -1 for a job on each CPU")
        if workers < 0:  # joblib counts down from all CPUs: -1 is every one, -2 all but one
            workers += available_cpus() + 1
    elif kind.endswith("submitit_launcher.LocalLauncher"):
        workers = jobs
    return max(1, min(workers, jobs))
