"""From one question to its swap: gold passages in order, tiers in order, the first accepted swap wins."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from abstain.conditions.swap import names, numeric
from abstain.conditions.swap.edits import apply, articles, repeats
from abstain.conditions.swap.locate import Span, born_parenthetical, locate, occurrences, possessive
from abstain.conditions.swap.plan import NO_TIER, Plan, Unfit
from abstain.conditions.swap.pool import Pool
from abstain.ner.base import Entity
from abstain.rows import Question, Swap
from abstain.text import contains_any

_NOT_FOUND = "answer_not_in_passage"


@dataclass(frozen=True)
class Search:
    """Everything that swaps are made from."""

    pool: Pool
    entities: Mapping[str, tuple[Entity, ...]]
    """By text: every gold passage, and every `spans_to_read`."""
    seed: int

    def swap(self, question: Question) -> Swap | str:
        """The question's swap, or the reason why it has none; depends on no other question's search."""
        rng = random.Random(self.seed + question.index)
        reasons = []
        for passage in question.gold:
            try:
                return self._swap_passage(question, passage, rng)
            except Unfit as unfit:
                reasons.append(str(unfit))
        return next((reason for reason in reasons if reason != _NOT_FOUND), _NOT_FOUND)

    def _swap_passage(self, question: Question, passage: str, rng: random.Random) -> Swap:
        answer = question.answers[0]
        spans = locate(answer, passage)
        if not spans:
            raise Unfit(_NOT_FOUND)
        if born_parenthetical(answer, passage):
            raise Unfit("born_parenthetical")
        if possessive(answer, passage):
            raise Unfit("possessive")
        scene = names.Scene(
            question.text, question.answers, passage, spans, self.entities[passage], self.entities[spans[0].text]
        )
        attempts: list[Callable[[], Plan]] = [
            partial(numeric.year, spans[0], passage, question.text, rng),
            partial(numeric.number, spans, passage, rng),
            partial(names.entity, scene, self.pool, rng),
            *(partial(names.sub_entity, inner, scene, self.pool, rng) for inner in names.confirmed(scene)),
        ]
        reasons = []
        for attempt in attempts:
            try:
                return finish(attempt(), spans[0], question, passage)
            except Unfit as unfit:
                reasons.append(str(unfit))
        raise Unfit(next((reason for reason in reasons if reason != NO_TIER), NO_TIER))


def finish(plan: Plan, answer: Span, question: Question, passage: str) -> Swap:
    """Make the edits of a plan and check the result. Raises Unfit if a gold alias is left or the passage stutters."""
    edits = sorted((*plan.edits, *articles(passage, plan.edits)), key=lambda edit: edit.start)
    changed = apply(passage, edits)
    if repeats(changed, plan.replacement) and not repeats(passage, plan.original):
        raise Unfit("filter_repetition")
    inside = [edit for edit in edits if answer.start <= edit.start and edit.end <= answer.end]
    planted = apply(answer.text, inside, offset=answer.start)
    if any(occurrences(alias, changed) for alias in question.answers) or contains_any(changed, question.answers):
        raise Unfit("gold_alias_left")
    return Swap(
        original_passage=passage,
        passage=changed,
        original=plan.original,
        replacement=plan.replacement,
        planted=planted,
        tier=plan.tier,
        type=plan.type,
        edits=tuple(edits),
    )


def spans_to_read(question: Question) -> Iterator[str]:
    """The answer spans that tiers 3 and 4 may want to read alone, as they stand in the gold passages."""
    for passage in question.gold:
        spans = locate(question.answers[0], passage)
        if spans:
            yield spans[0].text
