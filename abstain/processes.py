"""Which process a run belongs to, so that a run whose process has died can be told from one that is still going."""

from __future__ import annotations

import os
import platform
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path


def identity(pid: int | None = None) -> dict[str, str]:
    """Tags that name a process of this machine (our own by default): host, pid, and when it started."""
    number = os.getpid() if pid is None else pid
    return {"host": platform.node(), "pid": str(number), "pid.started": _started(number)}


def is_dead(tags: Mapping[str, str]) -> bool:
    """Whether the process that left these tags ran on this machine and no longer does.

    A process of another machine is never called dead: nobody here can know.
    """
    if tags.get("host") != platform.node() or not tags.get("pid", "").isdecimal():
        return False
    pid = int(tags["pid"])
    # A number is used again for another process, which started at another time.
    return not _exists(pid) or tags.get("pid.started", "") != _started(pid)


def stop(tags: Sequence[Mapping[str, str]], patience: float = 20.0) -> None:
    """Ask the other processes of this machine that left these tags to end, and wait until they have.

    `patience` is how many seconds; what goes on for longer is left alone.
    """
    here = [mine for mine in tags if mine.get("host") == platform.node() and mine.get("pid", "").isdecimal()]
    others = [mine for mine in here if int(mine["pid"]) != os.getpid() and not is_dead(mine)]
    for mine in others:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(int(mine["pid"]), signal.SIGTERM)
    end = time.monotonic() + patience
    while time.monotonic() < end and not all(map(is_dead, others)):
        time.sleep(0.1)


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _started(pid: int) -> str:
    """Clock ticks from boot to the start of a process; empty for a zombie, and where there is no /proc."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    # The second field, the name in parentheses, may hold spaces: count from its end.
    state, *others = status.rpartition(")")[2].split()
    return "" if state == "Z" else others[18]
