"""A filled sample matched with the swaps that it judges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from abstain.audit.judged import TIERS, Row, read_judged
from abstain.audit.sample import Item
from abstain.errors import AbstainError
from abstain.rows import Question, Swap


def read_filled(path: str, dataset: str) -> list[Row]:
    """The rows about a data set; those about others are left aside.

    Raises AbstainError with file and line for what cannot be read, and when no row of the data set is judged.
    """
    rows = [row for row in read_judged(path, "task.filled") if row.dataset == dataset]
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
