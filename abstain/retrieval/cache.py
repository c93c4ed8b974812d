"""Embeddings on disk, by content key, shared by all runs and safe to use from several processes.

The cache only saves time: a damaged file is dropped, a damaged row is made again, and a file that stays locked or full
is done without.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_LOG = logging.getLogger(__name__)
_KEYS_A_QUERY = 500
_TABLE = (
    "CREATE TABLE IF NOT EXISTS embeddings (key BLOB PRIMARY KEY, vector BLOB NOT NULL, truncated INTEGER NOT NULL)"
)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Embedding:
    """What an encoder made of one text."""

    vector: NDArray[np.float32]
    """Of length 1."""
    truncated: bool
    """Whether the text was longer than the encoder reads."""


class EmbeddingCache:
    """A SQLite table of embeddings in one file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, keys: Sequence[bytes]) -> dict[bytes, Embedding]:
        """The sound embeddings among `keys`."""
        return self._attempt(lambda connection: dict(_select(connection, keys))) or {}

    def write(self, embeddings: Mapping[bytes, Embedding]) -> None:
        """Keep embeddings, all or none of them."""
        rows = [(key, item.vector.tobytes(), item.truncated) for key, item in embeddings.items()]
        self._attempt(lambda connection: connection.executemany("REPLACE INTO embeddings VALUES (?, ?, ?)", rows))

    def _attempt(self, action: Callable[[sqlite3.Connection], T]) -> T | None:
        """Run one transaction; None when the file does not allow it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with closing(sqlite3.connect(self.path, timeout=60)) as connection, connection:
                connection.execute(_TABLE)
                return action(connection)
        except sqlite3.OperationalError as error:
            _LOG.warning("embeddings are not kept: %s: %s", self.path, error)
        except sqlite3.DatabaseError as error:
            _LOG.warning("the embedding cache is damaged and starts anew: %s: %s", self.path, error)
            for suffix in ("", "-journal"):
                Path(f"{self.path}{suffix}").unlink(missing_ok=True)
        return None


def _select(connection: sqlite3.Connection, keys: Sequence[bytes]) -> Iterable[tuple[bytes, Embedding]]:
    for start in range(0, len(keys), _KEYS_A_QUERY):
        chunk = keys[start : start + _KEYS_A_QUERY]
        marks = ",".join("?" * len(chunk))
        for key, blob, truncated in connection.execute(
            f"SELECT key, vector, truncated FROM embeddings WHERE key IN ({marks})", chunk
        ):
            vector = np.frombuffer(blob[: len(blob) // 4 * 4], dtype=np.float32)
            if abs(float(np.dot(vector, vector)) - 1) < 1e-3:  # SQLite has no checksums; the norm is one
                yield key, Embedding(vector, bool(truncated))
