from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from abstain.errors import AbstainError
from abstain.models.scripted import Scripted
from abstain.policies.prompts import closed_prompt
from abstain.rows import Prompt, Response

PROMPT = closed_prompt("q1", "how deep is lake baikal")


def script(folder: Path, *lines: object) -> Scripted:
    path = folder / "script.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return Scripted(str(path))


def ask(model: Scripted, prompt: Prompt = PROMPT) -> Response:
    return next(iter(model.generate(model.prepare([prompt]))))


def test_fields_become_a_reply(tmp_path: Path) -> None:
    response = ask(script(tmp_path, {"question": "q1", "decision": "answer", "answer": "1,642 m", "confidence": 80}))
    assert (response.valid, response.decision, response.answer, response.confidence) == (True, "answer", "1,642 m", 80)
    assert (response.finish, response.seconds) == ("complete", 0.0)


def test_raw_text_goes_through_the_same_parser(tmp_path: Path) -> None:
    broken = '{"decision": "answer", "answer": "1,6'
    response = ask(script(tmp_path, {"raw": broken}))
    assert (response.valid, response.raw, response.finish) == (False, broken, "length")


def test_text_that_is_no_object_ended_by_itself(tmp_path: Path) -> None:
    response = ask(script(tmp_path, {"raw": "I cannot say."}))
    assert (response.valid, response.finish) == (False, "stop")


def test_a_letter_is_read_as_a_letter(tmp_path: Path) -> None:
    model = script(tmp_path, {"raw": "B"})
    response = ask(model, replace(PROMPT, reply="letter", choices=("A", "B")))
    assert (response.valid, response.decision, response.finish) == (True, "B", "complete")


def test_the_first_matching_line_wins_whether_it_names_the_question_or_not(tmp_path: Path) -> None:
    model = script(
        tmp_path,
        {"question": "q1", "condition": "q0", "raw": "another condition"},
        {"question": "q2", "raw": "another question"},
        {"prompt": "p1", "raw": "another prompt"},
        {"trial": 7, "raw": "another trial"},
        {"condition": "closed", "raw": "this"},
        {"question": "q1", "raw": "too late"},
    )
    assert ask(model).raw == "this"
    assert ask(model, replace(PROMPT, trial=7)).raw == "another trial"


def test_a_line_separator_inside_a_string_ends_no_line(tmp_path: Path) -> None:
    assert ask(script(tmp_path, '{"raw": "a\u2028b"}')).raw == "a\u2028b"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"raw": ', "script.jsonl:2: not valid JSON"),
        ("[]", "script.jsonl:2: needs either 'raw' or 'decision'"),
        ('{"question": "q1"}', "script.jsonl:2: needs either 'raw' or 'decision'"),
        ('{"raw": "x", "qestion": "q1"}', "script.jsonl:2: unknown key 'qestion'"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(AbstainError, match=message):
        ask(script(tmp_path, {"raw": "x"}, line))


def test_a_missing_or_empty_script_and_a_row_without_a_line_are_named(tmp_path: Path) -> None:
    with pytest.raises(AbstainError, match=r"model\.path=.*cannot be read"):
        Scripted(str(tmp_path / "absent.jsonl")).prepare([PROMPT])
    with pytest.raises(AbstainError, match="is empty"):
        script(tmp_path, "").prepare([PROMPT])
    with pytest.raises(AbstainError, match="no line answers question q1, condition closed, prompt closed, trial 0"):
        script(tmp_path, {"question": "q2", "raw": "x"}).prepare([PROMPT])


def test_another_script_or_another_row_is_another_key(tmp_path: Path) -> None:
    (before,) = script(tmp_path, {"raw": "x"}).prepare([PROMPT])
    (after,) = script(tmp_path, {"raw": "y"}).prepare([PROMPT])
    (other,) = script(tmp_path, {"raw": "y"}).prepare([replace(PROMPT, condition="q0")])
    assert len({before.key, after.key, other.key}) == 3


def test_truncation_counts_words_and_keeps_the_text_as_it_was(tmp_path: Path) -> None:
    model = script(tmp_path, {"raw": "x"})
    text = "  one\n\ntwo  three four\n"
    assert model.truncate(text, 3) == "  one\n\ntwo  three"
    assert model.truncate(text, 4) == text
    assert model.truncate(text, 0) == ""


def test_a_probe_counts_the_lines_and_misses_a_script_that_is_not_there(tmp_path: Path) -> None:
    found = script(tmp_path, {"question": "q1", "decision": "abstain"}, {"decision": "abstain"}).probe()
    assert "2 lines in " in found
    with pytest.raises(AbstainError):
        Scripted(str(tmp_path / "gone.jsonl")).probe()
