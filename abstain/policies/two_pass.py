"""p3 and p4: the context pass, checked against what the model says without any context (GRAB-RAG 3.4, Appendix B).

The rules stand in the paper's order and the first match applies. Both set the confidence of an abstention to 0,
inherited ones too (DESIGN 6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from abstain.errors import AbstainError
from abstain.policies.base import Evidence, Thresholds, as_said
from abstain.rows import GRAB_RAG, Decision, Response
from abstain.scoring.qa import token_f1


@dataclass(frozen=True)
class ConflictCheck:
    """p3: abstain when the closed-book answer is confident and disagrees by token-level F1."""

    benchmark: ClassVar[str] = GRAB_RAG
    name: str
    prompt: str
    needs_closed: bool = True
    needs_nli: bool = False

    def decide(self, evidence: Evidence, thresholds: Thresholds) -> Decision:
        """First match: context abstains, closed book unreliable, answers agree, else conflict."""
        closed = _closed(evidence)
        if early := _before_the_check(evidence.context, closed, thresholds):
            return early
        if token_f1(evidence.context.answer, closed.answer) >= thresholds.f1:
            return as_said(evidence.context, "agreed")
        return Decision("abstain", "", 0, "conflict")


@dataclass(frozen=True)
class ContradictionCheck:
    """p4: abstain when any passage shown contradicts the confident closed-book answer."""

    benchmark: ClassVar[str] = GRAB_RAG
    name: str
    prompt: str
    needs_closed: bool = True
    needs_nli: bool = True

    def decide(self, evidence: Evidence, thresholds: Thresholds) -> Decision:
        """First match: context abstains, closed book unreliable, any contradiction, else the context answer."""
        if early := _before_the_check(evidence.context, _closed(evidence), thresholds):
            return early
        if "contradiction" in evidence.labels:
            return Decision("abstain", "", 0, "contradiction")
        return as_said(evidence.context, "not_contradicted")


def _closed(evidence: Evidence) -> Response:
    if evidence.closed is None:
        raise AbstainError("a two-pass policy was asked to decide without its closed-book pass")
    return evidence.closed


def _before_the_check(context: Response, closed: Response, thresholds: Thresholds) -> Decision | None:
    """The gate that both verifiers share; None when the check itself must decide."""
    if not context.valid:
        return as_said(context)
    if context.decision == "abstain":
        return Decision("abstain", "", 0, "context_pass")
    if not closed.valid or closed.decision == "abstain" or closed.confidence < thresholds.confidence:
        return as_said(context, "closed_book_unreliable")
    return None
