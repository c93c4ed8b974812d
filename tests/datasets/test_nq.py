"""Natural Questions: the JSON lines layout and the hub's columns, read from small local files of the same nesting."""

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
from abstain.datasets.nq import COLUMNS, NaturalQuestions, from_columns, from_line, passage_text
from abstain.errors import AbstainError

SHARED = Path(__file__).parents[2] / ".." / "shared" / "data" / "nq_open_oracle.jsonl.gz"

TEXT = """
<H1> Bell </H1> <P> Alexander Graham Bell ( 1847 -- 1922 ) was an <B> inventor </B> , `` a teacher '' and Scotland
's son . </P> <Table> <Tr> <Td> Bell </Td> </Tr> </Table> <P> He died at Baddeck . </P>
"""
PAGE = TEXT.split()
FIRST, TABLE, SECOND = (3, 28), (28, 35), (35, 42)
NOTHING = (-1, -1)


def page(id: str, *notes: tuple[tuple[int, int], list[str]], yes_no: int = -1) -> dict[str, Any]:
    """A record of the hub with one (long answer span, short answers) pair for each annotation."""
    return {
        "id": id,
        "document": {
            "title": "Bell",
            "html": "",
            "tokens": {"token": PAGE, "is_html": [token.startswith("<") for token in PAGE]},
        },
        "question": {"text": f"who was {id}", "tokens": ["who", "was", id]},
        "annotations": {
            "id": [str(n) for n in range(len(notes))],
            "long_answer": [{"candidate_index": 0, "start_token": a, "end_token": b} for (a, b), _ in notes],
            "short_answers": [
                {"start_token": [4] * len(texts), "end_token": [5] * len(texts), "text": texts} for _, texts in notes
            ],
            "yes_no_answer": [yes_no] * len(notes),
        },
    }


PAGES = [
    page("aliases", (NOTHING, []), (SECOND, ["Bell"]), (FIRST, ["Alexander Graham Bell", "Bell"]), (FIRST, ["Bell"])),
    page("table", (TABLE, ["Bell"])),
    page("table-and-paragraph", (TABLE, ["A. Bell"]), (FIRST, ["Bell"])),
    page("unanswered", (FIRST, [])),
    page("yes-no", (FIRST, []), yes_no=1),
]


def record(**changes: Any) -> dict[str, Any]:
    contexts = [{"title": "t", "text": "gold", "isgold": True}, {"title": "t", "text": "other", "isgold": False}]
    return {"question": "who", "answers": ["Ada"], "ctxs": contexts} | changes


def test_the_shared_file_gives_2655_questions_with_one_passage_each() -> None:
    if not SHARED.exists():
        pytest.skip("the shared data folder is absent")
    loaded = NaturalQuestions(str(SHARED)).load()
    assert len(loaded.questions) == 2655
    assert loaded.dropped == {}
    assert {len(question.gold) for question in loaded.questions} == {1}
    röntgen = next(q for q in loaded.questions if q.text == "who got the first nobel prize in physics")
    assert röntgen.answers == ("Wilhelm Conrad Röntgen",)
    assert röntgen.gold[0].startswith("The first Nobel Prize in Physics was awarded in 1901")
    assert NaturalQuestions(str(SHARED), limit=6).load().questions == loaded.questions[:6]


def test_a_line_keeps_its_marked_passages_and_leaves_the_titles() -> None:
    kept = from_line(record(answers=["no", "Ada", "no"]), "file:1")
    assert isinstance(kept, Entry)
    assert (kept.text, kept.answers, kept.gold, kept.distractors) == ("who", ("no", "Ada"), ("gold",), ())


def test_lines_without_an_answer_or_a_passage_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "nq.jsonl.gz"
    blank = [{"text": "", "isgold": True}]
    records = [
        record(),
        record(question="1", answers=[]),
        record(question="2", answers=[""]),
        record(question="3", ctxs=[]),
        record(question="4", ctxs=blank),
    ]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, records)).encode()))
    loaded = NaturalQuestions(str(path)).load()
    assert len(loaded.questions) == 1
    assert loaded.dropped == {"no_short_answer": 2, "no_gold_passage": 1, "blank_gold_passage": 1}


