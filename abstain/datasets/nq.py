"""Natural Questions (GRAB-RAG 4.2), in two layouts.

- JSON lines as published with "Lost in the Middle": ``question``, ``answers``, ``ctxs`` with the gold passage marked.
- The hub's columns: pages as tokens, and up to five annotations a question with a long and short answers each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from abstain.datasets.columns import Origin
from abstain.datasets.entries import Drop, Entry, Row, any_text, entry, identity, required_text, strings
from abstain.datasets.files import json_lines
from abstain.datasets.order import Order
from abstain.errors import AbstainError
from abstain.rows import GRAB_RAG, Question, QuestionSet

COLUMNS = (
    "id",
    "question.text",
    "document.tokens.token",
    "document.tokens.is_html",
    "annotations.long_answer",
    "annotations.short_answers",
    "annotations.yes_no_answer",
)


@dataclass(frozen=True)
class NaturalQuestions:
    """Natural Questions from `path` (JSON lines, plain or gzipped; parquet file or directory), else from the hub.

    `hub` is ``owner/name``, `revision` a branch, tag or commit; the other keys are those of `Order`.
    """

    benchmark: ClassVar[str] = GRAB_RAG

    path: str | None = None
    hub: str | None = None
    hub_config: str | None = None
    revision: str = "main"
    split: str = "validation"
    name: str = "nq"
    limit: int | None = None
    sample_seed: int = 42
    pool_questions: int = 500

    def load(self) -> QuestionSet[Question]:
        """Read, filter and order the questions. Raises AbstainError for what is missing, malformed or out of reach."""
        order = Order(self.limit, self.sample_seed, self.pool_questions)
        origin = Origin(self.path, self.hub, self.hub_config, self.revision, self.split)
        entries, source = origin.read(COLUMNS, from_columns, json_lines, from_line)
        return order.question_set(self.name, source, entries)


def from_line(row: Row, where: str) -> Entry | Drop:
    """A question of the JSON lines layout; gold are the passages marked ``isgold``, without their titles.

    The id is made from the question's text, as the file has none. Raises AbstainError that starts with `where`.
    """
    text = required_text(row, "question", where)
    answers = strings(row, "answers", where)
    contexts = row.get("ctxs")
    if not isinstance(contexts, list) or not all(isinstance(context, dict) for context in contexts):
        raise AbstainError(f"{where}: 'ctxs' must be a list of objects with 'text' and 'isgold'")
    gold = [any_text(context, "text", where) for context in contexts if context.get("isgold") is True]
    return entry(identity("nq", text), text, answers, gold)


def from_columns(row: Row, where: str) -> Entry | Drop:
    """A question of the hub's layout, by the annotations that give a short answer.

    Answers are the distinct short answers over these annotations in their order; several short answers of one
    annotation count as aliases (any of them is right). Gold are the distinct long answers of the same annotations that
    are paragraphs; tables and lists are not. Raises AbstainError that starts with `where`.
    """
    text = required_text(row["question"], "text", where)
    notes = row["annotations"]
    answered = [
        (long, short["text"])
        for long, short in zip(notes["long_answer"], notes["short_answers"], strict=True)
        if any(answer.strip() for answer in short["text"])
    ]
    if not answered:
        return Drop.YES_NO if any(label >= 0 for label in notes["yes_no_answer"]) else Drop.NO_SHORT_ANSWER
    spans = dict.fromkeys((long["start_token"], long["end_token"]) for long, _ in answered if long["start_token"] >= 0)
    tokens, is_html = row["document"]["tokens"]["token"], row["document"]["tokens"]["is_html"]
    gold = [passage_text(tokens[start:end], is_html[start:end]) for start, end in spans if tokens[start] == "<P>"]
    if spans and not gold:
        return Drop.GOLD_NOT_A_PARAGRAPH
    return entry(row["id"], text, (answer for _, answers in answered for answer in answers), gold)


def passage_text(tokens: Sequence[str], is_html: Iterable[bool]) -> str:
    """The words of a slice of a page's tokens as running text: markup left out, spaces before punctuation undone."""
    text = " ".join(token for token, markup in zip(tokens, is_html, strict=True) if not markup)
    text = re.sub(r"`` | ''", '"', text)
    text = re.sub(r" ([,.;:!?%)\]]|'s\b|n't\b)", r"\1", text)
    return re.sub(r"([(\[]) ", r"\1", text)
