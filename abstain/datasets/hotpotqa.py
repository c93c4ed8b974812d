"""HotpotQA in its distractor setting (GRAB-RAG 4.2): two supporting paragraphs among ten.

Two layouts: the official JSON list, and the hub's columns. Both come down to (title, sentences) pairs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from abstain.datasets.columns import Origin
from abstain.datasets.entries import Drop, Entry, Row, any_text, entry, required_text
from abstain.datasets.files import json_list
from abstain.datasets.order import Order
from abstain.errors import AbstainError
from abstain.rows import GRAB_RAG, Question, QuestionSet

COLUMNS = ("id", "question", "answer", "supporting_facts.title", "context.title", "context.sentences")


@dataclass(frozen=True)
class HotpotQA:
    """HotpotQA from `path` (the official JSON, plain or gzipped; parquet file or directory), else from the hub.

    `hub` is ``owner/name``, `revision` a branch, tag or commit; the other keys are those of `Order`.
    """

    benchmark: ClassVar[str] = GRAB_RAG

    path: str | None = None
    hub: str | None = None
    hub_config: str | None = None
    revision: str = "main"
    split: str = "validation"
    name: str = "hotpotqa"
    limit: int | None = None
    sample_seed: int = 42
    pool_questions: int = 500

    def load(self) -> QuestionSet[Question]:
        """Read, filter and order the questions. Raises AbstainError for what is missing, malformed or out of reach."""
        order = Order(self.limit, self.sample_seed, self.pool_questions)
        if self.path is None and self.hub_config == "fullwiki":
            raise AbstainError("dataset.hub_config=fullwiki lacks many gold paragraphs; use distractor")
        origin = Origin(self.path, self.hub, self.hub_config, self.revision, self.split)
        entries, source = origin.read(COLUMNS, from_columns, json_list, from_item)
        return order.question_set(self.name, source, entries)


def from_item(row: Row, where: str) -> Entry | Drop:
    """A question of the official JSON. Raises AbstainError that starts with `where`."""
    facts, context = (_pairs(row, key, where) for key in ("supporting_facts", "context"))
    return _entry(row, "_id", {title for title, _ in facts}, context, where)


def from_columns(row: Row, where: str) -> Entry | Drop:
    """A question of the hub's layout. Raises AbstainError that starts with `where`."""
    context = zip(row["context"]["title"], row["context"]["sentences"], strict=True)
    return _entry(row, "id", set(row["supporting_facts"]["title"]), context, where)


def _entry(row: Row, id_key: str, supporting: set[str], context: Iterable[tuple[str, Any]], where: str) -> Entry | Drop:
    id, text = (required_text(row, key, where) for key in (id_key, "question"))
    answer = any_text(row, "answer", where)
    if answer.lower() in ("yes", "no"):
        return Drop.YES_NO
    paragraphs = [(title, _paragraph(sentences, where)) for title, sentences in context]
    if not supporting <= {title for title, _ in paragraphs}:
        return Drop.GOLD_INCOMPLETE
    gold = [passage for title, passage in paragraphs if title in supporting]
    return entry(id, text, [answer], gold, [passage for title, passage in paragraphs if title not in supporting])


def _paragraph(sentences: object, where: str) -> str:
    """The sentences put together as published: each but the first brings its own leading space."""
    if not isinstance(sentences, list) or not all(isinstance(sentence, str) for sentence in sentences):
        raise AbstainError(f"{where}: 'context' must hold [title, [sentence, ...]] pairs")
    return "".join(sentences)


def _pairs(row: Row, key: str, where: str) -> list[tuple[str, Any]]:
    pairs = row.get(key)
    if isinstance(pairs, list) and all(isinstance(p, list) and len(p) == 2 and isinstance(p[0], str) for p in pairs):
        return [(title, value) for title, value in pairs]
    raise AbstainError(f"{where}: {key!r} must be a list of [title, ...] pairs")
