"""The NLI phase of p4: which pairs must be judged, once the passes of a cell exist."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from abstain.progress import progress
from abstain.rows import Prompt, Response
from abstain.tasks.grab_rag import GrabRag, PassId
from abstain.verifiers.base import Pair, distinct, hypothesis


@dataclass(frozen=True)
class Judgement:
    """The labels of the passages of each pass, and how many pairs had to be judged for them."""

    labels: Mapping[PassId, tuple[str, ...]]
    made: int


def judge(cell: GrabRag, prompts: Mapping[PassId, Prompt], responses: Mapping[PassId, Response]) -> Judgement:
    """Judge every row in which both passes answer, whatever their confidence, so that any cutoff can be swept."""
    if not cell.parts.policy.needs_nli:
        return Judgement({}, 0)
    pairs = pairs_to_judge(cell, prompts, responses)
    unique = distinct([pair for row in pairs.values() for pair in row])
    parts = cell.parts
    missing = parts.nli.pending(unique, parts.model, parts.store)
    with progress("NLI", missing, len(unique) - missing) as advance:
        judged = parts.nli.judge(unique, parts.model, parts.store, advance)
    return Judgement({passed: tuple(judged.labels[pair] for pair in row) for passed, row in pairs.items()}, judged.made)


def pairs_to_judge(
    cell: GrabRag, prompts: Mapping[PassId, Prompt], responses: Mapping[PassId, Response]
) -> dict[PassId, list[Pair]]:
    """(passage, hypothesis) pairs of each row that the verifier may have to decide."""
    pairs: dict[PassId, list[Pair]] = {}
    for case in cell.rows:
        own = cell.own_pass(case)
        closed = responses.get(("closed", case.question.id, "closed"))
        if case.condition == "closed" or closed is None or not (_answers(responses[own]) and _answers(closed)):
            continue
        claim = hypothesis(case.question.text, closed.answer)
        pairs[own] = [(passage, claim) for passage in prompts[own].shown]
    return pairs


def _answers(response: Response) -> bool:
    return response.valid and response.decision == "answer"
