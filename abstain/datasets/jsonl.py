"""Questions of your own: one JSON object a line, in the format of docs/datasets.md. The demo set uses it too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from abstain.datasets.entries import Drop, Entry, Row, entry, identity, required_text, strings
from abstain.datasets.files import content_id, existing, json_lines
from abstain.datasets.order import Order
from abstain.errors import AbstainError
from abstain.rows import GRAB_RAG, Question, QuestionSet


@dataclass(frozen=True)
class JsonLines:
    """Questions from a local file, plain or gzipped; the keys but `path` are those of `Order`."""

    benchmark: ClassVar[str] = GRAB_RAG

    path: str | None = None
    name: str = "jsonl"
    limit: int | None = None
    sample_seed: int = 42
    pool_questions: int = 500

    def load(self) -> QuestionSet[Question]:
        """Read, check and order the questions. Raises AbstainError with file and line for what is malformed."""
        order = Order(self.limit, self.sample_seed, self.pool_questions)
        if self.path is None:
            raise AbstainError("dataset.path is not set: give a file with one question a line (see docs/datasets.md)")
        path = existing(self.path)
        return order.question_set(self.name, content_id([path]), read(path))


def read(path: Path) -> Iterator[tuple[str, Entry | Drop]]:
    """The entries of a file in the documented format, each with its place."""
    for where, row in json_lines(path):
        yield where, from_line(row, where)


def from_line(row: Row, where: str) -> Entry | Drop:
    """One line of the documented format; keys that it does not name are ignored.

    A question without an answer is a mistake here, not a reason to drop it. Raises AbstainError that starts with
    `where`.
    """
    text = required_text(row, "question", where)
    answers = strings(row, "answers", where)
    if not any(answer.strip() for answer in answers):
        raise AbstainError(f"{where}: the question has no answer; give 'answers' at least one, the primary one first")
    id = required_text(row, "id", where) if "id" in row else identity("line", text)
    gold = strings(row, "gold", where)
    distractors = strings(row, "distractors", where) if "distractors" in row else []
    return entry(id, text, answers, gold, distractors)
