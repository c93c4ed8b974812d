from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abstain.models.parse import is_complete, read_choice, read_json, read_reply

FULL = '{"decision": "answer", "answer": "1889", "confidence": 95, "reasoning": "It says so."}'


def test_a_complete_object_gives_its_four_fields() -> None:
    reply = read_json(FULL)
    assert (reply.valid, reply.decision, reply.answer, reply.confidence) == (True, "answer", "1889", 95)
    assert reply.reasoning == "It says so."


def test_raw_control_characters_in_strings_are_kept() -> None:
    # The grammar's str is [^"\\]*, which lets through what JSON forbids.
    assert read_json(FULL.replace("1889", "18\n\x01\t89")).answer == "18\n\x01\t89"


@pytest.mark.parametrize("length", range(FULL.index("95") + 2, len(FULL)))
def test_reasoning_that_breaks_off_leaves_the_reply_valid(length: int) -> None:
    reply = read_json(FULL[:length])
    assert (reply.valid, reply.decision, reply.answer, reply.confidence) == (True, "answer", "1889", 95)


@pytest.mark.parametrize("length", range(FULL.index("95") + 2))
def test_anything_that_breaks_off_before_the_confidence_is_complete_is_invalid(length: int) -> None:
    # "9" may become "95", so even that much is not enough.
    reply = read_json(FULL[:length])
    assert (reply.valid, reply.decision, reply.answer, reply.confidence) == (False, "", "", 0)


@pytest.mark.parametrize(
    ("number", "settled"), [("0", True), ("7", False), ("10", False), ("11", True), ("99", True), ("100", True)]
)
def test_a_confidence_at_the_end_counts_only_when_no_digit_can_follow(number: str, settled: bool) -> None:
    head = '{"decision": "abstain", "answer": "", "confidence": '
    assert read_json(head + number).valid is settled
    assert read_json(head + number + ",").confidence == int(number)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot answer.",
        FULL.replace('"answer",', '"maybe",'),
        FULL.replace("95", "101"),
        FULL.replace("95", "-1"),
        FULL.replace("95", "true"),
        FULL.replace("95", '"95"'),
        FULL.replace("95", "9.5"),
        FULL.replace("95", "9" * 5000),
        FULL.replace('"1889"', "null"),
        FULL.replace('"1889"', "[" * 100_000),
        "[1, 2]",
        '{"answer": "x"}',
    ],
)
def test_what_is_not_a_reply_is_invalid(text: str) -> None:
    assert not read_json(text).valid


def test_text_and_fences_around_the_object_are_ignored() -> None:
    assert read_json(f"Sure:\n```json\n{FULL}\n```").answer == "1889"


def test_half_a_surrogate_pair_does_not_reach_the_store() -> None:
    read_json(FULL.replace("1889", "\\ud83d")).answer.encode()


@given(
    decision=st.sampled_from(["answer", "abstain"]),
    answer=st.text(st.characters(exclude_categories=["Cs"])),
    confidence=st.integers(0, 100),
    reasoning=st.text(st.characters(exclude_categories=["Cs"])),
    indent=st.sampled_from([None, 1]),
)
def test_whatever_json_can_write_is_read_back(
    decision: str, answer: str, confidence: int, reasoning: str, indent: int | None
) -> None:
    fields = {"decision": decision, "answer": answer, "confidence": confidence, "reasoning": reasoning}
    text = json.dumps(fields, indent=indent)
    reply = read_json(text)
    assert (reply.decision, reply.answer, reply.confidence, reply.reasoning) == tuple(fields.values())
    assert is_complete(text, "json", (), keep_reasoning=True)
    assert not is_complete(text[:-1], "json", (), keep_reasoning=True)


@given(st.integers(0, len(FULL)))
def test_stopping_at_the_confidence_never_changes_what_it_says(length: int) -> None:
    if is_complete(FULL[:length], "json", (), keep_reasoning=False):
        short, full = read_json(FULL[:length]), read_json(FULL)
        assert (short.decision, short.answer, short.confidence) == (full.decision, full.answer, full.confidence)


def test_a_letter_is_exactly_one_letter_of_the_set() -> None:
    letters = ("A", "B", "C", "D", "E")
    assert read_choice(" B\n", letters).decision == "B"
    for text in ("", "F", "b", "AB", "(B)", "I cannot determine", "Answer: A"):
        assert not read_choice(text, letters).valid
    assert read_reply("B", "letter", letters).confidence == 0


def test_a_label_is_complete_when_no_longer_one_can_follow() -> None:
    assert is_complete("yes", "label", ("yes", "no"), keep_reasoning=True)
    assert not is_complete("ye", "label", ("yes", "no"), keep_reasoning=True)
    assert not is_complete("no", "label", ("no", "not"), keep_reasoning=True)
