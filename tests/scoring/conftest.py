"""One small cell in which every outcome and every cause occurs; the values that it must give are worked out by hand."""

import pytest
from hypothesis import settings

from abstain.rows import Case, Decision, Question, Swap
from abstain.scoring.outcome import score

# Example times say nothing on a busy machine.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

GOLD, ALIAS, PLANTED, OTHER = "Paris", "City of Paris", "Lyon", "Rome"

# question -> (verdict, answer, confidence, cause), with the outcome that the row must have.
ALL_OUTCOMES = {
    "q100": {
        "a": ("answer", GOLD, 90, "agreed", "correct"),
        "b": ("answer", "the city of paris.", 80, "closed_book_unreliable", "correct"),
        "c": ("answer", "Paris Saint", 70, "not_contradicted", "wrong"),
        "d": ("abstain", "", 0, "conflict", "false_abstention"),
        "e": ("invalid", "", 0, "invalid", "invalid"),
        "f": ("answer", GOLD, 100, "context_pass", "correct"),
    },
    "q50": {
        "a": ("answer", GOLD, 60, "agreed", "correct"),
        "b": ("abstain", "", 0, "contradiction", "false_abstention"),
        "c": ("answer", OTHER, 100, "context_pass", "wrong"),
        "d": ("abstain", "", 0, "context_pass", "false_abstention"),
        "e": ("answer", GOLD, 10, "not_contradicted", "correct"),
        "f": ("invalid", "", 0, "invalid", "invalid"),
    },
    "q0": {
        "a": ("abstain", "", 50, "context_pass", "right_abstention"),
        "b": ("answer", OTHER, 40, "agreed", "hallucination"),
        "c": ("answer", GOLD, 30, "agreed", "correct_override"),
        "d": ("abstain", "", 0, "conflict", "right_abstention"),
        # The planted answer means nothing where nothing was planted.
        "e": ("answer", PLANTED, 20, "closed_book_unreliable", "hallucination"),
        "f": ("answer", OTHER, 100, "context_pass", "hallucination"),
    },
    # f is not eligible.
    "qc": {
        "a": ("answer", PLANTED, 100, "agreed", "echo"),
        "b": ("answer", "lyon", 90, "not_contradicted", "echo"),
        "c": ("answer", ALIAS, 95, "closed_book_unreliable", "correct_override"),
        "d": ("answer", OTHER, 30, "context_pass", "hallucination"),
        "e": ("abstain", "", 0, "contradiction", "right_abstention"),
    },
    "closed": {
        "a": ("answer", GOLD, 90, "context_pass", "correct"),
        "b": ("answer", OTHER, 70, "context_pass", "wrong"),
        "c": ("abstain", "", 0, "context_pass", "abstained"),
        "d": ("abstain", "", 60, "context_pass", "abstained"),
        "e": ("invalid", "", 0, "invalid", "invalid"),
        "f": ("answer", GOLD, 80, "context_pass", "correct"),
    },
}


def make_case(question_id, condition):
    question = Question(question_id, ord(question_id[-1]), "Where?", (GOLD, ALIAS), ("It is in Paris.",))
    swap = Swap("It is in Paris.", "It is in Lyon.", GOLD, PLANTED, PLANTED, "entity", "GPE", ())
    return Case(question, condition, (), swap if condition == "qc" else None)


@pytest.fixture
def case():
    """Make a case: question id and condition."""
    return make_case


@pytest.fixture
def all_outcomes():
    """The scored rows of the table."""
    return [
        score(make_case(question, condition), Decision(*row[:4]))
        for condition, rows in ALL_OUTCOMES.items()
        for question, row in rows.items()
    ]


@pytest.fixture
def expected_outcomes():
    """(condition, question) -> the outcome by hand."""
    return {(condition, question): row[4] for condition, rows in ALL_OUTCOMES.items() for question, row in rows.items()}
