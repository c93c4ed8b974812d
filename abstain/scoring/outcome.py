"""How a decision compares with what was right: one category a row (DESIGN 3).

Only here do a decision and the gold answers meet; neither policies nor verifiers see them.
"""

from __future__ import annotations

from abstain.rows import Case, Decision, Outcome, ScoredRow
from abstain.scoring.qa import exact_match, f1


def score(case: Case, decision: Decision) -> ScoredRow:
    """Score a decision on an eligible case; the decision field alone says whether it answered (GRAB-RAG 3.5)."""
    if decision.verdict != "answer":
        return ScoredRow(case, decision, _without_answer(case, decision), exact_match=False, f1=0.0)
    matches = exact_match(decision.answer, case.question.answers)
    outcome = _answered(case, decision.answer, matches)
    return ScoredRow(case, decision, outcome, exact_match=matches, f1=f1(decision.answer, case.question.answers))


def _without_answer(case: Case, decision: Decision) -> Outcome:
    if decision.verdict == "invalid":
        return Outcome.INVALID
    if case.condition == "closed":
        return Outcome.ABSTAINED
    return Outcome.FALSE_ABSTENTION if case.answerable else Outcome.RIGHT_ABSTENTION


def _answered(case: Case, answer: str, matches: bool) -> Outcome:
    if case.answerable or case.condition == "closed":
        return Outcome.CORRECT if matches else Outcome.WRONG
    if matches:
        return Outcome.CORRECT_OVERRIDE
    if case.swap is not None and exact_match(answer, [case.swap.planted]):
        return Outcome.ECHO
    return Outcome.HALLUCINATION
