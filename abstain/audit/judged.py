"""A filled audit as it lies on disk: CSV with one judged swap a line (GRAB-RAG, Appendix C)."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from abstain.errors import AbstainError

FLUENT, BORDERLINE, BROKEN = TIERS = ("fluent", "borderline", "broken")
KEPT_TIERS = (FLUENT, BORDERLINE)
"""The tiers of the subset that the paper's Table 6 sets beside all swaps."""

_NEEDED = ("dataset", "question_id", "tier")


@dataclass(frozen=True, slots=True)
class Row:
    """What a line of the file says of one swap."""

    place: str
    """File and line."""
    dataset: str
    question_id: str
    tier: str
    """One of `TIERS`; empty where it is not judged yet."""
    note: str
    passage: str
    """The swapped passage that was judged; empty where the file does not show it."""


def read_judged(path: str, key: str) -> list[Row]:
    """The rows in the file's order, judged or not; `key` is the config key that named the file.

    Raises AbstainError with file and line for a missing column, an unknown tier, and a question that stands twice.
    """
    try:
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            return _rows(path, csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise AbstainError(f"{key}={path}: not a readable UTF-8 file ({error}); give a filled sample.csv") from error


def _rows(path: str, reader: csv.DictReader[str]) -> list[Row]:
    absent = [name for name in _NEEDED if name not in (reader.fieldnames or ())]
    if absent:
        raise AbstainError(f"{path}:1: no column {', '.join(absent)}; fill the CSV that task=audit writes")
    rows: dict[tuple[str, str], Row] = {}
    for fields in reader:
        row = _row(f"{path}:{reader.line_num}", fields)
        first = rows.setdefault((row.dataset, row.question_id), row)
        if first is not row:
            raise AbstainError(f"{row.place}: question {row.question_id!r} stands also at {first.place}; keep one")
    return list(rows.values())


def _row(place: str, fields: dict[str, str | None]) -> Row:
    tier = (fields["tier"] or "").strip().lower()
    if tier and tier not in TIERS:
        raise AbstainError(f"{place}: tier {tier!r} is not one of {', '.join(TIERS)}")
    return Row(
        place=place,
        dataset=fields["dataset"] or "",
        question_id=fields["question_id"] or "",
        tier=tier,
        note=(fields.get("note") or "").strip(),
        passage=fields.get("swapped_passage") or "",
    )
