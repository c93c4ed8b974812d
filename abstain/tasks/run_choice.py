"""One ArcticAbstain cell from its parts to its result: ask every item in both conditions and every trial, score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from abstain.assemble import Parts
from abstain.conditions.choice import order_seed
from abstain.generate import Turn, complete, plan
from abstain.policies.mcq import MultipleChoice
from abstain.progress import progress
from abstain.rows import ChoiceCase, ChoiceQuestion, Decision, Prompt, QuestionSet, Response
from abstain.scoring.choice import ScoredChoice, choice_metrics, score
from abstain.tasks.grab_rag import unique_tokens
from abstain.tasks.result import Result, provenance


def run_choice(parts: Parts, turn: Turn) -> Result:
    """Generate what the cell lacks, then decide and score it."""
    questions = parts.dataset.load()
    cases = _cases(parts, questions)
    prompts = [parts.policy.build(case) for case in cases]
    work = plan(parts.model, parts.store, prompts)
    with progress(parts.model.name, len(work.missing), work.reused) as advance:
        completed = complete(parts.model, parts.store, work, advance, turn)
    responses = [completed.responses[request.key] for request in work.own]
    policy: MultipleChoice = parts.policy
    decisions = [policy.decide(case, response) for case, response in zip(cases, responses, strict=True)]
    scored = [score(case, decision) for case, decision in zip(cases, decisions, strict=True)]
    prompt_tokens, completion_tokens, seconds = unique_tokens(responses)
    costs = {
        "cost/generated": completed.generated,
        "cost/reused": completed.reused,
        "cost/prefix_tokens_saved": completed.prefix_tokens_saved,
        "cost/policy_prompt_tokens": prompt_tokens,
        "cost/policy_completion_tokens": completion_tokens,
        "cost/policy_seconds": seconds,
    }
    rows = zip(cases, prompts, responses, decisions, scored, strict=True)
    records = [_record(parts, *row) for row in rows]
    return Result(choice_metrics(scored) | costs, records, sweeps={}, read=provenance(questions, parts.model))


def choice_prompts(parts: Parts) -> list[Prompt]:
    """Every prompt of the cell."""
    return [parts.policy.build(case) for case in _cases(parts, parts.dataset.load())]


def _cases(parts: Parts, questions: QuestionSet[ChoiceQuestion]) -> list[ChoiceCase]:
    cases: list[ChoiceCase] = parts.conditions.build(
        questions.questions, parts.model.name, parts.seed, parts.policy.trials
    )
    return cases


def _record(
    parts: Parts, case: ChoiceCase, prompt: Prompt, response: Response, decision: Decision, scored: ScoredChoice
) -> Mapping[str, Any]:
    question = case.question
    return {
        "item_id": question.id,
        "index": question.index,
        "model": parts.model.name,
        "question": question.text,
        "gold": question.gold,
        "condition": case.condition,
        "trial": case.trial,
        "order_seed": str(order_seed(parts.seed, question.id, case.condition, case.trial, parts.model.name)),
        "options": [option.kind for option in case.options],
        "option_texts": [option.text for option in case.options],
        "system": prompt.system,
        "prompt": prompt.user,
        "key": response.key,
        "raw": response.raw,
        "valid": response.valid,
        "choice": response.decision,
        "option_probabilities": list(response.option_probabilities),
        "finish": response.finish,
        "prompt_tokens": response.prompt_tokens,
        "completion_tokens": response.completion_tokens,
        "seconds": response.seconds,
        "decision": decision.verdict,
        "answer": decision.answer,
        "confidence": decision.confidence,
        "outcome": scored.code,
    }
