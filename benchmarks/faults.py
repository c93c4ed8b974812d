"""What breaks a run from outside, done for real, and what is lost by it (nothing).

    python benchmarks/faults.py --kills 20

Each fault strikes a run of the embedded model on demo questions; then the same command runs again. After every fault:
each response that was stored is still there, the second try generates exactly the missing ones, and its metrics
(`cost/` aside) are those of a run that nothing struck. Prints one line a fault as it goes and JSON last; exits 1 if a
fault lost anything. The full and the read-only disk are small tmpfs mounts, so those two need root and are skipped
without it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from benchmarks.struck import Bench, Ended, Fault, Place, ended

NEED_ROOT = ("full", "readonly")
"""The faults that mount a small disk."""


def kill(bench: Bench, times: int) -> Fault:
    """SIGKILL after a random number of further rows, again and again until the run is through; then a fresh folder."""
    fault = Fault("kill -9 at a random row")
    drawn = random.Random(42)
    place, before = bench.place("kill-0"), set[str]()
    while fault.tries < times:
        process = place.start()
        if place.wait_for_rows(process, len(before) + drawn.randint(0, 3)):
            time.sleep(drawn.uniform(0, 0.5))
            before = place.rows()
            process.send_signal(signal.SIGKILL)
            fault.tries += 1
        ended(process)
        bench.check_kept(fault, place, before)
        if process.returncode == 0 or len(place.rows()) == len(bench.keys):
            bench.check_second_try(fault, place)
            place, before = bench.place(f"kill-{fault.tries}"), set()
    bench.check_second_try(fault, place)
    fault.expect("RUNNING" not in place.statuses(), f"killed runs are left as {place.statuses()}")
    return fault


def interrupt(bench: Bench, number: signal.Signals) -> Fault:
    """A signal that asks to end, in the middle of a run."""
    fault = Fault(number.name, tries=1)
    place = bench.place(number.name)
    process = place.start()
    place.wait_for_rows(process, 3)
    before = place.rows()
    process.send_signal(number)
    done = ended(process)
    fault.shown = done.line
    fault.expect(done.code == 128 + number, f"exit code {done.code}")
    fault.expect(place.statuses() == ["KILLED"], f"status {place.statuses()}")
    bench.check_kept(fault, place, before)
    bench.check_second_try(fault, place)
    return fault


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A tmpfs of two megabytes."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def full_disk(bench: Bench) -> Fault:
    """The store's disk has no room left in the middle of a run."""
    fault = Fault("full disk", tries=1)
    place = bench.place("full-disk")
    with small_disk(place.root / "disk") as disk:
        place.store = disk / "responses.db"
        url = f"store.url=sqlite:///{place.store}"
        process = place.start(url)
        place.wait_for_rows(process, 3)
        before = place.rows()
        filler = fill(disk)
        expect_refusal(fault, place, ended(process), ["FAILED"])
        filler.unlink()
        bench.check_kept(fault, place, before)
        bench.check_second_try(fault, place, url)
    return fault


def read_only_disk(bench: Bench) -> Fault:
    """The store's disk can only be read when an interrupted run is started again."""
    fault = Fault("read-only disk", tries=1)
    place = bench.place("read-only-disk")
    with small_disk(place.root / "disk") as disk:
        place.store = disk / "responses.db"
        url = f"store.url=sqlite:///{place.store}"
        process = place.start(url)
        place.wait_for_rows(process, 3)
        process.send_signal(signal.SIGTERM)
        ended(process)
        before = place.rows()
        remount(disk, "ro")
        expect_refusal(fault, place, place.run(url), ["KILLED", "FAILED"])
        remount(disk, "rw")
        bench.check_kept(fault, place, before)
        bench.check_second_try(fault, place, url)
    return fault


def expect_refusal(fault: Fault, place: Place, done: Ended, statuses: list[str]) -> None:
    """A run that could not use its store says so in one line, and MLflow knows how it ended."""
    fault.shown = done.line
    fault.expect(done.code == 1 and done.line.startswith("store.url="), f"exit code {done.code}: {done.line}")
    fault.expect(place.statuses() == statuses, f"statuses {place.statuses()}")


def fill(disk: Path) -> Path:
    """Leave no free byte; returns the file that took them."""
    filler = disk / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    return filler


def remount(disk: Path, how: str) -> None:
    """Make the disk read-only or writable."""
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)


