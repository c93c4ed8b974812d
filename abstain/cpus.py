"""How many CPUs this process may use, in a container or a job of a cluster too."""

from __future__ import annotations

import os


def available_cpus() -> int:
    """CPUs by affinity where the system tells (Linux), else all of them."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
