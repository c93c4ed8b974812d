"""task=plan: what a run would do, without loading more of a model than its tokenizer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig
from rich.console import Console
from rich.table import Table
from rich.text import Text

from abstain import manifest
from abstain.assemble import Parts, assemble
from abstain.generate import Work, plan, prefix_tokens_saved
from abstain.manifest import Job, Manifest
from abstain.rows import GRAB_RAG, Prompt
from abstain.tasks.grab_rag import GrabRag, PassId
from abstain.tasks.run_choice import choice_prompts
from abstain.tasks.run_grab_rag import sibling_prompts
from abstain.tasks.verify import pairs_to_judge


@dataclass(frozen=True)
class Plan:
    """Print rows, generations, tokens, what is reused and an estimated time."""

    tracked: bool = False

    def __call__(self, config: DictConfig) -> None:
        """Plan the cell of `config`; in a sweep, after the jobs before it."""
        sweep = manifest.current()
        parts = assemble(config)
        if parts.benchmark != GRAB_RAG:
            prompts = choice_prompts(parts)
            _print(parts, len(prompts), plan(parts.model, parts.store, prompts), None)
            return
        cell = GrabRag.build(parts)
        prompts_by_pass = cell.prompts(parts.policy.prompt, parts.policy.needs_closed)
        work = _planned(cell, prompts_by_pass.values(), _family(sweep, config))
        _print(parts, len(cell.rows), work, _pending_nli(cell, prompts_by_pass, work))


def _family(sweep: Manifest | None, config: DictConfig) -> list[Job]:
    """The jobs of the sweep that ask about the same cases, this one included, in their order; none outside a sweep."""
    if sweep is None:
        return []
    own = sweep.jobs[HydraConfig.get().job.num]
    return sorted([*sweep.siblings(own.config), own], key=lambda job: job.number)


def _planned(cell: GrabRag, own: Iterable[Prompt], family: Sequence[Job]) -> Work:
    """The work of this job, once the earlier jobs of its family have made theirs and what they make for others."""
    model, store = cell.parts.model, cell.parts.store
    made: set[str] = set()
    for job in family:
        others = sibling_prompts(cell, [other for other in family if other.config["policy"] != job.config["policy"]])
        mine = sibling_prompts(cell, [job])
        work = plan(model, store, mine, others, made)
        if job.number == HydraConfig.get().job.num:
            return work
        made |= {request.key for request in work.missing}
    return plan(model, store, list(own))


def _pending_nli(cell: GrabRag, prompts: Mapping[PassId, Prompt], work: Work) -> str | None:
    """What is known of the NLI phase; None where the policy has none."""
    parts = cell.parts
    if not parts.policy.needs_nli:
        return None
    stored = parts.store.find(request.key for request in work.own)
    if len(stored) < len({request.key for request in work.own}):
        return "known once the context and closed-book passes exist"
    responses = {passed: stored[request.key] for passed, request in zip(prompts, work.own, strict=True)}
    pairs = {pair for row in pairs_to_judge(cell, prompts, responses).values() for pair in row}
    return f"{parts.nli.pending(sorted(pairs), parts.model, parts.store)} of {len(pairs)} pairs to judge"


def _print(parts: Parts, rows: int, work: Work, pending_nli: str | None) -> None:
    table = Table("plan", "", show_header=False)
    table.add_row("rows", str(rows))
    table.add_row("unique generations they need", str(len({request.key for request in work.own})))
    table.add_row("reused from the store", str(work.reused))
    table.add_row("to generate (with what later jobs of the sweep share)", str(len(work.missing)))
    prompt_tokens = sum(len(request.prefix) + len(request.suffix) for request in work.missing)
    table.add_row("prompt tokens to generate from", str(prompt_tokens))
    table.add_row("prefix tokens saved", str(prefix_tokens_saved(work.missing)))
    table.add_row("estimated time", Text(_estimate(parts, len(work.missing))))
    if pending_nli is not None:
        table.add_row("second phase: NLI", pending_nli)
    Console().print(table)


def _estimate(parts: Parts, rows: int) -> str:
    if rows == 0:
        return "0 s"
    mean = parts.store.mean_seconds(parts.model.name)
    if mean is None:
        return f"unknown: the store has no response of {parts.model.name} to go by"
    return f"{rows * mean:.0f} s at {mean:.2f} s a row, the mean of the stored ones"
