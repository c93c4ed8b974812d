"""task=plan: what a run would do, without loading more of a model than its tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omegaconf import DictConfig, OmegaConf
from rich.console import Console
from rich.table import Table

from abstain import manifest
from abstain.assemble import Parts, assemble
from abstain.generate import Work, plan, prefix_tokens_saved
from abstain.manifest import Job
from abstain.rows import GRAB_RAG


@dataclass(frozen=True)
class Plan:
    """Print rows, generations, tokens, what is reused and an estimated time."""

    tracked: bool = False

    def __call__(self, config: DictConfig) -> None:
        """Plan the cell of `config`, with its siblings when it is a job of a sweep."""
        plain = OmegaConf.to_container(config, resolve=True)
        assert isinstance(plain, dict)
        sweep = manifest.current()
        parts = assemble(config)
        siblings = sweep.siblings({str(key): value for key, value in plain.items()}) if sweep else []
        work, pending_nli = _work(parts, siblings)
        _print(parts, work, pending_nli)


def _work(parts: Parts, siblings: Sequence[Job]) -> tuple[Work, str | None]:
    """The generations, and what is known of the NLI phase (None where the policy has none)."""
    if parts.benchmark != GRAB_RAG:
        from abstain.tasks.run_choice import choice_prompts

        return plan(parts.model, parts.store, choice_prompts(parts)), None
    from abstain.tasks.grab_rag import GrabRag
    from abstain.tasks.run_grab_rag import sibling_prompts
    from abstain.tasks.verify import pairs_to_judge

    cell = GrabRag.build(parts)
    prompts = cell.prompts(parts.policy.prompt, parts.policy.needs_closed)
    work = plan(parts.model, parts.store, list(prompts.values()), sibling_prompts(cell, siblings))
    if not parts.policy.needs_nli:
        return work, None
    stored = parts.store.find(request.key for request in work.own)
    if len(stored) < len({request.key for request in work.own}):
        return work, "known once the context and closed-book passes exist"
    responses = {passed: stored[request.key] for passed, request in zip(prompts, work.own, strict=True)}
    pairs = {pair for row in pairs_to_judge(cell, prompts, responses).values() for pair in row}
    pending = parts.nli.pending(sorted(pairs), parts.model, parts.store)
    return work, f"{pending} of {len(pairs)} pairs to judge"


def _print(parts: Parts, work: Work, pending_nli: str | None) -> None:
    table = Table("plan", "", show_header=False)
    table.add_row("rows", str(len(work.own)))
    table.add_row("unique generations", str(len({request.key for request in work.own})))
    table.add_row("reused from the store", str(work.reused))
    table.add_row("to generate (with what other jobs of the sweep share)", str(len(work.missing)))
    prompt_tokens = sum(len(request.prefix) + len(request.suffix) for request in work.missing)
    table.add_row("prompt tokens to generate from", str(prompt_tokens))
    table.add_row("prefix tokens saved", str(prefix_tokens_saved(work.missing)))
    table.add_row("estimated time", _estimate(parts, len(work.missing)))
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
