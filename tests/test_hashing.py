"""Content hashes of files, and what is remembered of them."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from abstain.errors import AbstainError
from abstain.hashing import file_sha256


def test_is_the_sha256_of_the_bytes(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF" * 1000)
    expected = hashlib.sha256(b"GGUF" * 1000).hexdigest()
    assert file_sha256(file, None) == expected
    assert file_sha256(str(file), tmp_path / "new" / "memory.json") == expected


def test_an_unchanged_file_is_not_read_again(tmp_path: Path) -> None:
    file, memory = tmp_path / "model.gguf", tmp_path / "memory.json"
    file.write_bytes(b"one")
    first, stat = file_sha256(file, memory), file.stat()
    file.write_bytes(b"two")
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # same size and time: taken as the same file
    assert file_sha256(file, memory) == first
    assert file_sha256(file, None) == hashlib.sha256(b"two").hexdigest()
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1))
    assert file_sha256(file, memory) == hashlib.sha256(b"two").hexdigest()


def test_the_memory_holds_one_state_of_each_file(tmp_path: Path) -> None:
    memory = tmp_path / "memory.json"
    for name in ("a", "ab"):
        (tmp_path / name).write_bytes(name.encode())
        file_sha256(tmp_path / name, memory)
    (tmp_path / "a").write_bytes(b"longer")
    file_sha256(tmp_path / "a", memory)
    assert memory.read_text().count(str(tmp_path)) == 2


@pytest.mark.parametrize("damage", ["", "{", "[1]", '{"x": null}'])
def test_a_damaged_memory_is_only_slower(tmp_path: Path, damage: str) -> None:
    file, memory = tmp_path / "a", tmp_path / "memory.json"
    file.write_bytes(b"one")
    memory.write_text(damage)
    assert file_sha256(file, memory) == file_sha256(file, memory) == hashlib.sha256(b"one").hexdigest()


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(AbstainError, match=r"no-such\.gguf: cannot be read \(No such file"):
        file_sha256(tmp_path / "no-such.gguf", tmp_path / "memory.json")
