"""ArcticQA items: what is read, in which order, and which options count as the same."""

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abstain.datasets.arctic import ArcticQA, arctic_demo, canonical
from abstain.errors import AbstainError

SAMPLE = Path(__file__).parents[2] / ".." / "shared" / "data" / "arctic_abstain" / "items_sample.jsonl"


def item(name="a", gold="−13.9 °C", distractors=("13.9 °C", "-1.39 °C", "−139 °C", "−13.9 °F")):
    return {
        "item_id": name,
        "question": f"How cold is {name}?",
        "question_context": "",
        "gold_answer": gold,
        "distractors": [{"rank": rank, "text": text} for rank, text in enumerate(distractors)],
    }


def written(tmp_path, *items):
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in items), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("−13.9", "-13.9"),  # U+2212 and the ASCII hyphen
        ("37 %", "37%"),
        ("195 см", "195см"),
        ("Salix-male", "salix‑male"),
        ("Sami’s herd", "Sami's  herd."),
        ("１２ m", "12 m"),
    ],
)
def test_typography_does_not_make_an_option_another_answer(one, other):
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("−13.9", "13.9"),
        ("3.14", "314"),
        ("5 mW", "5 MW"),
        ("10⁵ cells", "105 cells"),
        ("2½ days", "21/2 days"),
        ("5 °C", "5 °F"),
        ("5%", "5"),
        ("< 5 m", "> 5 m"),
        ("1 2", "12"),
    ],
)
def test_signs_decimals_exponents_and_units_make_an_option_another_answer(one, other):
    assert canonical(one) != canonical(other)


@given(st.text(max_size=30))
@settings(max_examples=200, deadline=None)
def test_canonical_text_is_its_own_canonical_text(text):
    assert canonical(canonical(text)) == canonical(text)


def test_an_item_is_read_with_its_distractors_by_rank(tmp_path):
    one = item()
    one["distractors"].reverse()
    one["question_context"] = " Measured at dawn. "
    (question,) = ArcticQA("arcticqa", written(tmp_path, one)).load().questions
    assert (question.id, question.index, question.text) == ("a", 0, "How cold is a?")
    assert (question.context, question.gold) == ("Measured at dawn.", "−13.9 °C")
    assert question.distractors == ("13.9 °C", "-1.39 °C", "−139 °C", "−13.9 °F")


def test_limit_takes_the_head_of_one_fixed_order(tmp_path):
    path = written(tmp_path, *(item(f"q{k}") for k in range(9)))
    everything = ArcticQA("arcticqa", path).load()
    three = ArcticQA("arcticqa", path, limit=3, pool_questions=5).load()
    assert three.questions == everything.questions[:3]
    assert three.pool == everything.questions[:5]
    assert [question.index for question in everything.questions] == list(range(9))
    assert [question.id for question in everything.questions] != [f"q{k}" for k in range(9)]
    assert ArcticQA("arcticqa", path, sample_seed=7).load().questions != everything.questions


def test_the_source_is_the_hash_of_the_file(tmp_path):
    path = written(tmp_path, item())
    loaded = ArcticQA("arcticqa", path).load()
    assert loaded.source == "sha256:" + hashlib.sha256(Path(path).read_bytes()).hexdigest()
    assert loaded.benchmark == "arctic_abstain"


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (item("b", gold="-13.9 °C", distractors=("1", "2", "3", "−13.9 °C")), "distractor 3"),
        (item("b", gold="x", distractors=("Cod", "cod.", "3", "4")), "distractor 1"),
        (item("b", distractors=("1", "2", "3")), "ranks"),
        (item("b") | {"distractors": [{"rank": 0, "text": str(k)} for k in range(4)]}, "ranks"),
        (item("b") | {"gold_answer": " "}, "gold_answer"),
        (item("b") | {"distractors": ["1", "2", "3", "4"]}, "distractors"),
        (item("a"), "unique"),
    ],
)
def test_a_bad_item_is_one_line_with_file_and_line(tmp_path, bad, message):
    path = written(tmp_path, item("a"), bad)
    with pytest.raises(AbstainError, match=message) as error:
        ArcticQA("arcticqa", path).load()
    assert str(error.value).startswith(f"{path}:2: ")
    assert "\n" not in str(error.value)


def test_a_missing_path_names_the_key():
    with pytest.raises(AbstainError, match=r"dataset\.path"):
        ArcticQA("arcticqa", None)
    with pytest.raises(AbstainError, match=r"dataset\.path=nowhere\.jsonl"):
        ArcticQA("arcticqa", "nowhere.jsonl").load()


def test_the_demo_has_twelve_sound_items_with_their_sources():
    assert len(arctic_demo("arctic_demo").load().questions) == 12
    path = Path(__file__).parents[2] / "abstain" / "datasets" / "arctic_demo.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert all(row["paper"]["title"] and row["paper"]["year"] for row in rows)
    assert all(row["answer_present_drops"] == row["distractors"][3]["text"] for row in rows)


def test_the_published_sample_loads():
    if not SAMPLE.exists():
        pytest.skip("the ArcticQA sample is not here (../shared/data)")
    loaded = ArcticQA("arcticqa", str(SAMPLE)).load()
    assert len(loaded.questions) == 64
    demo = Path(__file__).parents[2] / "abstain" / "datasets" / "arctic_demo.jsonl"
    keys = {
        tuple(json.loads(line)) for path in (SAMPLE, demo) for line in path.read_text(encoding="utf-8").splitlines()
    }
    assert len(keys) == 1
