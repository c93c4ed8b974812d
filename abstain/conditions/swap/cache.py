"""JSON texts by content key in one SQLite file: what was once computed from the same content is read back.

The first writer of a key wins; short transactions and a busy timeout let many processes share the file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from abstain.errors import AbstainError

_LOOKUP = 500
"""Keys per SELECT: below the bound on variables of every SQLite build."""
_WAIT = 60.0
"""Seconds to wait for another writer."""


@dataclass(frozen=True)
class ContentCache:
    """A cache in the file `path`, made on first use."""

    path: Path

    def find(self, keys: Iterable[str]) -> dict[str, str]:
        """The stored values among `keys`."""
        wanted = sorted(set(keys))
        found: dict[str, str] = {}
        with self._connect() as connection:
            for start in range(0, len(wanted), _LOOKUP):
                chunk = wanted[start : start + _LOOKUP]
                marks = ",".join("?" * len(chunk))
                found.update(connection.execute(f"SELECT key, value FROM content WHERE key IN ({marks})", chunk))
        return found

    def keep(self, values: Mapping[str, str]) -> None:
        """Store values whose keys are not taken yet."""
        with self._connect() as connection, connection:
            connection.executemany("INSERT OR IGNORE INTO content VALUES (?, ?)", sorted(values.items()))

    @contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_WAIT)) as connection:
                connection.execute("CREATE TABLE IF NOT EXISTS content (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise AbstainError(f"{self.path}: {error}; free the file or delete it, it is only a cache") from error
