"""One sequence at a time, exactly: a row's bytes depend on the row alone (DESIGN 5.1).

A prompt is always evaluated as two pieces, prefix and suffix, each in chunks from its own start, and the suffix is
taken out of the cache before the next one. So a prefix that is still in the cache holds the very values that
evaluating it again would give, and sharing it changes no bit.

Nor does the cut itself on a CPU: llama.cpp's kernels for repacked weights take four tokens at a time and the rest of a
chunk one by one, with other roundings. `Vocab.split` therefore cuts at a multiple of eight, where no token changes
from the one kind to the other, and the logits are those of the prompt evaluated whole.
"""

from __future__ import annotations

from time import perf_counter

from abstain.models.llama_cpp.draft import Draft
from abstain.models.llama_cpp.session import Session


def write(draft: Draft, session: Session) -> int:
    """Write a whole reply; returns how many prompt tokens were in the cache already."""
    prefix, suffix = draft.request.prefix, draft.request.suffix
    started = perf_counter()
    saved = _ready_prefix(session, prefix)
    position = len(prefix)
    piece = list(suffix)
    while not draft.finish:
        draft.step(session.evaluate(piece, position))
        position += len(piece)
        piece = draft.tokens[-1:]
    draft.seconds = perf_counter() - started
    return saved


def _ready_prefix(session: Session, prefix: tuple[int, ...]) -> int:
    """Leave exactly `prefix` in the cache; returns its length if it was there."""
    if prefix == session.prefix and session.forget(len(prefix)):
        return len(prefix)
    session.clear()
    if prefix:
        session.evaluate(prefix, 0)
    session.prefix = prefix
    return 0
