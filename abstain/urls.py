"""URLs as they may be shown: passwords never leave the process."""

from __future__ import annotations

import re

_PASSWORD = re.compile(r"(\w\\?://[^:/@\s\\]*\\?:)[^/\s]*(?=@)")
"""Hydra writes a colon in an override as backslash and colon."""


def without_passwords(text: str) -> str:
    """The text with the password of each URL in it as three stars."""
    return _PASSWORD.sub(r"\1***", text)
