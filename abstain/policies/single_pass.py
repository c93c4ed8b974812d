"""p0, p1, p2: the prompt alone decides (GRAB-RAG 3.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from abstain.policies.base import Evidence, Thresholds, as_said
from abstain.rows import GRAB_RAG, Decision


@dataclass(frozen=True)
class SinglePass:
    """A policy that takes the context pass at its word."""

    benchmark: ClassVar[str] = GRAB_RAG
    name: str
    prompt: str
    needs_closed: bool = False
    needs_nli: bool = False

    def decide(self, evidence: Evidence, thresholds: Thresholds) -> Decision:
        """The context pass as it is."""
        return as_said(evidence.context)
