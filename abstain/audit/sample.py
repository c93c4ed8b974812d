"""The sample of swaps that people judge, as rows of a CSV file with empty columns for the tier and a note."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from abstain.audit.suggest import Suggestion, suggest
from abstain.errors import AbstainError
from abstain.rows import Question, Swap

COLUMNS = (
    "dataset",
    "question_id",
    "question",
    "answers",
    "swap_tier",
    "swap_type",
    "original",
    "replacement",
    "planted",
    "original_passage",
    "swapped_passage",
    "suggested",
    "why",
    "tier",
    "note",
)


@dataclass(frozen=True, slots=True)
class Item:
    """A swap to be judged, what the checks suggest, and what a person said."""

    question: Question
    swap: Swap
    suggestion: Suggestion
    tier: str = ""
    """Empty until judged."""
    note: str = ""

    @staticmethod
    def of(question: Question, swap: Swap, tier: str = "", note: str = "") -> Item:
        """The item with its suggestion."""
        return Item(question, swap, suggest(question, swap), tier, note)


def draw(pairs: Sequence[tuple[Question, Swap]], size: int, seed: int) -> list[Item]:
    """A uniform sample of the eligible questions, all of them if there are no more than `size`.

    In the order of the draw, so that its first rows are a uniform sample too.
    """
    chosen = pairs if len(pairs) <= size else random.Random(seed).sample(pairs, size)
    return [Item.of(question, swap) for question, swap in chosen]


def write_csv(file: Path, dataset: str, items: Iterable[Item]) -> None:
    """Write the sample with empty columns ``tier`` and ``note``."""
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, COLUMNS, restval="")
        writer.writeheader()
        writer.writerows(_row(dataset, item) for item in items)


def refuse_if_filled(file: Path) -> None:
    """Raise AbstainError when a file holds judgements that a new sample would overwrite."""
    if not file.exists():
        return
    with file.open(newline="", encoding="utf-8-sig", errors="replace") as written:
        filled = any(row.get("tier") or row.get("note") for row in csv.DictReader(written))
    if filled:
        raise AbstainError(f"{file}: holds judgements; read them with task.filled={file}, or move the file away first")


def _row(dataset: str, item: Item) -> dict[str, str]:
    swap = item.swap
    return {
        "dataset": dataset,
        "question_id": item.question.id,
        "question": item.question.text,
        "answers": " | ".join(item.question.answers),
        "swap_tier": swap.tier,
        "swap_type": swap.type,
        "original": swap.original,
        "replacement": swap.replacement,
        "planted": swap.planted,
        "original_passage": swap.original_passage,
        "swapped_passage": swap.passage,
        "suggested": item.suggestion.tier,
        "why": item.suggestion.why,
    }
