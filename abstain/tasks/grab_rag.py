"""The path of GRAB-RAG's rows through the stages: cases, the passes they need, decisions, scores."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from abstain.assemble import Parts
from abstain.conditions.contexts import questions_naming_their_answer
from abstain.policies.base import Evidence, Thresholds, as_said
from abstain.policies.prompts import closed_prompt, context_prompt
from abstain.rows import Case, Decision, Prompt, Question, QuestionSet, Response, ScoredRow, Swap
from abstain.scoring.outcome import score
from abstain.text import contains_any

log = logging.getLogger(__name__)

PassId = tuple[str, str, str]
"""Which prompt, of which question, under which condition."""

ANCHOR = "p1"
"""The prompt whose exact matches at q100 are the capability set of FAC (GRAB-RAG 3.5)."""


@dataclass(frozen=True)
class GrabRag:
    """The cases of one cell and everything that is decided about them."""

    parts: Parts
    questions: QuestionSet[Question]
    cases: tuple[Case, ...]
    """Question by question over the chosen conditions; ineligible ones included."""
    anchors: tuple[Case, ...]
    """q100 of every question, whether q100 was chosen or not."""

    @staticmethod
    def build(parts: Parts) -> GrabRag:
        """Load the questions and build their cases."""
        questions = parts.dataset.load()
        chosen = parts.conditions.names
        swaps: Mapping[str, Swap | str] = {}
        if "qc" in chosen:
            from abstain.conditions.swap import find_swaps

            swaps = find_swaps(questions, parts.ner, parts.seed, parts.cache)
        built = parts.conditions.build(questions, parts.retriever, parts.seed, swaps, also=("q100",))
        cases = tuple(case for case in built if case.condition in chosen)
        anchors = tuple(case for case in built if case.condition == "q100")
        log.info(
            "%d questions of %s (left out while loading: %s); %d name their answer themselves",
            *(len(questions.questions), questions.source, dict(questions.dropped)),
            questions_naming_their_answer(questions.questions),
        )
        return GrabRag(parts, questions, cases, anchors)

    @cached_property
    def rows(self) -> tuple[Case, ...]:
        """The cases that are asked."""
        return tuple(case for case in self.cases if case.ineligible is None)

    def prompts(self, prompt: str, closed: bool) -> dict[PassId, Prompt]:
        """Every pass that a policy with this context prompt needs, the anchor's included."""
        cap = self.parts.model.context_tokens
        truncate = self.parts.model.truncate
        wanted = [(prompt, case) for case in self.rows if case.condition != "closed"]
        wanted += [(ANCHOR, case) for case in self.anchors]
        prompts = {
            (name, case.question.id, case.condition): context_prompt(name, case, truncate, cap)
            for name, case in dict.fromkeys(wanted)
        }
        if closed or "closed" in self.parts.conditions.names:
            for question in self.questions.questions:
                prompts[_closed(question)] = closed_prompt(question.id, question.text)
        return prompts

    def evidence(
        self, case: Case, responses: Mapping[PassId, Response], labels: Mapping[PassId, tuple[str, ...]]
    ) -> Evidence:
        """What the policy may look at for a row."""
        own = self.own_pass(case)
        closed = responses.get(_closed(case.question)) if self.parts.policy.needs_closed else None
        return Evidence(responses[own], closed, labels.get(own, ()))

    def own_pass(self, case: Case) -> PassId:
        """The pass that a row's decision starts from."""
        if case.condition == "closed":
            return _closed(case.question)
        return (self.parts.policy.prompt, case.question.id, case.condition)

    def used_passes(self) -> set[PassId]:
        """The passes that the policy's decisions rest on."""
        used = {self.own_pass(case) for case in self.rows}
        if self.parts.policy.needs_closed:
            used |= {_closed(question) for question in self.questions.questions}
        return used

    def decide(self, case: Case, evidence: Evidence, thresholds: Thresholds) -> Decision:
        """The decision on a row; closed-book rows are what the model said, in every cell (DESIGN 6)."""
        if case.condition == "closed":
            return as_said(evidence.context)
        decision: Decision = self.parts.policy.decide(evidence, thresholds)
        return decision

    def score(self, evidence: Sequence[Evidence], thresholds: Thresholds) -> list[ScoredRow]:
        """Decide and score every row; `evidence` stands in the order of `rows`."""
        return [
            score(case, self.decide(case, shown, thresholds)) for case, shown in zip(self.rows, evidence, strict=True)
        ]

    def capable(self, responses: Mapping[PassId, Response]) -> set[str]:
        """Ids of the questions that p1 answers correctly at q100."""
        rows = (score(case, as_said(responses[(ANCHOR, case.question.id, case.condition)])) for case in self.anchors)
        return {row.case.question.id for row in rows if row.exact_match}

    def planted_cut(self, prompts: Mapping[PassId, Prompt]) -> int:
        """How many qc rows lost their planted answer to the cap on context tokens."""
        return sum(self.planted_answer_cut(case, prompts[self.own_pass(case)]) for case in self.rows)

    @staticmethod
    def planted_answer_cut(case: Case, prompt: Prompt) -> bool:
        """Whether a qc row lost its planted answer to the cap on context tokens."""
        return case.swap is not None and not contains_any("\n".join(prompt.shown), [case.swap.planted])


def _closed(question: Question) -> PassId:
    return ("closed", question.id, "closed")


def unique_tokens(responses: Iterable[Response]) -> tuple[int, int, float]:
    """Prompt tokens, completion tokens and model seconds over distinct responses."""
    distinct = {response.key: response for response in responses}.values()
    return (
        sum(response.prompt_tokens for response in distinct),
        sum(response.completion_tokens for response in distinct),
        sum(response.seconds for response in distinct),
    )
