"""The in-run sensitivity sweeps, from what is stored: no model is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from abstain.policies.base import Evidence, Policy, Thresholds
from abstain.policies.two_pass import ConflictCheck
from abstain.scoring.sweeps import SweepPoint, sweep
from abstain.tasks.grab_rag import GrabRag

STEPS = {"sweep_f1": 100, "sweep_confidence": 1}
"""MLflow steps are whole numbers: the F1 threshold is logged times 100, the confidence cutoff as it is."""


def run_sweeps(cell: GrabRag, evidence: Sequence[Evidence], capable: set[str]) -> dict[str, list[SweepPoint]]:
    """The sweeps that the cell's policy has: the F1 threshold for p3, the confidence cutoff for p3 and p4."""
    policy: Policy = cell.parts.policy
    chosen = cell.parts.thresholds
    sweeps = {}
    if isinstance(policy, ConflictCheck):
        sweeps["sweep_f1"] = _sweep(cell, evidence, capable, chosen.sweep_f1, lambda value: replace(chosen, f1=value))
    if policy.needs_closed:
        sweeps["sweep_confidence"] = _sweep(
            cell, evidence, capable, chosen.sweep_confidence, lambda value: replace(chosen, confidence=value)
        )
    return sweeps


def _sweep(
    cell: GrabRag,
    evidence: Sequence[Evidence],
    capable: set[str],
    values: Sequence[float],
    at: Callable[[float], Thresholds],
) -> list[SweepPoint]:
    return sweep(
        lambda value: cell.score(evidence, at(value)),
        values,
        capable,
        conditions=cell.parts.conditions.names,
        questions=len(cell.questions.questions),
    )
