"""A real PostgreSQL server on loopback, for the tests that share a store or runs by URL."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PASSWORD = "s3cret-of-the-tests"


class Server:
    """A running server; `database` makes a fresh database and returns its URL."""

    def __init__(self, port: int, user: str) -> None:
        self._authority = f"{user}:{PASSWORD}@127.0.0.1:{port}"

    def database(self) -> str:
        """The SQLAlchemy URL of a new, empty database."""
        import psycopg

        name = f"t{uuid.uuid4().hex}"
        with psycopg.connect(f"postgresql://{self._authority}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql+psycopg://{self._authority}/{name}"


@contextmanager
def running() -> Iterator[Server]:
    """Start a server in a folder of its own and stop it; skips where its programs or the driver are not installed."""
    program = shutil.which("postgres")
    if program is None:
        pytest.skip("PostgreSQL's server is not installed")
    pytest.importorskip("psycopg", reason="psycopg is not installed (extra `cluster`)")
    binaries = Path(program).resolve().parent
    # The server refuses to run as root.
    account = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp())
    owner = {"user": account.pw_uid, "group": account.pw_gid} if account else {}
    try:
        (folder / "password").write_text(PASSWORD)
        if account:
            for place in (folder, folder / "password"):
                os.chown(place, account.pw_uid, account.pw_gid)
        made = [str(binaries / "initdb"), "-D", str(folder / "data"), "-U", "tester", "-A", "scram-sha-256"]
        made += ["--pwfile", str(folder / "password"), "-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL, cwd=folder, **owner)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [str(binaries / "postgres"), "-D", str(folder / "data"), "-p", str(port), "-k", str(folder), "-F"]
        command += ["-c", "listen_addresses=127.0.0.1"]
        server = subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=folder, **owner)
        try:
            _wait_until_up(server, port)
            yield Server(port, "tester")
        finally:
            server.send_signal(signal.SIGINT)  # SIGTERM would wait for every client to leave
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait_until_up(server: subprocess.Popen[bytes], port: int) -> None:
    import psycopg

    deadline = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(f"postgresql://tester:{PASSWORD}@127.0.0.1:{port}/postgres").close()
        except psycopg.OperationalError:
            assert server.poll() is None and time.monotonic() < deadline, "the PostgreSQL server did not start"
            time.sleep(0.1)
        else:
            return
