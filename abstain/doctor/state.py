"""The store of responses and the database of runs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from abstain.doctor.finding import Finding, Verdict
from abstain.store import Store
from abstain.tracking import Tracker
from abstain.urls import sqlite_file, without_passwords

_NETWORK = {"nfs", "nfs4", "cifs", "smb3", "lustre", "gpfs", "beegfs", "ceph", "9p", "fuse.sshfs"}
"""File systems on which the locks of SQLite cannot be relied on."""


def store(kept: Store) -> list[Finding]:
    """Whether the store is sound, and what it holds."""
    file = sqlite_file(kept.url)
    if file and not file.exists():
        return [Finding("store", Verdict.OK, f"none yet at {file}; the first run makes it")]
    if damage := kept.damage():
        todo = f"move it away or put a copy back (what is missing is made again): {damage}"
        return [Finding("store", Verdict.FAIL, f"{without_passwords(kept.url)} is damaged", todo)]
    holdings = kept.holdings()
    rows = sum(held.responses for held in holdings)
    found = f"{rows} responses of {len(holdings)} models at {file or without_passwords(kept.url)}"
    return [Finding("store", Verdict.OK, found), *_on_network("store.url", file)]


def tracking(tracker: Tracker) -> list[Finding]:
    """Whether runs can be logged; runs whose process died are ended here as KILLED."""
    file = sqlite_file(tracker.uri)
    if file and not file.exists():
        return [Finding("runs", Verdict.OK, f"none yet at {file}; the first run makes it")]
    dead = tracker.end_dead_runs()
    counts = Counter(run.info.status for run in tracker.runs())
    found = ", ".join(f"{count} {status}" for status, count in sorted(counts.items())) or "none"
    findings = [Finding("runs", Verdict.OK, f"{found} in {tracker.experiment} at {without_passwords(tracker.uri)}")]
    if dead:
        found = f"{len(dead)} had died without a word and are marked as KILLED now"
        findings.append(Finding("dead runs", Verdict.NOTE, found, "run their commands again: finished rows are kept"))
    return findings + _on_network("tracking.uri", file)


def _on_network(key: str, file: Path | None) -> list[Finding]:
    kind = _filesystem(file) if file else ""
    if kind not in _NETWORK:
        return []
    todo = f"fine for one process; for jobs on several machines give a PostgreSQL URL as {key}"
    return [Finding(key, Verdict.NOTE, f"{file} is on {kind}, where SQLite's locks are not reliable", todo)]


def _filesystem(file: Path) -> str:
    """The type of the file system that a file is on; empty where the system does not tell."""
    try:
        mounts = Path("/proc/mounts").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    points = {Path(fields[1]): fields[2] for fields in (line.split() for line in mounts)}
    return next((points[folder] for folder in file.absolute().parents if folder in points), "")
