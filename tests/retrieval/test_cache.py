"""The embedding cache: what is kept comes back, and what is damaged is missing, never wrong."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from abstain.retrieval.cache import Embedding, EmbeddingCache


def unit(*values: float) -> Embedding:
    vector = np.array(values, dtype=np.float32)
    return Embedding(vector / np.linalg.norm(vector), truncated=len(values) > 2)


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path / "new" / "e.db")
    assert cache.read([b"a"]) == {}
    cache.write({b"a": unit(3, 4), b"b": unit(1, 2, 2)})
    found = EmbeddingCache(cache.path).read([b"b", b"a", b"c"])
    assert found.keys() == {b"a", b"b"}
    np.testing.assert_array_equal(found[b"a"].vector, np.array([0.6, 0.8], dtype=np.float32))
    assert (found[b"a"].truncated, found[b"b"].truncated) == (False, True)


def test_more_keys_than_one_statement_takes(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path / "e.db")
    items = {str(i).encode(): unit(1, i) for i in range(1201)}
    cache.write(items)
    assert cache.read(list(items)).keys() == items.keys()


@pytest.mark.parametrize("content", [b"not a database" * 100, b"SQLite format 3\0" + b"\x07" * 4096])
def test_a_damaged_file_is_dropped(tmp_path: Path, content: bytes) -> None:
    cache = EmbeddingCache(tmp_path / "e.db")
    cache.path.write_bytes(content)
    assert cache.read([b"a"]) == {}
    cache.write({b"a": unit(3, 4)})
    assert cache.read([b"a"]).keys() == {b"a"}


def test_a_damaged_row_is_missing_and_can_be_made_again(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path / "e.db")
    cache.write({b"a": unit(3, 4), b"b": unit(3, 4), b"c": unit(3, 4)})
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE embeddings SET vector = zeroblob(8) WHERE key = x'61'")
        connection.execute("UPDATE embeddings SET vector = x'0102030405' WHERE key = x'62'")
    connection.close()
    assert cache.read([b"a", b"b", b"c"]).keys() == {b"c"}
    cache.write({b"a": unit(3, 4)})
    assert cache.read([b"a"]).keys() == {b"a"}


def test_several_writers_lose_nothing(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path / "e.db")
    keys = [[f"{writer}-{i}".encode() for i in range(20)] for writer in range(4)]

    def write(mine: list[bytes]) -> None:
        for key in mine:
            EmbeddingCache(cache.path).write({key: unit(1, 2), b"shared": unit(1, 2)})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, keys))
    wanted = [key for mine in keys for key in mine] + [b"shared"]
    assert cache.read(wanted).keys() == set(wanted)
