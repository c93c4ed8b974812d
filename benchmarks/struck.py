"""The run that `benchmarks/faults.py` strikes, and how it is judged afterwards."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

RUN = [
    "condition.names=[q100,q0]",
    "retriever=bm25",
    "model.max_tokens=12",
    "model.n_threads=1",
    "dataset.limit=4",
]


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    output: str

    @property
    def line(self) -> str:
        """The last thing it said, without Hydra's hint at the traceback."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip() and "HYDRA_FULL_ERROR" not in line]
        return lines[-1] if lines else ""


@dataclass
class Fault:
    """One fault and what came of it."""

    name: str
    tries: int = 0
    lost: int = 0
    """Stored responses that were gone, or made twice, afterwards."""
    wrong: list[str] = field(default_factory=list)
    """What did not end as it should have."""
    shown: str = ""
    """What the user read, once."""

    def expect(self, holds: bool, what: str) -> None:
        """Note `what` unless it holds."""
        if not holds:
            self.wrong.append(what)


class Place:
    """A folder in which the same run is started again and again."""

    def __init__(self, root: Path, *overrides: str) -> None:
        self.root = root
        self.store = root / ".abstain" / "responses.db"
        self._overrides = overrides

    def start(self, *more: str) -> subprocess.Popen[str]:
        """Start the run."""
        command = [sys.executable, "-m", "abstain", f"paths.root={self.root}", *RUN, *self._overrides, *more]
        environment = {**os.environ, "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1"}
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.root, env=environment
        )

    def run(self, *more: str) -> Ended:
        """Run it to its end."""
        return ended(self.start(*more))

    def rows(self) -> set[str]:
        """The keys of the stored responses."""
        if not self.store.exists():
            return set()
        with contextlib.closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as database:
            try:
                return {key for (key,) in database.execute("SELECT key FROM responses")}
            except sqlite3.OperationalError:  # not yet a table
                return set()

    def wait_for_rows(self, process: subprocess.Popen[str], count: int) -> bool:
        """Wait until so many responses are stored; False if the run ended before."""
        while process.poll() is None:
            if len(self.rows()) >= count:
                return True
            time.sleep(0.02)
        return False

    def metrics(self) -> dict[str, float]:
        """The metrics of the newest run that wrote any."""
        newest = max(self.root.glob("multirun/**/metrics.json"), key=lambda file: file.stat().st_mtime)
        read: dict[str, float] = json.loads(newest.read_text(encoding="utf-8"))
        return read

    def statuses(self) -> list[str]:
        """The MLflow status of every run in this folder's database, oldest first."""
        with contextlib.closing(sqlite3.connect(self.root / "mlruns" / "mlflow.db")) as database:
            return [status for (status,) in database.execute("SELECT status FROM runs ORDER BY start_time")]


def ended(process: subprocess.Popen[str]) -> Ended:
    """Wait for a process and read what it said."""
    output, _ = process.communicate(timeout=600)
    return Ended(process.returncode, output)


def science(metrics: dict[str, float]) -> dict[str, float]:
    """The metrics without what a run cost."""
    return {name: value for name, value in metrics.items() if not name.startswith("cost/")}


class Bench:
    """The reference run, and the checks after a fault."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        place = self.place("reference")
        done = place.run()
        if done.code:
            raise SystemExit(f"the reference run failed:\n{done.output}")
        self.metrics = science(place.metrics())
        self.keys = place.rows()

    def place(self, name: str, *overrides: str) -> Place:
        """A fresh folder."""
        root = self._folder / name
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        return Place(root, *overrides)

    def check_kept(self, fault: Fault, place: Place, before: set[str]) -> None:
        """What was stored before a fault must still be there."""
        fault.lost += len(before - place.rows())

    def check_second_try(self, fault: Fault, place: Place, *more: str) -> None:
        """Run again, with nothing in the way."""
        kept = place.rows()
        again = place.run(*more)
        fault.expect(again.code == 0, f"second try: {again.line}")
        if again.code == 0:
            metrics = place.metrics()
            made_twice = int(metrics["cost/generated"]) - len(self.keys - kept)
            fault.lost += max(made_twice, 0)
            fault.expect(place.rows() == self.keys, "second try: other rows than the reference run's")
            fault.expect(science(metrics) == self.metrics, "second try: other metrics than the reference run's")
