"""A swap as a row of pieces: the text that was kept, and what each edit put in the place of what."""

from __future__ import annotations

from dataclasses import dataclass

from abstain.rows import Swap


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the original passage and what it became; the same text twice where it was kept."""

    before: str
    after: str
    kind: str = ""
    """``swap``, ``article`` or ``scrub``; empty where the text was kept."""


def pieces(swap: Swap) -> list[Piece]:
    """The pieces in order: their ``before`` make up the original passage, their ``after`` the swapped one."""
    found, position = [], 0
    for edit in sorted(swap.edits, key=lambda edit: edit.start):
        found.append(_kept(swap.original_passage[position : edit.start]))
        found.append(Piece(edit.before, edit.after, edit.kind))
        position = edit.end
    found.append(_kept(swap.original_passage[position:]))
    return [piece for piece in found if piece.before or piece.after]


def kept(swap: Swap) -> list[str]:
    """What the edits left of the original passage."""
    return [piece.before for piece in pieces(swap) if not piece.kind]


def _kept(text: str) -> Piece:
    return Piece(text, text)
