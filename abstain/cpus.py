"""How many CPUs this process may use, in a container or a job of a cluster too."""

from __future__ import annotations

import os

JOBS_AT_ONCE = "ABSTAIN_JOBS_AT_ONCE"
"""Environment variable that tells the jobs of a sweep how many of them share the machine; none means one."""


def available_cpus() -> int:
    """CPUs by affinity where the system tells, else all of them; a job of a sweep gets its share, at least 1."""
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cpus // int(os.environ.get(JOBS_AT_ONCE, "1")))
