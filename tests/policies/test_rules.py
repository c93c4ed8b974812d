"""Every rule and cause of GRAB-RAG 3.4 and Appendix B, in the paper's order."""

import dataclasses

import pytest

from abstain.errors import AbstainError
from abstain.policies.base import Evidence, Thresholds
from abstain.policies.single_pass import SinglePass
from abstain.policies.two_pass import ConflictCheck, ContradictionCheck
from abstain.rows import Decision, Response

PAPER = Thresholds(f1=0.8, confidence=50)
P1 = SinglePass("p1", "p1")
P3 = ConflictCheck("p3", "p1")
P4 = ContradictionCheck("p4", "p1")


def said(decision, answer="", confidence=0, valid=True):
    return Response("k", valid, decision, answer, confidence, "", "", "complete", 0, 0, 0.0)


ABSTAINS = said("abstain", confidence=70)
INVALID = said("", valid=False)
PARIS = said("answer", "Paris", 90)


def test_a_single_pass_is_taken_at_its_word():
    assert P1.decide(Evidence(PARIS), PAPER) == Decision("answer", "Paris", 90, "context_pass")
    assert P1.decide(Evidence(ABSTAINS), PAPER) == Decision("abstain", "", 70, "context_pass")
    assert P1.decide(Evidence(INVALID), PAPER) == Decision("invalid", "", 0, "invalid")


@pytest.mark.parametrize("policy", [P3, P4])
def test_an_inherited_abstention_has_confidence_zero(policy):
    assert policy.decide(Evidence(ABSTAINS, PARIS), PAPER) == Decision("abstain", "", 0, "context_pass")


@pytest.mark.parametrize("policy", [P3, P4])
def test_an_invalid_context_pass_makes_the_row_invalid(policy):
    assert policy.decide(Evidence(INVALID, PARIS), PAPER).verdict == "invalid"


@pytest.mark.parametrize("policy", [P3, P4])
@pytest.mark.parametrize("closed", [said("abstain", confidence=99), said("answer", "Rome", 49), INVALID])
def test_an_unreliable_closed_book_pass_leaves_the_context_answer(policy, closed):
    evidence = Evidence(PARIS, closed, ("contradiction",))
    assert policy.decide(evidence, PAPER) == Decision("answer", "Paris", 90, "closed_book_unreliable")


@pytest.mark.parametrize("policy", [P3, P4])
def test_a_closed_book_confidence_at_the_cutoff_is_reliable(policy):
    evidence = Evidence(PARIS, said("answer", "Rome", 50), ("contradiction",))
    assert policy.decide(evidence, PAPER).verdict == "abstain"


def test_p3_accepts_agreement_and_abstains_on_conflict():
    assert P3.decide(Evidence(PARIS, said("answer", "paris!", 80)), PAPER) == Decision("answer", "Paris", 90, "agreed")
    assert P3.decide(Evidence(PARIS, said("answer", "Rome", 80)), PAPER) == Decision("abstain", "", 0, "conflict")


def test_p3_agrees_at_the_threshold_itself():
    # Two of the three reference tokens: precision 1, recall 2/3, F1 exactly 0.8.
    evidence = Evidence(said("answer", "Ada Lovelace", 60), said("answer", "Ada King Lovelace", 60))
    assert P3.decide(evidence, PAPER).cause == "agreed"
    assert P3.decide(evidence, dataclasses.replace(PAPER, f1=0.9)).cause == "conflict"


def test_p3_at_threshold_zero_decides_like_p1():
    for context in (PARIS, ABSTAINS, INVALID):
        for closed in (said("answer", "Rome", 80), ABSTAINS, INVALID):
            decision = P3.decide(Evidence(context, closed), dataclasses.replace(PAPER, f1=0))
            alone = P1.decide(Evidence(context), PAPER)
            assert (decision.verdict, decision.answer) == (alone.verdict, alone.answer)
            assert decision.confidence == (0 if alone.verdict == "abstain" else alone.confidence)


def test_p4_abstains_on_any_contradiction():
    closed = said("answer", "Rome", 80)
    assert P4.decide(Evidence(PARIS, closed, ("neutral", "contradiction")), PAPER) == Decision(
        "abstain", "", 0, "contradiction"
    )
    assert P4.decide(Evidence(PARIS, closed, ("neutral", "entailment")), PAPER) == Decision(
        "answer", "Paris", 90, "not_contradicted"
    )


def test_a_two_pass_policy_does_not_decide_without_its_closed_book_pass():
    with pytest.raises(AbstainError, match="closed-book"):
        P3.decide(Evidence(PARIS), PAPER)


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("f1", {"f1": 1.1, "confidence": 50}),
        ("confidence", {"f1": 0.8, "confidence": 101}),
        ("sweep_f1", {"f1": 0.8, "confidence": 50, "sweep_f1": [-0.1]}),
    ],
)
def test_a_threshold_out_of_range_is_refused_by_its_key(key, values):
    with pytest.raises(AbstainError, match=rf"thresholds\.{key}"):
        Thresholds(**values)
