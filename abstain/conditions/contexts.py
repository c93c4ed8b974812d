"""Context conditions of GRAB-RAG: the same question under supportive, degraded, missing, misleading and no context.

A case follows from its question, the retrieval pool and the seed alone: neither the other questions of the run nor the
other chosen conditions change it (GRAB-RAG 3.2, 4.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random

from abstain.errors import AbstainError
from abstain.retrieval.base import Retriever, ranking
from abstain.rows import Case, Question, QuestionSet, Swap
from abstain.text import Searchable, contains_any

CONDITIONS = ("q100", "q50", "q0", "qc", "closed")
TOO_FEW_NEGATIVES = "too few hard negatives"


class ContextConditions:
    """Makes the cases of the chosen conditions.

    `names` are among `CONDITIONS`; `gold_in_q50` slots of q50 hold gold passages, the others hard negatives.
    """

    def __init__(self, benchmark: str, names: Sequence[str], gold_in_q50: int = 3) -> None:
        self.benchmark = benchmark
        self.names = _chosen(names)
        self.gold_in_q50 = gold_in_q50

    def build(
        self,
        questions: QuestionSet[Question],
        retriever: Retriever,
        seed: int,
        swaps: Mapping[str, Swap | str] | None = None,
        also: Sequence[str] = (),
    ) -> list[Case]:
        """Cases question by question, and for each question condition by condition in the order of `CONDITIONS`.

        `swaps` holds for each question id its swap, or the reason why it has none; only qc needs it. `also` names
        conditions that a policy reads beside the chosen ones. A case whose slots cannot be filled says why. Raises
        AbstainError when `gold_in_q50` does not fit the retriever's slots.
        """
        names = _in_order([*self.names, *also])
        if "q50" in names and not 1 <= self.gold_in_q50 <= retriever.top_k:
            raise AbstainError(
                f"condition.gold_in_q50={self.gold_in_q50} does not fit the {retriever.top_k} slots of retriever.top_k"
            )
        if names == ("closed",):  # spares the retrieval
            return [Case(question, "closed", ()) for question in questions.questions]
        return [
            self._case(question, name, evidence, (swaps or {})[question.id] if name == "qc" else None, seed)
            for question, evidence in _evidence(questions, retriever)
            for name in names
        ]

    def _case(self, question: Question, name: str, evidence: _Evidence, swap: Swap | str | None, seed: int) -> Case:
        if name == "closed":
            return Case(question, name, ())
        if isinstance(swap, str):
            return Case(question, name, (), ineligible=swap)
        match name:
            case "q100":
                kept = list(islice(cycle(evidence.gold), evidence.slots))
            case "q50":
                kept = list(islice(cycle(evidence.gold), self.gold_in_q50))
            case _:
                kept = [swap.passage] if swap else []
        free = evidence.slots - len(kept)
        if free > len(evidence.negatives):
            return Case(question, name, (), ineligible=TOO_FEW_NEGATIVES)
        passages = kept + evidence.negatives[:free]
        Random(seed + question.index).shuffle(passages)
        return Case(question, name, tuple(passages), swap=swap)


def questions_naming_their_answer(questions: Iterable[Question]) -> int:
    """How many questions hold one of their answers in their own text, whatever context they come with."""
    return sum(contains_any(question.text, question.answers) for question in questions)


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What the conditions of one question choose from, best retrieval score first."""

    slots: int
    gold: list[str]
    negatives: list[str]
    """Hard negatives, at most one a slot."""


def _evidence(questions: QuestionSet[Question], retriever: Retriever) -> Iterator[tuple[Question, _Evidence]]:
    """Rank the pool's gold and distractor passages, each text once, for every question of the run."""
    published = (passage for question in questions.pool for passage in (*question.gold, *question.distractors))
    position = {passage: at for at, passage in enumerate(dict.fromkeys(published))}
    passages = list(position)
    searchable = [Searchable.of(passage) for passage in passages]
    rows = retriever.scores([question.text for question in questions.questions], passages)
    for question, scores in zip(questions.questions, rows, strict=True):
        gold = {position[passage] for passage in question.gold}
        negatives = (
            passages[at]
            for at in ranking(scores)
            if at not in gold and passages[at].strip() and not searchable[at].holds_any(question.answers)
        )
        yield (
            question,
            _Evidence(
                slots=retriever.top_k,
                gold=[passages[at] for at in sorted(gold, key=lambda at: (-scores[at], at))],
                negatives=list(islice(negatives, retriever.top_k)),
            ),
        )


def _chosen(names: Sequence[str]) -> tuple[str, ...]:
    if not names or len(set(names)) < len(names):
        raise AbstainError(f"condition.names={list(names)}: give some of {', '.join(CONDITIONS)}, each once")
    return _in_order(names)


def _in_order(names: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        if name not in CONDITIONS:
            raise AbstainError(f"condition.names: {name} is unknown; choose from {', '.join(CONDITIONS)}")
    return tuple(name for name in CONDITIONS if name in names)
