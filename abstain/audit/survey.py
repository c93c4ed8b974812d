"""What the pipeline made of a set of questions: how many have a swap, of which sort, why others have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from abstain.audit.leaks import leaks
from abstain.rows import Question, Swap

Swaps = Mapping[str, Swap | str]
"""By question id: the swap, or the reason why there is none."""


@dataclass(frozen=True)
class Survey:
    """Counts over all questions; `questions` is `eligible` plus all of `reasons`."""

    questions: int
    eligible: int
    leaks: Mapping[str, tuple[str, ...]]
    """Question id -> the gold aliases that the second scan found in its swapped passage."""
    reasons: Mapping[str, int]
    """Why a question is not eligible -> how many are not."""
    tiers: Mapping[str, int]
    types: Mapping[str, int]

    @property
    def share(self) -> float:
        """Eligible questions among all, 0..1."""
        return self.eligible / self.questions

    @property
    def record(self) -> dict[str, Any]:
        """What audit.json holds (DESIGN 4)."""
        return {
            "questions": self.questions,
            "eligible": self.eligible,
            "leaks": len(self.leaks),
            "reasons": self.reasons,
            "tiers": self.tiers,
            "types": self.types,
        }


def survey(questions: Sequence[Question], swaps: Swaps) -> Survey:
    """Count, and scan every swapped passage for every gold alias of its question."""
    made = eligible(questions, swaps)
    found = {question.id: leaks(swap.passage, question.answers) for question, swap in made}
    reasons = (swaps[question.id] for question in questions)
    return Survey(
        questions=len(questions),
        eligible=len(made),
        leaks={id: aliases for id, aliases in found.items() if aliases},
        reasons=_counted(reason for reason in reasons if isinstance(reason, str)),
        tiers=_counted(swap.tier for _, swap in made),
        types=_counted(swap.type for _, swap in made),
    )


def eligible(questions: Iterable[Question], swaps: Swaps) -> list[tuple[Question, Swap]]:
    """The questions that have a swap, in their order."""
    pairs = ((question, swaps[question.id]) for question in questions)
    return [(question, swap) for question, swap in pairs if isinstance(swap, Swap)]


def _counted(names: Iterable[str]) -> dict[str, int]:
    """How often each name occurs, the most frequent first."""
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))
