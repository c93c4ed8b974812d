"""What every GRAB-RAG policy offers, and what it may look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from abstain.errors import AbstainError
from abstain.rows import Decision, Response


@dataclass(frozen=True)
class Thresholds:
    """The cutoffs of the verifier policies and the values that are swept around them (GRAB-RAG, Appendix F).

    `f1` and `sweep_f1` lie in 0..1; `confidence` and `sweep_confidence` in 0..100.
    """

    f1: float
    confidence: float
    sweep_f1: Sequence[float] = ()
    sweep_confidence: Sequence[float] = ()

    def __post_init__(self) -> None:
        for key, values, top in (
            ("f1", (self.f1,), 1),
            ("confidence", (self.confidence,), 100),
            ("sweep_f1", self.sweep_f1, 1),
            ("sweep_confidence", self.sweep_confidence, 100),
        ):
            for value in values:
                if not 0 <= value <= top:
                    raise AbstainError(f"thresholds.{key}: {value} is not between 0 and {top}")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a policy may decide from: stored responses and verdicts of one row, never a gold answer."""

    context: Response
    """The reply to the policy's own prompt over the retrieved context."""
    closed: Response | None = None
    """The reply to the closed-book prompt, for policies that ask for it."""
    labels: tuple[str, ...] = ()
    """NLI label of each passage shown, for policies that ask for it; empty when the pair was never judged."""


class Policy(Protocol):
    """A pure decision rule and the passes it needs. Policies never call a model."""

    benchmark: ClassVar[str]
    name: str
    prompt: str
    """Which context prompt the policy reads."""
    needs_closed: bool
    needs_nli: bool

    def decide(self, evidence: Evidence, thresholds: Thresholds) -> Decision:
        """The decision for one row; the same evidence and thresholds always give the same decision."""


def as_said(response: Response, cause: str = "context_pass") -> Decision:
    """The decision that a response states by itself."""
    if not response.valid:
        return Decision("invalid", "", 0, "invalid")
    return Decision(response.decision, response.answer, response.confidence, cause)
