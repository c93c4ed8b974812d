"""The paired conditions of ArcticAbstain: the same question with its answer among the options, or without it.

Both conditions share three distractors and the abstention option; where the answer was, the answer-absent condition has
the fourth distractor (ArcticAbstain 4.1). The order of the five options is drawn anew for every call, as in the paper,
so it depends on the item, the condition, the trial and the model, and on nothing else.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass

from abstain.errors import AbstainError
from abstain.rows import ARCTIC_ABSTAIN, ChoiceCase, ChoiceQuestion, Option

ANSWER_PRESENT = "answer_present"
ANSWER_ABSENT = "answer_absent"
CONDITIONS = (ANSWER_PRESENT, ANSWER_ABSENT)
ABSTENTION = Option("I abstain from answering", "abstain")


@dataclass(frozen=True)
class ChoiceConditions:
    """The option conditions of a run: `names` is one or both of ``answer_present`` and ``answer_absent``."""

    benchmark: str
    names: Sequence[str]

    def __post_init__(self) -> None:
        if self.benchmark != ARCTIC_ABSTAIN:
            raise AbstainError(f"condition.benchmark={self.benchmark}: option conditions belong to {ARCTIC_ABSTAIN}")
        if not self.names or len(set(self.names)) < len(self.names) or not set(self.names) <= set(CONDITIONS):
            raise AbstainError(
                f"condition.names={list(self.names)}: give {' or '.join(CONDITIONS)}, or both, each once"
            )

    def build(self, questions: Sequence[ChoiceQuestion], model_name: str, seed: int, trials: int) -> list[ChoiceCase]:
        """The cases of every question, condition and trial, in that order; trials count from 1."""
        return [
            ChoiceCase(question, name, trial, _drawn(question, name, trial, model_name, seed))
            for question in questions
            for name in self.names
            for trial in range(1, trials + 1)
        ]


def order_seed(seed: int, item_id: str, condition: str, trial: int, model_name: str) -> int:
    """The seed (128 bits) of one call's option order: the head of the SHA-256 of all it depends on, as a JSON list."""
    canonical = json.dumps([seed, item_id, condition, trial, model_name], separators=(",", ":"))
    return int(hashlib.sha256(canonical.encode()).hexdigest()[:32], 16)


def _drawn(question: ChoiceQuestion, condition: str, trial: int, model_name: str, seed: int) -> tuple[Option, ...]:
    *shared, fourth = (Option(text, "distractor") for text in question.distractors)
    replaced = Option(question.gold, "gold") if condition == ANSWER_PRESENT else fourth
    options = [replaced, *shared, ABSTENTION]
    random.Random(order_seed(seed, question.id, condition, trial, model_name)).shuffle(options)
    return tuple(options)
