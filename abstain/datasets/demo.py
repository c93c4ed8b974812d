"""The questions that come with the package: small enough to read, in the documented jsonl format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from abstain.datasets.files import content_id
from abstain.datasets.jsonl import read
from abstain.datasets.order import Order
from abstain.rows import GRAB_RAG, Question, QuestionSet

PATH = Path(__file__).with_name("demo.jsonl")


@dataclass(frozen=True)
class Demo:
    """Short factoid questions about well-known facts, with one to three gold passages each.

    The keys are those of `Order`.
    """

    benchmark: ClassVar[str] = GRAB_RAG

    name: str = "demo"
    limit: int | None = None
    sample_seed: int = 42
    pool_questions: int = 500

    def load(self) -> QuestionSet[Question]:
        """Read and order the questions."""
        order = Order(self.limit, self.sample_seed, self.pool_questions)
        return order.question_set(self.name, content_id([PATH]), read(PATH))
