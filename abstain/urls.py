"""Database URLs: as they may be shown, since passwords never leave the process, and the file behind one."""

from __future__ import annotations

import re
from pathlib import Path

_PASSWORD = re.compile(r"(\w\\?://[^:/@\s\\]*\\?:)[^/\s]*(?=@)")
"""Hydra writes a colon in an override as backslash and colon."""
_IN_QUERY = re.compile(r"([?&](?:password|passwd|pwd|sslpassword|token|api[-_]?key)\\?=)[^&\s'\"\\]+", re.IGNORECASE)
"""Hydra writes an equals sign in an override as backslash and equals sign."""


def without_passwords(text: str) -> str:
    """The text with the password of each URL in it as three stars."""
    return _IN_QUERY.sub(r"\1***", _PASSWORD.sub(r"\1***", text))


def sqlite_file(url: str) -> Path | None:
    """The file behind a SQLAlchemy URL of SQLite, a `file:` URI in it too; None for memory and for other databases."""
    from sqlalchemy.engine import make_url

    parts = make_url(url)
    if parts.get_backend_name() != "sqlite" or not parts.database or parts.database == ":memory:":
        return None
    return Path(parts.database.removeprefix("file:"))
