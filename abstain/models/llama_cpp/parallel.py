"""Several sequences decoded together, for GPUs: faster there, at the price of invariant 5.1.

The matrix products of a batch sum in an order that depends on its size, so the last bits of a row's logits depend on
how many others run beside it. `parallel` is therefore part of a response's key.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from abstain.models.base import Request
from abstain.models.llama_cpp.draft import Draft, Limits
from abstain.models.llama_cpp.session import Session
from abstain.models.llama_cpp.vocab import Vocab
from abstain.rows import Response


@dataclass(slots=True)
class _Slot:
    """One sequence of the cache: the prefix it holds, and the reply being written after it, if any."""

    sequence: int
    prefix: tuple[int, ...] = ()
    draft: Draft | None = None
    position: int = 0


class ParallelEngine:
    """Answers requests in `parallel` slots; a slot that becomes free takes the next request at once.

    `prefix_tokens_saved` counts the prompt tokens that a slot found in the cache.
    """

    def __init__(self, session: Session, vocab: Vocab, limits: Limits, parallel: int) -> None:
        self.prefix_tokens_saved = 0
        self._session = session
        self._vocab = vocab
        self._limits = limits
        self._slots = [_Slot(sequence) for sequence in range(parallel)]

    def answer(self, requests: Sequence[Request]) -> Iterator[Response]:
        """Yield each response as soon as it is finished; their order is not that of the requests."""
        self._reset()
        waiting = deque(requests)
        try:
            while waiting or any(slot.draft for slot in self._slots):
                for slot in self._slots:
                    if slot.draft is None and waiting:
                        self._start(slot, waiting.popleft())
                self._advance([slot for slot in self._slots if slot.draft and not slot.draft.finish])
                for slot in self._slots:
                    if slot.draft and slot.draft.finish:
                        yield self._finish(slot, slot.draft)
        finally:
            self._reset()

    def _start(self, slot: _Slot, request: Request) -> None:
        draft = Draft(request, self._vocab, self._limits)
        started = perf_counter()
        slot.draft = draft
        self._ready_prefix(slot, request.prefix)
        draft.step(self._session.evaluate(request.suffix, len(request.prefix), slot.sequence))
        slot.position = len(request.prefix) + len(request.suffix)
        draft.seconds += perf_counter() - started

    def _ready_prefix(self, slot: _Slot, prefix: tuple[int, ...]) -> None:
        holder = next((other for other in self._slots if prefix and other.prefix == prefix), None)
        if holder is None:
            self._session.forget(0, slot.sequence)
            if prefix:
                self._session.evaluate(prefix, 0, slot.sequence)
        else:
            self.prefix_tokens_saved += len(prefix)
            if holder is not slot:
                self._session.forget(0, slot.sequence)
                self._session.share(holder.sequence, slot.sequence, len(prefix))
        slot.prefix = prefix

    def _advance(self, live: Sequence[_Slot]) -> None:
        """One token for each live slot, in one batch; the time is split evenly."""
        drafts = [slot.draft for slot in live if slot.draft]
        if not drafts:
            return
        started = perf_counter()
        steps = [(draft.tokens[-1], slot.position, slot.sequence) for slot, draft in zip(live, drafts, strict=True)]
        for slot, draft, logits in zip(live, drafts, self._session.evaluate_together(steps), strict=True):
            slot.position += 1
            draft.step(logits)
        share = (perf_counter() - started) / len(drafts)
        for draft in drafts:
            draft.seconds += share

    def _finish(self, slot: _Slot, draft: Draft) -> Response:
        slot.draft = None
        draft.close()
        if not self._session.forget(len(slot.prefix), slot.sequence):
            slot.prefix = ()
        return draft.response()

    def _reset(self) -> None:
        self._session.clear()
        for slot in self._slots:
            if slot.draft:
                slot.draft.close()
            slot.prefix, slot.draft = (), None
