"""The one place where generation happens: what the store lacks is made once, in the order that shares prefixes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from abstain.errors import AbstainError
from abstain.models.base import Model, Request, by_prefix
from abstain.rows import Prompt, Response
from abstain.store import Store


@dataclass(frozen=True, slots=True)
class Work:
    """What a job has to generate, known before any weights are loaded."""

    own: tuple[Request, ...]
    """The requests of the job's own prompts, in their order; equal prompts have equal keys."""
    missing: tuple[Request, ...]
    """The requests to generate: unique, not in the store, those with a shared prefix side by side."""
    reused: int
    """How many unique requests of the job's own the store already answers."""


@dataclass(frozen=True, slots=True)
class Completed:
    """The responses of a job and what they cost."""

    responses: Mapping[str, Response]
    """By request key; every own request has one."""
    generated: int
    reused: int
    prefix_tokens_saved: int
    """Prompt tokens that were not evaluated because their prefix was still in the cache."""


def plan(
    model: Model,
    store: Store,
    own: Sequence[Prompt],
    siblings: Sequence[Prompt] = (),
    made: Set[str] = frozenset(),
) -> Work:
    """Decide what must be generated for `own`.

    A sibling prompt (of another job of the same sweep) is made now if it shares its prefix with a missing prompt of
    our own, because that prefix will never be cheaper. `made` are keys to take as stored: what earlier jobs of a sweep
    will have made by then.
    """
    ours = model.prepare(own)
    theirs = model.prepare(siblings)
    known = store.known(request.key for request in (*ours, *theirs)) | made
    missing = {request.key: request for request in ours if request.key not in known}
    prefixes = {request.prefix for request in missing.values()}
    for request in theirs:
        if request.key not in known and request.prefix and request.prefix in prefixes:
            missing.setdefault(request.key, request)
    return Work(
        own=tuple(ours),
        missing=by_prefix(missing.values()),
        reused=len({request.key for request in ours} & known),
    )


def complete(model: Model, store: Store, work: Work, advance: Callable[[], None]) -> Completed:
    """Generate what is missing, storing each response as it is made; `advance` is called after each.

    A response that is an error (a server that gave up) is not stored, so the next run asks again. Raises AbstainError
    at the end when a prompt of our own got one: an error is no answer and no abstention, so there is nothing to score.
    """
    made: dict[str, Response] = {}
    errors: dict[str, Response] = {}
    for response in model.generate(work.missing) if work.missing else ():
        if response.finish == "error":
            errors[response.key] = response
        else:
            made[response.key] = store.keep(response, model.name)
        advance()
    wanted = {request.key for request in work.own}
    if failed := [errors[key] for key in sorted(wanted & errors.keys())]:
        raise AbstainError(
            f"{len(failed)} of {len(wanted)} prompts got no reply from {model.name} ({failed[0].raw}); "
            "the others are kept: run the same command again"
        )
    responses = store.find(wanted - made.keys()) | {key: made[key] for key in wanted & made.keys()}
    return Completed(responses, len(made), work.reused, prefix_tokens_saved(work.missing))


def prefix_tokens_saved(requests: Sequence[Request]) -> int:
    """Prompt tokens that a run over `requests`, in this order, need not evaluate again."""
    saved = 0
    for before, request in pairwise(requests):
        if request.prefix == before.prefix:
            saved += len(request.prefix)
    return saved
