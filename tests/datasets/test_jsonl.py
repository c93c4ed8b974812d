"""The documented one-object-a-line format (docs/datasets.md) and what is wrong with a file."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from abstain.datasets.jsonl import JsonLines
from abstain.errors import AbstainError
from abstain.rows import GRAB_RAG, Question

GOOD: dict[str, Any] = {"question": "Who?", "answers": ["Ada"], "gold": ["Ada did."]}


def lines(*records: object) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def written(folder: Path, text: str) -> str:
    path = folder / "mine.jsonl"
    path.write_text(text, encoding="utf-8")
    return str(path)


def refusal(path: str | None) -> str:
    with pytest.raises(AbstainError) as caught:
        JsonLines(path).load()
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_full_line_becomes_a_question(tmp_path: Path) -> None:
    record = {
        "id": "q1",
        "question": " Who? ",
        "answers": ["Ada", "Lovelace"],
        "gold": ["a", "b"],
        "distractors": ["c"],
    }
    path = written(tmp_path, lines(record))
    loaded = JsonLines(path, name="mine").load()
    assert loaded.questions == (Question("q1", 0, "Who?", ("Ada", "Lovelace"), ("a", "b"), ("c",)),)
    assert (loaded.name, loaded.benchmark) == ("mine", GRAB_RAG)
    assert loaded.source == f"sha256:{hashlib.sha256(Path(path).read_bytes()).hexdigest()}"


def test_without_an_id_the_question_itself_gives_one_that_survives_a_move(tmp_path: Path) -> None:
    other = {**GOOD, "question": "Where?"}
    first = {q.text: q.id for q in JsonLines(written(tmp_path, lines(GOOD, other))).load().questions}
    second = {q.text: q.id for q in JsonLines(written(tmp_path, lines(other, GOOD))).load().questions}
    assert first == second
    assert len(set(first.values())) == 2


def test_no_as_an_answer_stays_a_string(tmp_path: Path) -> None:
    loaded = JsonLines(written(tmp_path, lines({**GOOD, "answers": ["no"]}))).load()
    assert loaded.questions[0].answers == ("no",)


def test_gzip_a_byte_order_mark_blank_lines_and_other_keys_are_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + lines({**GOOD, "kind": 3}).encode() + b"\r\n  \n"))
    assert len(JsonLines(str(path)).load().questions) == 1


def test_a_question_without_gold_is_counted(tmp_path: Path) -> None:
    none, blank = ({**GOOD, "question": q, "gold": gold} for q, gold in (("1", []), ("2", [" "])))
    loaded = JsonLines(written(tmp_path, lines(GOOD, none, blank))).load()
    assert loaded.dropped == {"no_gold_passage": 1, "blank_gold_passage": 1}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ([1], "must be a JSON object, found a list"),
        ({}, "'question' must be a string, found nothing"),
        ({**GOOD, "question": "  "}, "'question' is empty"),
        ({**GOOD, "question": 7}, "'question' must be a string, found 7"),
        ({"question": "Who?", "gold": ["p"]}, "'answers' must be a list of strings, found nothing"),
        ({**GOOD, "answers": "Ada"}, "'answers' must be a list of strings, found 'Ada'"),
        ({**GOOD, "answers": []}, "the question has no answer"),
        ({**GOOD, "answers": [""]}, "the question has no answer"),
        ({**GOOD, "answers": [False]}, "'answers' must hold strings only, found False; put it in quotes"),
        ({**GOOD, "answers": ["Ada", 1945]}, "'answers' must hold strings only, found 1945; put it in quotes"),
        ({**GOOD, "gold": "p"}, "'gold' must be a list of strings, found 'p'"),
        ({**GOOD, "distractors": None}, "'distractors' must be a list of strings, found nothing"),
        ({**GOOD, "id": 5}, "'id' must be a string, found 5"),
    ],
)
def test_a_malformed_line_is_refused_with_its_number(tmp_path: Path, record: object, message: str) -> None:
    path = written(tmp_path, lines(GOOD, record))
    assert refusal(path).startswith(f"{path}:2: {message}")


@pytest.mark.parametrize("broken", ['{"question": "Who?", ', "{'question': 1}", "nonsense"])
def test_a_broken_line_is_refused_with_its_number(tmp_path: Path, broken: str) -> None:
    path = written(tmp_path, f"{lines(GOOD)}\n{broken}\n")
    assert refusal(path).startswith(f"{path}:3: not valid JSON (")


def test_bytes_that_are_not_utf8_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "latin.jsonl"
    path.write_bytes(lines(GOOD).encode() + '{"question": "caf\u00e9"}\n'.encode("latin-1"))
    assert refusal(str(path)) == f"{path}:2: not valid JSON (not UTF-8); write one object a line"


def test_an_id_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    path = written(tmp_path, lines({**GOOD, "id": "a"}, GOOD, {**GOOD, "id": "a"}))
    assert refusal(path) == f"{path}:3: the id 'a' stands also at {path}:1; ids must be unique"


def test_a_path_that_is_missing_empty_or_not_given_is_refused(tmp_path: Path) -> None:
    assert "dataset.path is not set" in refusal(None)
    assert refusal(f"{tmp_path}/none.jsonl").startswith(f"dataset.path={tmp_path}/none.jsonl: there is no such file")
    assert refusal(written(tmp_path, "")).endswith("mine.jsonl: the file is empty; name the questions' file")
    assert "no question can be used (there are none)" in refusal(written(tmp_path, "\n"))
    assert str(tmp_path) in refusal(str(tmp_path))


def test_a_cut_gzip_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(lines(GOOD).encode())[:-9])
    assert refusal(str(path)).startswith(f"dataset.path={path}: cannot be read (")
