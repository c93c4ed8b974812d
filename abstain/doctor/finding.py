"""What one check found, and how a check that broke becomes a finding too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from abstain.errors import AbstainError
from abstain.urls import without_passwords


class Verdict(StrEnum):
    """How a check ended."""

    OK = "ok"
    NOTE = "note"
    """Works, and there is something to know."""
    FAIL = "fail"
    """A run would not get through."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's table."""

    what: str
    """What was looked at."""
    verdict: Verdict
    found: str
    todo: str = ""
    """What to do, in one line; empty where nothing is to be done."""


Check = Callable[[], Sequence[Finding]]


def examine(what: str, check: Check) -> list[Finding]:
    """The findings of a check; one that raises is a failure, in the words of its error."""
    try:
        return list(check())
    except AbstainError as error:
        found, _, todo = str(error).partition("; ")
        return [Finding(what, Verdict.FAIL, without_passwords(found), without_passwords(todo))]
    except Exception as error:  # whatever is broken here, the other checks go on
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        return [Finding(what, Verdict.FAIL, without_passwords(reason))]
