"""The fixed order, the index and the pool of a data set (DESIGN 6)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abstain.datasets.entries import Drop, Entry, entry
from abstain.datasets.order import Order
from abstain.errors import AbstainError
from abstain.rows import Question, QuestionSet


def read(count: int) -> list[tuple[str, Entry | Drop]]:
    return [(f"file:{n}", Entry(f"id{n}", f"question {n}", (f"answer {n}",), (f"passage {n}",))) for n in range(count)]


def load(count: int, limit: int | None, sample_seed: int = 42, pool_questions: int = 500) -> QuestionSet[Question]:
    return Order(limit, sample_seed, pool_questions).question_set("set", "source", read(count))


sizes = st.integers(1, 60)
seeds = st.integers(0, 2**32)


@given(sizes, seeds, sizes, sizes)
def test_limit_takes_the_head_of_one_order(count: int, seed: int, limit: int, pool_questions: int) -> None:
    everything = load(count, None, seed, pool_questions)
    some = load(count, limit, seed, pool_questions)
    assert some.questions == everything.questions[:limit]
    assert [question.index for question in everything.questions] == list(range(count))


@given(sizes, seeds, sizes, sizes, sizes)
def test_limits_up_to_pool_questions_share_one_pool(
    count: int, seed: int, pool_questions: int, one: int, other: int
) -> None:
    pools = [load(count, min(limit, pool_questions), seed, pool_questions).pool for limit in (one, other)]
    assert pools[0] == pools[1]
    assert len(pools[0]) == min(count, pool_questions)


@given(sizes, seeds, sizes, sizes)
def test_the_pool_starts_with_the_questions(count: int, seed: int, limit: int, pool_questions: int) -> None:
    loaded = load(count, limit, seed, pool_questions)
    assert loaded.pool[: len(loaded.questions)] == loaded.questions
    assert len(loaded.pool) == min(count, max(limit, pool_questions))


def test_without_a_limit_the_pool_is_every_question() -> None:
    loaded = load(30, None, pool_questions=5)
    assert loaded.pool == loaded.questions
    assert len(loaded.pool) == 30


def test_the_order_is_a_shuffle_of_the_file_order_by_the_seed() -> None:
    ids = [f"id{n}" for n in range(20)]
    random.Random(7).shuffle(ids)
    assert [question.id for question in load(20, None, sample_seed=7).questions] == ids


def test_the_order_does_not_change_between_versions() -> None:
    assert [question.id for question in load(6, None).questions] == ["id3", "id1", "id2", "id4", "id0", "id5"]


def test_reasons_are_counted_and_do_not_move_the_others() -> None:
    mixed = [("file:a", Drop.YES_NO), *read(9), ("file:b", Drop.NO_GOLD_PASSAGE), ("file:c", Drop.YES_NO)]
    loaded = Order(None, 42, 500).question_set("set", "source", mixed)
    assert loaded.dropped == {"yes_no": 2, "no_gold_passage": 1}
    assert loaded.questions == load(9, None).questions


def test_an_id_twice_is_refused_with_both_places() -> None:
    with pytest.raises(AbstainError, match=r"^file:9: the id 'id2' stands also at file:2; ids must be unique$"):
        Order(None, 42, 500).question_set("set", "source", [*read(4), ("file:9", Entry("id2", "q", ("a",), ("p",)))])


def test_a_set_with_nothing_left_is_refused_with_the_reasons() -> None:
    with pytest.raises(AbstainError, match=r"no question can be used \(yes_no 1\)"):
        Order(None, 42, 500).question_set("set", "source", [("file:1", Drop.YES_NO)])


@pytest.mark.parametrize(
    ("key", "limit", "sample_seed", "pool_questions"),
    [("limit=0", 0, 42, 500), ("limit=-3", -3, 42, 500), ("sample_seed=-1", 1, -1, 500), ("pool_questions=0", 1, 0, 0)],
)
def test_values_out_of_range_are_refused_by_key(key: str, limit: int, sample_seed: int, pool_questions: int) -> None:
    with pytest.raises(AbstainError, match=rf"^dataset\.{key}: give "):
        Order(limit, sample_seed, pool_questions)


def test_aliases_keep_their_order_without_blanks_and_exact_duplicates() -> None:
    kept = entry("id", "q", ["Bell", " ", "A. G. Bell", "Bell", "bell "], ["p", "p"], ["d", "p", ""])
    assert kept == Entry("id", "q", ("Bell", "A. G. Bell", "bell"), ("p",), ("d",))


@pytest.mark.parametrize(
    ("answers", "gold", "reason"),
    [
        ([], ["p"], Drop.NO_SHORT_ANSWER),
        (["", "\n"], ["p"], Drop.NO_SHORT_ANSWER),
        (["a"], [], Drop.NO_GOLD_PASSAGE),
        (["a"], ["", "\u00a0"], Drop.BLANK_GOLD_PASSAGE),
    ],
)
def test_what_cannot_be_asked_has_a_reason(answers: list[str], gold: list[str], reason: Drop) -> None:
    assert entry("id", "q", answers, gold) is reason
