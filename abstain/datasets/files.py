"""Reading JSON files, plain or gzipped, record by record, each with the place that an error message can name."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from abstain.datasets.entries import Row
from abstain.errors import AbstainError
from abstain.hashing import file_sha256

Located = tuple[str, Row]
"""The place of a record (``file:line`` or ``file, item n``) and the record."""


def existing(path: str) -> Path:
    """The path of a file or directory that is there and not empty. Raises AbstainError that names ``dataset.path``."""
    found = Path(path).expanduser()
    if not found.exists():
        raise AbstainError(
            f"dataset.path={path}: there is no such file (looked for {found.absolute()}); name the questions' file"
        )
    if found.is_file() and not found.stat().st_size:
        raise AbstainError(f"dataset.path={path}: the file is empty; name the questions' file")
    return found


def content_id(paths: Sequence[Path]) -> str:
    """``sha256:<hex>`` of one file's bytes, or of the hashes of several files in their order."""
    hashes = [file_sha256(path, None) for path in paths]
    return f"sha256:{hashes[0] if len(hashes) == 1 else hashlib.sha256(' '.join(hashes).encode()).hexdigest()}"


def json_lines(path: Path) -> Iterator[Located]:
    """The objects of a file with one JSON object a line; blank lines are skipped.

    Raises AbstainError with file and line for a line that is not a JSON object.
    """
    with _opened(path) as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            where = f"{path}:{number}"
            try:
                record = json.loads(line)
            except ValueError as error:
                raise AbstainError(f"{where}: not valid JSON ({_reason(error)}); write one object a line") from error
            yield where, _object(record, where)


def json_list(path: Path) -> Iterator[Located]:
    """The objects of a file that is one JSON list.

    Raises AbstainError with file and line for broken JSON, with file and item for an item that is not an object.
    """
    with _opened(path) as file:
        content = file.read()
    try:
        records = json.loads(content)
    except ValueError as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        raise AbstainError(f"{path}:{line}: not valid JSON ({_reason(error)})") from error
    if not isinstance(records, list):
        raise AbstainError(f"{path}: must be one JSON list of questions, found a {type(records).__name__}")
    for number, record in enumerate(records, start=1):
        where = f"{path}, item {number}"
        yield where, _object(record, where)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """The file's bytes, unpacked if the content (not the name) says gzip."""
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            yield cast(BinaryIO, gzip.GzipFile(fileobj=file)) if packed else file
    except (OSError, EOFError, zlib.error) as error:
        raise AbstainError(f"dataset.path={path}: cannot be read ({error})") from error


def _object(record: object, where: str) -> Row:
    if not isinstance(record, dict):
        raise AbstainError(f"{where}: must be a JSON object, found a {type(record).__name__}")
    return record


def _reason(error: ValueError) -> str:
    return f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else "not UTF-8"
