"""Versions, processors, memory and disks."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from abstain import __version__
from abstain.cpus import available_cpus
from abstain.doctor.finding import Finding, Verdict

_GIB = 2**30
_MIB = 2**20
_LITTLE_DISK = 2 * _GIB
_TOO_LITTLE_DISK = 100 * _MIB
_UPSERT = (3, 24, 0)
"""The first SQLite that knows ON CONFLICT DO NOTHING."""


def packages() -> list[Finding]:
    """The installed distributions beside what this one asks for, and which extras are complete."""
    own = metadata.metadata("abstain")
    declared = [Requirement(line) for line in metadata.requires("abstain") or ()]
    python = SpecifierSet(own["Requires-Python"] or "")
    found = [f"abstain {__version__}, Python {platform.python_version()}, {platform.platform()}"]
    wrong = [] if platform.python_version() in python else [f"python{python}"]
    wrong += [str(need) for need in declared if need.marker is None and not _is_met(need)]
    complete = [extra for extra in own.get_all("Provides-Extra") or () if _has_extra(declared, extra)]
    found.append(f"extras: {', '.join(complete) or 'none'}")
    if wrong:
        needs = " ".join(f"'{need}'" for need in wrong)
        return [Finding("packages", Verdict.FAIL, f"missing or too old: {', '.join(wrong)}", f"pip install {needs}")]
    return [Finding("packages", Verdict.OK, "; ".join(found))]


def _is_met(need: Requirement) -> bool:
    try:
        return need.specifier.contains(metadata.version(need.name), prereleases=True)
    except metadata.PackageNotFoundError:
        return False


def _has_extra(declared: Sequence[Requirement], extra: str) -> bool:
    return all(
        _is_met(need)
        for need in declared
        if need.marker is not None
        and not need.marker.evaluate({"extra": ""})
        and need.marker.evaluate({"extra": extra})
    )


def sqlite() -> list[Finding]:
    """The SQLite library that Python was built with."""
    if sqlite3.sqlite_version_info < _UPSERT:
        todo = f"use a Python with SQLite {'.'.join(map(str, _UPSERT))} or newer, or PostgreSQL for the store"
        return [Finding("SQLite", Verdict.FAIL, sqlite3.sqlite_version, todo)]
    return [Finding("SQLite", Verdict.OK, sqlite3.sqlite_version)]


def processors() -> list[Finding]:
    """CPUs that this process may use, and whether others are at work on them."""
    cpus = available_cpus()
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    found = f"{cpus} for this process, load {busy:.1f}"
    if busy > cpus / 2:
        return [
            Finding(
                "CPUs",
                Verdict.NOTE,
                found,
                "llama.cpp's threads wait for each other actively: beside other work give it fewer, model.n_threads=1",
            )
        ]
    return [Finding("CPUs", Verdict.OK, found)]


def memory() -> list[Finding]:
    """The machine's memory, where the system tells."""
    if "SC_AVPHYS_PAGES" not in getattr(os, "sysconf_names", {}):
        return []
    page = os.sysconf("SC_PAGE_SIZE")
    free, total = os.sysconf("SC_AVPHYS_PAGES") * page, os.sysconf("SC_PHYS_PAGES") * page
    return [Finding("memory", Verdict.OK, f"{total / _GIB:.1f} GiB, {free / _GIB:.1f} GiB of it unused")]


def disk(root: Path) -> list[Finding]:
    """Room for runs and for what the hub's models take."""
    hub = Path(os.environ.get("HF_HOME", Path.home() / ".cache" / "huggingface"))
    return [_room("disk of paths.root", root), _room("disk of the hub's cache", hub)]


def _room(what: str, folder: Path) -> Finding:
    free = shutil.disk_usage(existing(folder)).free
    found = f"{free / _GIB:.1f} GiB free at {folder}"
    if free < _TOO_LITTLE_DISK:
        return Finding(what, Verdict.FAIL, found, "make room")
    if free < _LITTLE_DISK:
        return Finding(what, Verdict.NOTE, found, "little for models from the hub: the smallest of them takes 2.5 GB")
    return Finding(what, Verdict.OK, found)


def existing(folder: Path) -> Path:
    """The folder, or its nearest parent that exists."""
    return next(place for place in (folder.absolute(), *folder.absolute().parents) if place.is_dir())
