"""A filled sample read back: rows checked first, then matched with the swaps that they judge."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from abstain.audit.sample import Item
from abstain.audit.suggest import TIERS
from abstain.errors import AbstainError
from abstain.rows import Question, Swap

_NEEDED = ("dataset", "question_id", "tier")


@dataclass(frozen=True, slots=True)
class Row:
    """What a line of the file says of one swap."""

    place: str
    """File and line."""
    question_id: str
    tier: str
    """Empty where it is not judged yet."""
    note: str
    passage: str
    """The swapped passage that was judged; empty where the file does not show it."""


def read_filled(path: str, dataset: str) -> list[Row]:
    """The rows about a data set; those about others are left aside.

    Raises AbstainError with file and line for a missing column, an unknown tier, a question that stands twice, and when
    no row of the data set is judged.
    """
    try:
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            rows = _rows(path, dataset, csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise AbstainError(f"task.filled={path}: not a readable UTF-8 file ({error})") from error
    if not any(row.tier for row in rows):
        raise AbstainError(f"{path}: no row of dataset {dataset} is judged; fill the column tier: {', '.join(TIERS)}")
    return rows


def match(rows: Iterable[Row], pairs: Sequence[tuple[Question, Swap]]) -> list[Item]:
    """The swaps that the rows are about, with what was said of them.

    Raises AbstainError with file and line for a question that has no swap here, or has another one by now.
    """
    by_id = {question.id: (question, swap) for question, swap in pairs}
    items = []
    for row in rows:
        if row.question_id not in by_id:
            raise AbstainError(
                f"{row.place}: no eligible question has the id {row.question_id!r}; "
                "audit with the dataset, ner and seed of the sample"
            )
        question, swap = by_id[row.question_id]
        if row.passage and row.passage.split() != swap.passage.split():
            raise AbstainError(
                f"{row.place}: the swap of {row.question_id!r} was another one when it was judged; "
                "audit with the dataset, ner and seed of the sample, or judge a new one"
            )
        items.append(Item.of(question, swap, row.tier, row.note))
    return items


def _rows(path: str, dataset: str, reader: csv.DictReader[str]) -> list[Row]:
    absent = [name for name in _NEEDED if name not in (reader.fieldnames or ())]
    if absent:
        raise AbstainError(f"{path}:1: no column {', '.join(absent)}")
    rows: dict[str, Row] = {}
    for fields in reader:
        row = _row(f"{path}:{reader.line_num}", fields)
        if fields["dataset"] != dataset:
            continue
        if row.question_id in rows:
            raise AbstainError(
                f"{row.place}: question {row.question_id!r} stands also at {rows[row.question_id].place}"
            )
        rows[row.question_id] = row
    return list(rows.values())


def _row(place: str, fields: dict[str, str | None]) -> Row:
    tier = (fields["tier"] or "").strip().lower()
    if tier and tier not in TIERS:
        raise AbstainError(f"{place}: tier {tier!r} is not one of {', '.join(TIERS)}")
    return Row(
        place=place,
        question_id=fields["question_id"] or "",
        tier=tier,
        note=(fields.get("note") or "").strip(),
        passage=fields.get("swapped_passage") or "",
    )
