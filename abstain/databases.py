"""What a database's complaint means, and what to do about it."""

from __future__ import annotations

import re

from abstain.urls import without_passwords

_MENDS = {
    "not a database": "move the file away, or put a copy back; the same commands fill it again",
    "malformed": "the file is damaged: move it away, or put a copy back; the same commands fill it again",
    "no such column": "another version of abstain made it: move the file away",
    "disk is full": "finished rows are kept: make room and run the same command again",
    "readonly": "make the file and its folder writable, or choose another place",
    "read-only": "make the file and its folder writable, or choose another place",
    "database is locked": "another process is writing: try again when it has ended",
    "connection refused": "start the server, or correct the host and port",
}
"""What to do, by a symptom in the database's own words."""

_TRAILER = re.compile(r"\[SQL:|\(Background on this error")
"""Where SQLAlchemy's part of a message begins, which MLflow passes on."""


def complaint(error: Exception) -> str:
    """What a database said, in one line without passwords, with the mend where it is known."""
    said = _TRAILER.split(str(getattr(error, "orig", None) or error), maxsplit=1)[0]
    reason = without_passwords(" ".join(said.split()))[:500]
    mend = next((mend for symptom, mend in _MENDS.items() if symptom in reason.lower()), None)
    return f"{reason}; {mend}" if mend else reason