def damage(bench: Bench, name: str, strike: Callable[[Path], None]) -> Fault:
    """The store's file is damaged between two runs; the user moves it away as the message says, or gets it back."""
    fault = Fault(name, tries=1)
    place = bench.place(name.replace(" ", "-"))
    place.run()
    before = place.rows()
    copy = place.root / "copy.db"
    with (
        contextlib.closing(sqlite3.connect(place.store)) as source,
        contextlib.closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)
    strike(place.store)
    done = place.run()
    expect_refusal(fault, place, done, ["FINISHED", "FAILED"])
    for part in place.store.parent.glob(f"{place.store.name}*"):
        part.unlink()
    shutil.copy(copy, place.store)
    bench.check_kept(fault, place, before)
    bench.check_second_try(fault, place)
    return fault


def damaged_runs(bench: Bench, name: str, strike: Callable[[Path], None]) -> Fault:
    """The file of MLflow's runs is damaged between two runs; the user moves it away as the message says."""
    fault = Fault(name, tries=1)
    place = bench.place(name.replace(" ", "-"))
    place.run()
    before = place.rows()
    runs = place.root / "mlruns" / "mlflow.db"
    strike(runs)
    done = place.run()
    fault.shown = done.line
    fault.expect(done.code == 1 and done.line.startswith("tracking.uri="), f"exit code {done.code}: {done.line}")
    runs.unlink()
    bench.check_kept(fault, place, before)
    bench.check_second_try(fault, place)
    fault.expect(place.statuses() == ["FINISHED"], f"statuses {place.statuses()}")
    return fault


def overwrite(store: Path) -> None:
    """Something else is written over the file's start."""
    with store.open("r+b") as file:
        file.write(b"not a database any more. " * 400)


def truncate(store: Path) -> None:
    """The file ends in the middle of a page."""
    os.truncate(store, store.stat().st_size // 2 + 100)


def lost_server(bench: Bench) -> Fault:
    """The MLflow server goes away in the middle of a run, and is there again for the second try."""
    fault = Fault("MLflow server goes away", tries=1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    place = bench.place("server", f"tracking.uri=http://127.0.0.1:{port}")
    server = serve(place.root, port)
    process = place.start()
    place.wait_for_rows(process, 3)
    before = place.rows()
    stop(server)
    done = ended(process)
    fault.shown = done.line
    fault.expect(done.code == 1 and "tracking.uri" in done.line, f"exit code {done.code}: {done.line}")
    bench.check_kept(fault, place, before)
    server = serve(place.root, port)
    bench.check_second_try(fault, place)
    fault.expect(place.statuses()[1:] == ["FINISHED"], f"statuses {place.statuses()}")
    fault.expect(place.statuses()[0] in ("FAILED", "KILLED"), f"statuses {place.statuses()}")
    stop(server)
    return fault


def serve(root: Path, port: int) -> subprocess.Popen[bytes]:
    """A real MLflow server on loopback, once it answers."""
    (root / "mlruns").mkdir(exist_ok=True)
    command = [sys.executable, "-m", "mlflow", "server", "--host", "127.0.0.1", "--port", str(port), "--workers", "1"]
    command += ["--backend-store-uri", f"sqlite:///{root}/mlruns/mlflow.db"]
    command += ["--artifacts-destination", str(root / "mlruns" / "artifacts")]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    while server.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return server
        time.sleep(0.2)
    raise SystemExit("the MLflow server did not start")


def stop(server: subprocess.Popen[bytes]) -> None:
    """End a server with its workers at once."""
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()


def main() -> None:
    """Strike, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--only", help="a regular expression: the faults to try")
    options = parser.parse_args()
    # Started in the background, this process ignores SIGINT, and so would the runs that it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        faults: dict[str, Callable[[], Fault]] = {
            "kill": lambda: kill(bench, options.kills),
            "sigterm": lambda: interrupt(bench, signal.SIGTERM),
            "sigint": lambda: interrupt(bench, signal.SIGINT),
            "full": lambda: full_disk(bench),
            "readonly": lambda: read_only_disk(bench),
            "overwritten": lambda: damage(bench, "overwritten store", overwrite),
            "truncated": lambda: damage(bench, "truncated store", truncate),
            "runs-overwritten": lambda: damaged_runs(bench, "overwritten runs", overwrite),
            "runs-truncated": lambda: damaged_runs(bench, "truncated runs", truncate),
            "server": lambda: lost_server(bench),
        }
        done = []
        for name, strike in faults.items():
            if name in NEED_ROOT and os.geteuid() != 0:
                print(f"{name}: skipped, mounting a tmpfs needs root", flush=True)
            elif re.search(options.only or "", name):
                done.append(strike())
                print(f"{done[-1].name}: {done[-1].tries} tries, {done[-1].lost} lost; {done[-1].shown}", flush=True)
                for wrong in done[-1].wrong:
                    print(f"  WRONG: {wrong}", flush=True)
    print(json.dumps([asdict(fault) for fault in done]))
    sys.exit(1 if any(fault.lost or fault.wrong for fault in done) else 0)


if __name__ == "__main__":
    main()
