"""The content key of a response: what it is stored under, and when it may be used again (DESIGN 5.3)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

VERSION = "abstain-response-2"
"""Changed when the meaning of a part changes, so that old responses are never mistaken for new ones."""


def content_key(parts: Mapping[str, object]) -> str:
    """SHA-256, as 64 hex digits, over the version and `parts` as canonical JSON."""
    document = {"version": VERSION, **parts}
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def row_seed(seed: int, trial: int, rendered: str) -> int:
    """The sampling seed of one row: a number below 2**64 that depends on the row alone."""
    digest = hashlib.sha256(f"{seed}/{trial}/{rendered}".encode()).digest()
    return int.from_bytes(digest[:8], "big")
