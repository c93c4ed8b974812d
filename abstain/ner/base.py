"""What every recogniser offers: texts in, typed spans out, in the internal types of the swap pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

TYPES = ("PERSON", "ORG", "GPE", "NORP", "LOC", "EVENT", "WORK_OF_ART")
"""Internal entity types (GRAB-RAG, Table 4)."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A typed span: ``text == source[start:end]``."""

    start: int
    end: int
    text: str
    type: str
    """One of `TYPES`."""


class Ner(Protocol):
    """A named-entity recogniser. Constructing one loads nothing."""

    @property
    def identity(self) -> str:
        """Everything that can change what is found, by content; cheap, and never loads the weights."""

    def entities(self, texts: Sequence[str]) -> list[tuple[Entity, ...]]:
        """The entities of each text, in order of their start and without overlaps.

        What is found in a text depends on that text alone, not on the others of the call.
        """