@pytest.mark.parametrize("changes", [{"answers": [1]}, {"ctxs": None}, {"ctxs": ["p"]}, {"question": None}])
def test_a_malformed_line_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(AbstainError, match=r"^file:1: "):
        from_line(record(**changes), "file:1")


def test_a_question_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    path = tmp_path / "nq.jsonl"
    path.write_text(f"{json.dumps(record())}\n{json.dumps(record())}\n")
    with pytest.raises(AbstainError, match=r"nq\.jsonl:2: the id 'nq-\w+' stands also at .*nq\.jsonl:1;"):
        NaturalQuestions(str(path)).load()


def test_markup_goes_after_slicing_and_punctuation_is_joined() -> None:
    start, end = FIRST
    words = PAGE[start:end]
    assert passage_text(words, [word.startswith("<") for word in words]) == (
        'Alexander Graham Bell (1847 -- 1922) was an inventor, "a teacher" and Scotland\'s son.'
    )


def test_aliases_are_the_distinct_short_answers_in_annotation_order() -> None:
    kept = from_columns(PAGES[0], "row")
    assert isinstance(kept, Entry)
    assert kept.answers == ("Bell", "Alexander Graham Bell")
    assert [passage[:12] for passage in kept.gold] == ["He died at B", "Alexander Gr"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [(PAGES[1], Drop.GOLD_NOT_A_PARAGRAPH), (PAGES[3], Drop.NO_SHORT_ANSWER), (PAGES[4], Drop.YES_NO)],
)
def test_pages_that_cannot_be_asked_have_a_reason(row: dict[str, Any], reason: Drop) -> None:
    assert from_columns(row, "row") is reason


def check_pages(read: list[Entry | Drop]) -> None:
    assert [item.id if isinstance(item, Entry) else item.value for item in read] == [
        "aliases",
        "gold_not_a_paragraph",
        "table-and-paragraph",
        "no_short_answer",
        "yes_no",
    ]


def test_parquet_files_in_the_hub_layout_are_read(tmp_path: Path) -> None:
    for number, part in enumerate((PAGES[:2], PAGES[2:])):
        pq.write_table(pa.Table.from_pylist(part), tmp_path / f"validation-{number}.parquet")
    loaded = NaturalQuestions(str(tmp_path)).load()
    assert {question.id for question in loaded.questions} == {"aliases", "table-and-paragraph"}
    assert loaded.dropped == {"no_short_answer": 1, "yes_no": 1, "gold_not_a_paragraph": 1}
    assert loaded.source.startswith("sha256:")
    one = NaturalQuestions(str(tmp_path / "validation-0.parquet")).load()
    assert one.questions[0].answers == ("Bell", "Alexander Graham Bell")


def test_the_datasets_library_gives_the_same_rows(tmp_path: Path) -> None:
    import datasets

    path = tmp_path / "validation.parquet"
    pq.write_table(pa.Table.from_pylist(PAGES), path)
    loaded = datasets.load_dataset("parquet", data_files=str(path), split="train", cache_dir=str(tmp_path / "cache"))
    check_pages([from_columns(row, where) for where, row in dataset_rows(loaded, COLUMNS, "hub")])


def test_a_parquet_file_of_another_layout_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "flat.parquet"
    pq.write_table(pa.table({"id": ["1"], "question": ["who"]}), path)
    with pytest.raises(AbstainError, match=r"flat\.parquet: lacks the column question\.text, document\.tokens\.token"):
        NaturalQuestions(str(path)).load()
    path.write_bytes(b"not parquet at all")
    with pytest.raises(AbstainError, match=r"^dataset\.path=.*flat\.parquet: cannot be read as parquet"):
        NaturalQuestions(str(path)).load()


def test_a_folder_without_parquet_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AbstainError, match="the directory holds no parquet files"):
        NaturalQuestions(str(tmp_path)).load()


def test_neither_path_nor_hub_is_refused() -> None:
    with pytest.raises(AbstainError, match="both null"):
        NaturalQuestions().load()
