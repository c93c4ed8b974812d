"""Content hashes of large files, computed once for each state of a file and then remembered."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from abstain.errors import AbstainError


def file_sha256(path: str | Path, memory: Path | None) -> str:
    """SHA-256 of a file's bytes, as 64 hex digits.

    `memory` is a JSON file that keeps hashes by resolved path, size and modification time, so that an unchanged
    file is read once for all runs; None reads the file every time. A damaged memory is only a slower one.
    Raises AbstainError when the file cannot be read.
    """
    try:
        resolved = Path(path).resolve()
        stat = resolved.stat()
        fingerprint = f"{resolved}|{stat.st_size}|{stat.st_mtime_ns}"
        remembered = _read(memory).get(fingerprint) if memory else None
        if remembered:
            return remembered
        with resolved.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise AbstainError(f"{path}: cannot be read ({error.strerror}); give the path of a readable file") from error
    if memory:
        _remember(memory, str(resolved), fingerprint, digest)
    return digest


def files_sha256(folder: Path, files: Iterable[Path], memory: Path | None) -> str:
    """SHA-256 over the names below `folder` and the contents of its `files`, as 64 hex digits; `memory` as above."""
    hashes = [[file.relative_to(folder).as_posix(), file_sha256(file, memory)] for file in sorted(files)]
    return hashlib.sha256(json.dumps(hashes).encode()).hexdigest()


def _read(memory: Path) -> dict[str, str]:
    try:
        content = json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in content.items()} if isinstance(content, dict) else {}


def _remember(memory: Path, resolved: str, fingerprint: str, digest: str) -> None:
    """Replace the memory file in one step; of two writers at once, one entry may be lost and is computed again."""
    entries = {key: value for key, value in _read(memory).items() if not key.startswith(f"{resolved}|")}
    entries[fingerprint] = digest
    memory.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=memory.parent, prefix=memory.name)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(entries, file, indent=1, sort_keys=True)
    Path(temporary).replace(memory)
