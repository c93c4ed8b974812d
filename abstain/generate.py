"""The one place where generation happens: what the store lacks is made once, in the order that shares prefixes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import attrgetter

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


@dataclass(frozen=True, slots=True)
class Turn:
    """A job's place among the jobs of its sweep that run at the same time."""

    number: int = 0
    of: int = 1


ALONE = Turn()


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


def complete(model: Model, store: Store, work: Work, advance: Callable[[], None], turn: Turn = ALONE) -> Completed:
    """Generate what is missing, storing each response as it is made; `advance` is called for each.

    A response that is an error (a server that gave up) is not stored, so the next run asks again. Raises AbstainError
    at the end when a prompt of our own got one: an error is no answer and no abstention, so there is nothing to score.
    """
    made: dict[str, Response] = {}
    errors: dict[str, Response] = {}
    asked: list[Request] = []
    for batch in _batches(work.missing, turn):
        known = store.known(request.key for request in batch) if turn.of > 1 else set()
        for _ in known:
            advance()
        fresh = [request for request in batch if request.key not in known]
        asked += fresh
        for response in model.generate(fresh) if fresh else ():
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
    return Completed(responses, len(made), len(wanted - made.keys()), prefix_tokens_saved(asked))


def _batches(missing: Sequence[Request], turn: Turn) -> list[Sequence[Request]]:
    """All of it at once for a job alone; else a batch a prefix, from another place in the list for each job.

    Jobs that run at once often want the same. Looking again before each batch, and starting elsewhere, they share the
    work instead of doing it twice.
    """
    if turn.of == 1:
        return [missing]
    batches: list[Sequence[Request]] = [tuple(batch) for _, batch in groupby(missing, attrgetter("prefix"))]
    start = len(batches) * turn.number // turn.of
    return batches[start:] + batches[:start]


def prefix_tokens_saved(requests: Sequence[Request]) -> int:
    """Prompt tokens that a run over `requests`, in this order, need not evaluate again."""
    saved = 0
    for before, request in pairwise(requests):
        if request.prefix == before.prefix:
            saved += len(request.prefix)
    return saved
