"""The category of a row: decision, case and gold answers (GRAB-RAG 3.5, DESIGN 6)."""

from dataclasses import replace

import pytest

from abstain.rows import Decision, Outcome
from abstain.scoring.outcome import score


def test_every_row_of_the_table_has_the_outcome_worked_out_by_hand(all_outcomes, expected_outcomes):
    found = {(row.case.condition, row.case.question.id): row.outcome.value for row in all_outcomes}
    assert found == expected_outcomes


def test_the_table_holds_every_outcome_and_cause_of_grab_rag(all_outcomes):
    # False commitment is ArcticAbstain's (N4).
    assert {row.outcome for row in all_outcomes} == set(Outcome) - {Outcome.FALSE_COMMITMENT}
    assert {row.decision.cause for row in all_outcomes} == {
        *("context_pass", "closed_book_unreliable", "agreed", "conflict", "not_contradicted", "contradiction"),
        "invalid",
    }


@pytest.mark.parametrize("condition", ["q100", "q50", "q0", "qc", "closed"])
def test_what_did_not_answer_has_no_match_whatever_its_answer_field_says(case, condition):
    for verdict in ("abstain", "invalid"):
        row = score(case("a", condition), Decision(verdict, "Paris", 90, "context_pass"))
        assert (row.exact_match, row.f1) == (False, 0.0)


def test_the_decision_alone_says_that_a_row_answered(case):
    # "I do not know" with the decision "answer" is an answer, and an empty answer is a wrong one.
    assert score(case("a", "q0"), Decision("answer", "I do not know", 5, "context_pass")).outcome == "hallucination"
    assert score(case("a", "q100"), Decision("answer", "", 5, "context_pass")).outcome == "wrong"


def test_gold_is_tested_before_the_planted_answer(case):
    planted = case("a", "qc")
    # An alias that equals the planted answer after normalisation.
    both = replace(planted, question=replace(planted.question, answers=("Paris", "the Lyon")))
    assert score(both, Decision("answer", "Lyon", 5, "context_pass")).outcome == "correct_override"


def test_an_answer_that_only_contains_the_planted_one_is_no_echo(case):
    assert score(case("a", "qc"), Decision("answer", "Lyon in France", 5, "agreed")).outcome == "hallucination"
