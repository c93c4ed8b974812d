"""One process at a time makes the tables of a database that several want to use for the first time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from abstain.urls import sqlite_file

_NUMBER = 0x61627374
"""The advisory lock that we take in a PostgreSQL database; any number that others are unlikely to take."""


@contextmanager
def schema_lock(url: str) -> Iterator[None]:
    """Hold the lock of a database by its SQLAlchemy URL: a file beside a SQLite file, an advisory lock in PostgreSQL.

    Other URLs (an MLflow server, SQLite in memory) need none. Makes the folder of a SQLite file.
    """
    from filelock import FileLock
    from sqlalchemy import create_engine, text
    from sqlalchemy.engine import make_url
    from sqlalchemy.pool import NullPool

    if file := sqlite_file(url):
        file.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{file}.lock"):
            yield
    elif make_url(url).get_backend_name() == "postgresql":
        with create_engine(url, poolclass=NullPool).connect() as connection:
            connection.execute(text(f"SELECT pg_advisory_lock({_NUMBER})"))
            yield  # closing the connection frees the lock
    else:
        yield
