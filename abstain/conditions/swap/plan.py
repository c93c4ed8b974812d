"""What a tier proposes: which text becomes what, before articles, leaks and repetitions are looked at."""

from __future__ import annotations

from dataclasses import dataclass

from abstain.rows import Edit


@dataclass(frozen=True, slots=True)
class Plan:
    """A proposed swap of one passage."""

    tier: str
    type: str
    original: str
    """The swapped unit: the whole answer, or the year or name inside it."""
    replacement: str
    edits: tuple[Edit, ...]


NO_TIER = "no_entity_type"
"""Why a tier does not apply at all."""


class Unfit(Exception):  # noqa: N818 - a finding, not a fault
    """No swap on this path; the message is the stable name of the reason."""
