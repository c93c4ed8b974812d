"""The multiple-choice prompt and how its letter is read."""

import pytest

from abstain.errors import AbstainError
from abstain.models.parse import read_reply
from abstain.policies.mcq import LETTERS, MultipleChoice
from abstain.rows import ChoiceCase, ChoiceQuestion, Option, Response

QUESTION = ChoiceQuestion("q1", 0, "How cold is {options}?", "", "-1 °C", ("1 °C", "2 °C", "3 °C", "4 °C"))
OPTIONS = (
    Option("1 °C", "distractor"),
    Option("-1 °C", "gold"),
    Option("I abstain from answering", "abstain"),
    Option("2 °C", "distractor"),
    Option("3 °C", "distractor"),
)
CASE = ChoiceCase(QUESTION, "answer_present", 2, OPTIONS)


def said(raw, probabilities=()):
    reply = read_reply(raw, "letter", LETTERS)
    return Response("k", reply.valid, reply.decision, "", 0, "", raw, "complete", 9, 1, 0.1, None, probabilities)


def test_the_prompt_shows_question_context_and_lettered_options():
    prompt = MultipleChoice("mcq").build(CASE)
    assert (prompt.question_id, prompt.condition, prompt.trial) == ("q1", "answer_present", 2)
    assert "Question: How cold is {options}?" in prompt.user
    assert "(none)" in prompt.user
    assert "A. 1 °C\nB. -1 °C\nC. I abstain from answering\nD. 2 °C\nE. 3 °C\n" in prompt.user
    assert prompt.user[: prompt.cut].endswith("How cold is {options}?")


def test_the_prompts_of_a_question_agree_up_to_the_cut():
    policy = MultipleChoice("mcq")
    other = ChoiceCase(QUESTION, "answer_absent", 1, OPTIONS[::-1])
    one, two = policy.build(CASE), policy.build(other)
    assert one.cut == two.cut
    assert one.user[: one.cut] == two.user[: two.cut]
    assert one.user != two.user


def test_nothing_in_the_prompt_tells_the_kinds_apart():
    relabelled = tuple(Option(option.text, "distractor") for option in OPTIONS)
    policy = MultipleChoice("mcq")
    assert policy.build(CASE) == policy.build(ChoiceCase(QUESTION, "answer_present", 2, relabelled))


def test_the_grammar_allows_one_letter_and_nothing_else():
    prompt = MultipleChoice("mcq").build(CASE)
    assert prompt.grammar.strip() == 'root ::= "A" | "B" | "C" | "D" | "E"'
    assert (prompt.reply, prompt.choices) == ("letter", ("A", "B", "C", "D", "E"))


@pytest.mark.parametrize(
    ("raw", "verdict", "answer"),
    [("B", "answer", "-1 °C"), (" A\n", "answer", "1 °C"), ("C", "abstain", "I abstain from answering")],
)
def test_a_letter_is_the_option_it_stands_before(raw, verdict, answer):
    decision = MultipleChoice("mcq").decide(CASE, said(raw))
    assert (decision.verdict, decision.answer, decision.cause) == (verdict, answer, "context_pass")


@pytest.mark.parametrize("raw", ["", "F", "b", "AB", "A B", "A.", "(A)", "**B**", "I cannot answer", "The answer is B"])
def test_anything_but_one_letter_of_the_set_is_invalid(raw):
    decision = MultipleChoice("mcq").decide(CASE, said(raw))
    assert (decision.verdict, decision.answer, decision.confidence, decision.cause) == ("invalid", "", 0, "invalid")


def test_the_confidence_is_the_probability_of_the_option_in_percent():
    policy = MultipleChoice("mcq")
    assert policy.decide(CASE, said("B", (0.1, 0.626, 0.1, 0.1, 0.074))).confidence == 63
    assert policy.decide(CASE, said("B")).confidence == 0


def test_a_prompt_file_replaces_the_prompt(tmp_path):
    file = tmp_path / "other.txt"
    file.write_text("One letter.\n---\n{options}\nQ {question} C {context} {end}\n", encoding="utf-8")
    prompt = MultipleChoice("mcq", prompt=str(file)).build(CASE)
    assert prompt.system == "One letter."
    assert prompt.user.startswith("A. 1 °C\n")
    assert prompt.user.endswith("\nQ How cold is {options}? C (none) {end}")
    assert prompt.user[: prompt.cut].endswith("Q How cold is {options}?")


def test_a_prompt_file_may_have_no_system_message(tmp_path):
    file = tmp_path / "other.txt"
    file.write_text("{question}{context}{options}", encoding="utf-8")
    assert MultipleChoice("mcq", prompt=str(file)).build(CASE).system == ""


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("{question} {options}", "{context}"),
        ("{context} {context} {question}", "{context}, {options}"),
        ("", "{question}"),
    ],
)
def test_a_prompt_file_without_a_placeholder_is_refused_in_one_line(tmp_path, text, missing):
    file = tmp_path / "other.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(AbstainError) as error:
        MultipleChoice("mcq", prompt=str(file))
    assert str(file) in str(error.value)
    assert missing in str(error.value)
    assert "\n" not in str(error.value)


def test_bad_keys_are_named(tmp_path):
    with pytest.raises(AbstainError, match=r"policy\.prompt="):
        MultipleChoice("mcq", prompt=str(tmp_path / "nowhere.txt"))
    with pytest.raises(AbstainError, match=r"policy\.trials=0"):
        MultipleChoice("mcq", trials=0)
