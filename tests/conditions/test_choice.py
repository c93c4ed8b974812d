"""The paired option conditions of ArcticAbstain 4.1."""

from collections import Counter

import pytest

from abstain.conditions.choice import CONDITIONS, ChoiceConditions, order_seed
from abstain.errors import AbstainError
from abstain.rows import ChoiceQuestion

BOTH = ChoiceConditions("arctic_abstain", ["answer_present", "answer_absent"])


def question(k=0):
    return ChoiceQuestion(f"q{k}", k, f"Question {k}?", "", f"gold {k}", (f"d0 {k}", f"d1 {k}", f"d2 {k}", f"d3 {k}"))


def test_the_fourth_distractor_stands_where_the_answer_was():
    present, absent = BOTH.build([question()], "m", 42, trials=1)
    assert (present.condition, absent.condition) == ("answer_present", "answer_absent")
    assert {option.text: option.kind for option in present.options} == {
        "gold 0": "gold",
        "d0 0": "distractor",
        "d1 0": "distractor",
        "d2 0": "distractor",
        "I abstain from answering": "abstain",
    }
    assert {option.text: option.kind for option in absent.options} == {
        "d0 0": "distractor",
        "d1 0": "distractor",
        "d2 0": "distractor",
        "d3 0": "distractor",
        "I abstain from answering": "abstain",
    }


def test_every_question_condition_and_trial_has_one_case():
    cases = BOTH.build([question(0), question(1)], "m", 42, trials=3)
    assert [(case.question.id, case.condition, case.trial) for case in cases] == [
        (name, condition, trial) for name in ("q0", "q1") for condition in CONDITIONS for trial in (1, 2, 3)
    ]


def test_an_order_depends_on_its_own_call_alone():
    questions = [question(k) for k in range(8)]
    everything = {(c.question.id, c.condition, c.trial): c for c in BOTH.build(questions, "m", 42, trials=3)}
    absent = ChoiceConditions("arctic_abstain", ["answer_absent"])
    for case in absent.build(questions[::-1][:3], "m", 42, trials=2):
        assert case == everything[case.question.id, case.condition, case.trial]


def test_the_order_seed_is_pinned():
    # printf '[42,"aqa-1","answer_present",1,"m"]' | sha256sum, its first 32 digits
    assert order_seed(42, "aqa-1", "answer_present", 1, "m") == int("c965aafe6f1da2aaec958f7e8ce11173", 16)


@pytest.mark.parametrize(
    "other",
    [
        (43, "q", "answer_present", 1, "m"),
        (42, "r", "answer_present", 1, "m"),
        (42, "q", "answer_absent", 1, "m"),
        (42, "q", "answer_present", 2, "m"),
        (42, "q", "answer_present", 1, "n"),
    ],
)
def test_each_part_of_a_call_changes_its_order_seed(other):
    assert order_seed(42, "q", "answer_present", 1, "m") != order_seed(*other)


@pytest.mark.parametrize(("condition", "kind"), [("answer_present", "gold"), *((c, "abstain") for c in CONDITIONS)])
def test_positions_are_balanced(condition, kind):
    # 600 draws over five positions: 120 each, standard deviation 9.8; 4 deviations either way.
    cases = ChoiceConditions("arctic_abstain", [condition]).build([question(k) for k in range(200)], "m", 42, trials=3)
    positions = Counter(next(k for k, o in enumerate(case.options) if o.kind == kind) for case in cases)
    assert sum(positions.values()) == 600
    assert all(81 <= positions[k] <= 159 for k in range(5))


@pytest.mark.parametrize("names", [[], ["q100"], ["answer_present", "answer_present"]])
def test_unknown_or_doubled_conditions_are_refused(names):
    with pytest.raises(AbstainError, match=r"condition\.names"):
        ChoiceConditions("arctic_abstain", names)
