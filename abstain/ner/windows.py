"""Overlapping windows over long texts, so that a recogniser with a length limit reads every word.

GLiNER cuts a text at ``max_len`` of its own words, with one warning for a whole process, and its tokenizer may cut
earlier still. Here each text is split with the model's own splitter into windows that respect both limits, and each
entity is taken from the one window that owns its first word: no entity is seen cut, none is counted twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from abstain.ner.base import Entity


@dataclass(frozen=True, slots=True)
class Window:
    """Words ``first`` to ``last`` (exclusive) of a text; it owns entities that begin in ``own_from .. own_to``."""

    first: int
    last: int
    own_from: int
    own_to: int


def split(costs: Sequence[int], words: int, tokens: int | None, overlap: int) -> list[Window]:
    """Windows that cover all words.

    `costs` holds the subword tokens of each word. A window has at most `words` words and `tokens` tokens (None: no
    token limit), but always one word. Neighbours share up to `overlap` words, at most half a window; each owns its
    half of what they share.
    """
    spans: list[tuple[int, int]] = []
    first = 0
    while first < len(costs):
        last = _end(costs, first, words, tokens)
        spans.append((first, last))
        if last == len(costs):
            break
        first = max(first + 1, last - min(overlap, (last - first) // 2))
    borders = [0, *((start + end + 1) // 2 for (_, end), (start, _) in pairwise(spans)), len(costs)]
    return [Window(first, last, borders[i], borders[i + 1]) for i, (first, last) in enumerate(spans)]


def _end(costs: Sequence[int], first: int, words: int, tokens: int | None) -> int:
    last, used = first + 1, costs[first]
    while last < len(costs) and last - first < words:
        used += costs[last]
        if tokens is not None and used > tokens:
            break
        last += 1
    return last


def merge(found: Iterable[Entity]) -> tuple[Entity, ...]:
    """The entities of all windows of one text by offset; of two that overlap at a border the earlier one stays."""
    merged: list[Entity] = []
    for entity in sorted(found, key=lambda entity: (entity.start, -entity.end, entity.type)):
        if not merged or entity.start >= merged[-1].end:
            merged.append(entity)
    return tuple(merged)
