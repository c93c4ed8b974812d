"""One GRAB-RAG cell from its parts to its result: plan, generate, verify, decide, score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from abstain.assemble import Parts, construct
from abstain.generate import Completed, Turn, complete, plan
from abstain.manifest import Job
from abstain.policies.base import Evidence, Policy
from abstain.progress import progress
from abstain.rows import Prompt, Response
from abstain.scoring.cell import cell_metrics
from abstain.tasks.grab_rag import GrabRag, PassId, unique_tokens
from abstain.tasks.responses import grab_rag_records
from abstain.tasks.result import Result, provenance
from abstain.tasks.sweeps import run_sweeps
from abstain.tasks.verify import Judgement, judge


def run_grab_rag(parts: Parts, siblings: Sequence[Job], turn: Turn) -> Result:
    """Generate and verify what the cell lacks, then decide, score and sweep from what is stored."""
    cell = GrabRag.build(parts)
    prompts = cell.prompts(parts.policy.prompt, parts.policy.needs_closed)
    responses, completed = _generate(cell, prompts, siblings, turn)
    judgement = judge(cell, prompts, responses)
    evidence = [cell.evidence(case, responses, judgement.labels) for case in cell.rows]
    scored = cell.score(evidence, parts.thresholds)
    capable = cell.capable(responses)
    metrics = cell_metrics(
        scored,
        capable,
        conditions=parts.conditions.names,
        questions=len(cell.questions.questions),
        **_counts(cell, prompts, evidence),
    )
    return Result(
        metrics=metrics | _costs(cell, responses, completed, judgement),
        records=grab_rag_records(cell, prompts, evidence, scored, capable),
        sweeps=run_sweeps(cell, evidence, capable),
        read=provenance(cell.questions, parts.model),
    )


def sibling_prompts(cell: GrabRag, siblings: Sequence[Job]) -> list[Prompt]:
    """The prompts that other jobs of the sweep want over the same cases."""
    policies: list[Policy] = [construct(job.config["policy"]) for job in siblings]
    wanted = sorted({(policy.prompt, policy.needs_closed) for policy in policies})
    return [prompt for name, closed in wanted for prompt in cell.prompts(name, closed).values()]


def _generate(
    cell: GrabRag, prompts: Mapping[PassId, Prompt], siblings: Sequence[Job], turn: Turn
) -> tuple[dict[PassId, Response], Completed]:
    parts = cell.parts
    work = plan(parts.model, parts.store, list(prompts.values()), sibling_prompts(cell, siblings))
    with progress(parts.model.name, len(work.missing), work.reused) as advance:
        completed = complete(parts.model, parts.store, work, advance, turn)
    keys = {passed: request.key for passed, request in zip(prompts, work.own, strict=True)}
    return {passed: completed.responses[key] for passed, key in keys.items()}, completed


def _counts(cell: GrabRag, prompts: Mapping[PassId, Prompt], evidence: Sequence[Evidence]) -> dict[str, int]:
    return {
        "truncated": sum(shown.context.finish == "length" for shown in evidence),
        "context_cut": sum(prompts[cell.own_pass(case)].context_cut for case in cell.rows),
        "planted_cut": cell.planted_cut(prompts),
    }


def _costs(
    cell: GrabRag, responses: Mapping[PassId, Response], completed: Completed, judgement: Judgement
) -> dict[str, Any]:
    used = [responses[passed] for passed in cell.used_passes()]
    prompt_tokens, completion_tokens, seconds = unique_tokens(used)
    return {
        "cost/generated": completed.generated,
        "cost/reused": completed.reused,
        "cost/nli": judgement.made,
        "cost/prefix_tokens_saved": completed.prefix_tokens_saved,
        "cost/policy_prompt_tokens": prompt_tokens,
        "cost/policy_completion_tokens": completion_tokens,
        "cost/policy_seconds": seconds,
    }
