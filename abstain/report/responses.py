"""What the report needs from a cell's responses.parquet, reduced to counts so that many cells fit in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from abstain.audit.judged import KEPT_TIERS, read_judged

COLUMNS = ("question_id", "condition", "ineligible", "decision", "exact_match")
"""The columns of responses.parquet that `facts` reads."""

Tiers = Mapping[str, Mapping[str, str]]
"""Data set -> question id -> tier of its audited swap."""


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `n` rows."""

    hits: int
    n: int

    @property
    def rate(self) -> float | None:
        """The share, None of no rows."""
        return self.hits / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Facts:
    """Counts over the rows of one cell."""

    abstained: Mapping[str, Share] = field(default_factory=dict)
    """Condition -> abstentions; an invalid row is in `n` and no abstention."""
    exact_eligible: Share = Share(0, 0)
    """Exact matches at q100 among the questions that have a qc case."""
    exact_other: Share = Share(0, 0)
    """Exact matches at q100 among the others."""
    kept: Mapping[str, Share] = field(default_factory=dict)
    """q0, qc -> answered rows among the questions whose swap was audited as fluent or borderline."""


def facts(rows: Iterable[Mapping[str, Any]], tiers: Mapping[str, str]) -> Facts:
    """Count the rows of one cell; `tiers` holds the audited tiers of its data set."""
    listed = list(rows)
    asked = [row for row in listed if row["ineligible"] is None]
    eligible = {row["question_id"] for row in asked if row["condition"] == "qc"}
    kept = {question for question in eligible if tiers.get(question) in KEPT_TIERS}
    q100 = [row for row in asked if row["condition"] == "q100"] if eligible else []
    return Facts(
        abstained={
            condition: _share(row["decision"] == "abstain" for row in asked if row["condition"] == condition)
            for condition in dict.fromkeys(row["condition"] for row in asked)
        },
        exact_eligible=_share(bool(row["exact_match"]) for row in q100 if row["question_id"] in eligible),
        exact_other=_share(bool(row["exact_match"]) for row in q100 if row["question_id"] not in eligible),
        kept={
            condition: _share(
                row["decision"] == "answer"
                for row in asked
                if row["condition"] == condition and row["question_id"] in kept
            )
            for condition in ("q0", "qc")
        },
    )


def read_tiers(path: str) -> Tiers:
    """The tiers of a filled audit; a row without one is not yet audited.

    Raises AbstainError with file and line for what cannot be read.
    """
    tiers: dict[str, dict[str, str]] = {}
    for row in read_judged(path, "task.audit"):
        if row.tier:
            tiers.setdefault(row.dataset, {})[row.question_id] = row.tier
    return tiers


def _share(hits: Iterable[bool]) -> Share:
    listed = list(hits)
    return Share(sum(listed), len(listed))
