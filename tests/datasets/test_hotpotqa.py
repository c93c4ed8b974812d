"""HotpotQA: the official distractor JSON and the hub's columns."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from abstain.datasets.columns import dataset_rows
from abstain.datasets.entries import Drop, Entry
from abstain.datasets.hotpotqa import COLUMNS, HotpotQA, from_columns, from_item
from abstain.errors import AbstainError

SHARED = Path(__file__).parents[2] / ".." / "shared" / "data" / "hotpotqa_distractor_100.json.gz"

CONTEXT = [
    ["Other", ["Nothing to see.", " Really."]],
    ["One", ["The first starts here. ", "It goes on."]],
    ["Blank", [""]],
    ["Two", ["The second."]],
]
EXPECTED = Entry(
    "q", "who?", ("Ada",), ("The first starts here. It goes on.", "The second."), ("Nothing to see. Really.",)
)


def item(id: str = "q", **changes: Any) -> dict[str, Any]:
    facts = [["One", 0], ["Two", 0], ["One", 1]]
    base = {"_id": id, "question": "who?", "answer": "Ada", "type": "bridge", "level": "hard"}
    return base | {"supporting_facts": facts, "context": CONTEXT} | changes


def columns(official: dict[str, Any]) -> dict[str, Any]:
    """The same question in the hub's layout: structs of lists, and `id` for `_id`."""
    facts, context = official["supporting_facts"], official["context"]
    return {
        "id": official["_id"],
        **{key: official[key] for key in ("question", "answer", "type", "level")},
        "supporting_facts": {"title": [title for title, _ in facts], "sent_id": [number for _, number in facts]},
        "context": {"title": [title for title, _ in context], "sentences": [sentences for _, sentences in context]},
    }


ITEMS = [
    item(),
    item("yes", answer="yes"),
    item("no", answer="No"),
    item("none", answer=""),
    item("wiki", supporting_facts=[["One", 0], ["Elsewhere", 0]]),
]
REASONS = [Drop.YES_NO, Drop.YES_NO, Drop.NO_SHORT_ANSWER, Drop.GOLD_INCOMPLETE]


def test_the_shared_file_gives_95_questions_and_leaves_out_5_yes_no() -> None:
    if not SHARED.exists():
        pytest.skip("the shared data folder is absent")
    loaded = HotpotQA(str(SHARED)).load()
    assert len(loaded.questions) == 95
    assert loaded.dropped == {"yes_no": 5}
    assert {len(question.gold) for question in loaded.questions} == {2}
    viva = next(question for question in loaded.questions if question.id == "5a7613c15542994ccc9186bf")
    assert viva.answers == ("Gesellschaft mit beschränkter Haftung",)
    assert viva.gold[0].startswith('VIVA Media GmbH (until 2004 "VIVA Media AG") is a music television network')
    assert ". It was founded for broadcast" in viva.gold[0]
    assert len(viva.distractors) == 8


def test_the_shared_questions_are_the_same_in_both_layouts(tmp_path: Path) -> None:
    if not SHARED.exists():
        pytest.skip("the shared data folder is absent")
    official = json.loads(gzip.decompress(SHARED.read_bytes()))
    pq.write_table(pa.Table.from_pylist([columns(question) for question in official]), tmp_path / "part.parquet")
    there, here = HotpotQA(str(SHARED)).load(), HotpotQA(str(tmp_path / "part.parquet")).load()
    assert (there.questions, there.dropped) == (here.questions, here.dropped)


def test_gold_are_the_paragraphs_that_supporting_facts_name() -> None:
    assert from_item(item(), "here") == EXPECTED
    assert from_columns(columns(item()), "here") == EXPECTED


def test_what_cannot_be_asked_is_counted_in_both_layouts(tmp_path: Path) -> None:
    assert [from_item(official, "here") for official in ITEMS[1:]] == REASONS
    path = tmp_path / "hotpot.json"
    path.write_text(json.dumps(ITEMS))
    pq.write_table(pa.Table.from_pylist([columns(official) for official in ITEMS]), tmp_path / "part.parquet")
    for source in (path, tmp_path / "part.parquet"):
        loaded = HotpotQA(str(source)).load()
        assert [question.id for question in loaded.questions] == ["q"]
        assert loaded.dropped == {"no_short_answer": 1, "yes_no": 2, "gold_incomplete": 1}


def test_the_datasets_library_gives_the_same_rows(tmp_path: Path) -> None:
    import datasets

    path = tmp_path / "part.parquet"
    pq.write_table(pa.Table.from_pylist([columns(official) for official in ITEMS]), path)
    loaded = datasets.load_dataset("parquet", data_files=str(path), split="train", cache_dir=str(tmp_path / "cache"))
    read = [from_columns(row, where) for where, row in dataset_rows(loaded, COLUMNS, "hub")]
    assert read == [EXPECTED, *REASONS]


@pytest.mark.parametrize(
    "changes",
    [{"context": [["One", "text"]]}, {"context": {"title": []}}, {"supporting_facts": None}, {"answer": None}],
)
def test_a_malformed_question_is_refused_with_its_place(tmp_path: Path, changes: dict[str, Any]) -> None:
    path = tmp_path / "hotpot.json"
    path.write_text(json.dumps([item("fine"), item(**changes)]))
    with pytest.raises(AbstainError, match=r"^.*hotpot\.json, item 2: '\w+' must [^\n]*$"):
        HotpotQA(str(path)).load()


@pytest.mark.parametrize(
    ("text", "message"),
    [("[\n{,", r"hotpot\.json:2: not valid JSON"), ("{}", r"must be one JSON list"), ("[3]", "item 1: must be a JSON")],
)
def test_a_broken_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "hotpot.json"
    path.write_text(text)
    with pytest.raises(AbstainError, match=message):
        HotpotQA(str(path)).load()


def test_fullwiki_is_refused_before_anything_is_fetched() -> None:
    with pytest.raises(AbstainError, match=r"^dataset\.hub_config=fullwiki .* use distractor$"):
        HotpotQA(hub="hotpotqa/hotpot_qa", hub_config="fullwiki").load()
