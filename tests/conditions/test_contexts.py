"""Context conditions: which passages a case holds, and that nothing but question, pool and seed decides it."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from abstain.conditions.contexts import (
    CONDITIONS,
    TOO_FEW_NEGATIVES,
    ContextConditions,
    questions_naming_their_answer,
)
from abstain.errors import AbstainError
from abstain.retrieval.base import Scores
from abstain.retrieval.bm25 import Bm25Retriever
from abstain.rows import Case, Question, QuestionSet, Swap
from abstain.text import contains_any

ROOT = Path(__file__).parents[2]


class PublishedOrder:
    """Ranks every pool as it is: the first passage scores highest."""

    def __init__(self, top_k: int = 5) -> None:
        self.top_k = top_k

    def scores(self, queries: Sequence[str], passages: Sequence[str]) -> Iterator[Scores]:
        for _ in queries:
            yield -np.arange(len(passages), dtype=np.float64)


def question(
    index: int, gold: Sequence[str], answers: Sequence[str] = ("Oslo",), distractors: Sequence[str] = ()
) -> Question:
    return Question(f"q{index}", index, f"question {index}", tuple(answers), tuple(gold), tuple(distractors))


def question_set(*questions: Question, pool: Sequence[Question] | None = None) -> QuestionSet[Question]:
    return QuestionSet("test", "grab_rag", questions, tuple(pool or questions))


FILLER = [question(100 + i, [f"filler {i}"], answers=[f"answer {i}"]) for i in range(8)]
GOLD = ["gold a Oslo", "gold b Oslo"]
SWAP = Swap("gold a Oslo", "gold a Bergen", "Oslo", "Bergen", "Bergen", "entity", "GPE", ())


def build(
    asked: Question, *names: str, others: Sequence[Question] = FILLER, slots: int = 5, seed: int = 42
) -> list[Case]:
    questions = question_set(asked, pool=[asked, *others])
    conditions = ContextConditions("grab_rag", names, gold_in_q50=3)
    return conditions.build(questions, PublishedOrder(slots), seed, swaps={asked.id: SWAP})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("q100", [GOLD[0]] * 3 + [GOLD[1]] * 2),
        ("q50", [GOLD[0]] * 2 + [GOLD[1]] + ["filler 0", "filler 1"]),
        ("q0", ["filler 0", "filler 1", "filler 2", "filler 3", "filler 4"]),
        ("qc", ["gold a Bergen", "filler 0", "filler 1", "filler 2", "filler 3"]),
        ("closed", []),
    ],
)
def test_what_each_condition_holds(name: str, expected: list[str]) -> None:
    (case,) = build(question(0, GOLD), name)
    assert Counter(case.passages) == Counter(expected)
    assert case.ineligible is None
    assert case.swap == (SWAP if name == "qc" else None)


def test_gold_beyond_the_slots_is_taken_best_score_first() -> None:
    gold = [f"gold {i} Oslo" for i in range(7)]
    best_last = [question(1, gold[:3:-1], answers=["x"])]  # stands first in the pool, so 6, 5, 4 rank highest
    questions = question_set(question(0, gold), pool=[*best_last, question(0, gold), *FILLER])
    q100, q50 = ContextConditions("grab_rag", ["q100", "q50"]).build(questions, PublishedOrder(), 42)
    assert set(q100.passages) == {gold[6], gold[5], gold[4], gold[0], gold[1]}
    assert set(q50.passages) - {"filler 0", "filler 1"} == {gold[6], gold[5], gold[4]}


def test_a_gold_passage_published_twice_counts_once() -> None:
    (case,) = build(question(0, [GOLD[0], GOLD[0], GOLD[1]]), "q100")
    assert Counter(case.passages) == {GOLD[0]: 3, GOLD[1]: 2}


def test_distractors_are_in_the_pool_once() -> None:
    asked = question(0, GOLD, distractors=["filler 0", "distractor", "distractor"])
    (case,) = build(asked, "q0")
    assert sorted(case.passages) == ["distractor", "filler 0", "filler 1", "filler 2", "filler 3"]


@pytest.mark.parametrize(
    "leak",
    [
        "They met in OSLO.",
        "They met in “Oslo”—in winter.",
        "The Oslo-based ensemble.",
        "Oslo's harbour",
        "the Oslo–Bergen line",
        "born in New  York, twice",
        "a new-york minute",
        " ",
    ],
)
def test_a_passage_with_an_answer_or_without_text_is_no_negative(leak: str) -> None:
    asked = question(0, ["gold"], answers=["Oslo", "New York"])
    (case,) = build(asked, "q0", others=[question(1, [leak], answers=["x"]), *FILLER])
    assert leak not in case.passages


@pytest.mark.parametrize(
    ("answer", "passage"), [("Oslo", "Osloites of Norway"), ("A", "a town on the fjord"), ("?", "who knows?")]
)
def test_a_longer_word_or_an_article_is_no_answer(answer: str, passage: str) -> None:
    asked = question(0, GOLD, answers=[answer])
    (case,) = build(asked, "q0", others=[question(1, [passage], answers=["x"]), *FILLER])
    assert passage in case.passages


def test_too_few_negatives_are_said_for_each_condition_that_needs_them() -> None:
    cases = build(question(0, GOLD), *CONDITIONS, others=FILLER[:3])
    reasons = {case.condition: case.ineligible for case in cases}
    assert reasons == {"q100": None, "q50": None, "q0": TOO_FEW_NEGATIVES, "qc": TOO_FEW_NEGATIVES, "closed": None}
    assert all(case.passages == () and case.swap is None for case in cases if case.ineligible)


def test_a_question_without_a_swap_says_why() -> None:
    asked = question(0, GOLD)
    conditions = ContextConditions("grab_rag", ["qc"])
    (case,) = conditions.build(question_set(asked), PublishedOrder(), 42, swaps={"q0": "answer not found"})
    assert (case.ineligible, case.passages, case.swap) == ("answer not found", (), None)


def test_slots_follow_the_retriever() -> None:
    cases = build(question(0, GOLD), "q100", "q50", "q0", "qc", slots=4)
    assert [len(case.passages) for case in cases] == [4, 4, 4, 4]
    assert Counter(cases[1].passages) == {GOLD[0]: 2, GOLD[1]: 1, "filler 0": 1}


def test_order_is_question_by_question_and_condition_by_condition() -> None:
    first, second = question(0, GOLD), question(1, ["gold c Oslo"])
    questions = question_set(first, second, pool=[first, second, *FILLER])
    conditions = ContextConditions("grab_rag", ["q0", "closed"])
    cases = conditions.build(questions, PublishedOrder(), 42, also=["q100"])
    assert conditions.names == ("q0", "closed")
    assert [(case.question.id, case.condition) for case in cases] == [
        (id_, name) for id_ in ("q0", "q1") for name in ("q100", "q0", "closed")
    ]


def test_closed_alone_needs_no_retrieval() -> None:
    asked = question(0, GOLD)
    cases = ContextConditions("grab_rag", ["closed"]).build(question_set(asked), Bm25Retriever(), 42)
    assert cases == [Case(asked, "closed", ())]


def test_the_shuffle_is_the_questions_own() -> None:
    (case,) = build(question(7, GOLD), "q0", seed=42)
    expected = [f"filler {i}" for i in range(5)]
    Random(42 + 7).shuffle(expected)
    assert list(case.passages) == expected


def test_another_seed_changes_the_order_only() -> None:
    ours, theirs = ([build(question(i, GOLD), "q0", seed=seed)[0].passages for i in range(6)] for seed in (42, 43))
    assert ours != theirs
    assert [sorted(passages) for passages in ours] == [sorted(passages) for passages in theirs]


def test_neither_the_other_conditions_nor_the_other_questions_change_a_case() -> None:
    questions = nq_like(30)
    everything = build_nq_like(questions, questions)
    for name in ("q100", "q50", "q0"):
        conditions = ContextConditions("grab_rag", [name])
        alone = conditions.build(question_set(*questions), Bm25Retriever(), 42)
        assert alone == [case for case in everything if case.condition == name]
    assert build_nq_like(questions[:7], questions) == everything[: 7 * 3]
    backwards = build_nq_like(questions[::-1], questions)
    assert sorted(backwards, key=lambda case: case.question.index) == everything


def test_two_hash_seeds_make_the_same_cases() -> None:
    script = "import test_contexts as t; print(t.digest())"
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT}:{Path(__file__).parent}"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert digests == {digest() + "\n"}


@pytest.mark.parametrize("gold_in_q50", [0, 6])
def test_gold_slots_of_q50_must_fit(gold_in_q50: int) -> None:
    with pytest.raises(AbstainError, match=rf"^condition\.gold_in_q50={gold_in_q50} .*5 slots"):
        ContextConditions("grab_rag", ["q50"], gold_in_q50).build(question_set(question(0, GOLD)), Bm25Retriever(), 42)
    ContextConditions("grab_rag", ["q0"], gold_in_q50).build(question_set(question(0, GOLD)), Bm25Retriever(), 42)


def test_an_unknown_condition_is_named() -> None:
    with pytest.raises(AbstainError, match=r"q51 is unknown; choose from q100, q50, q0, qc, closed$"):
        ContextConditions("grab_rag", ["q100", "q51"])


def test_questions_that_name_their_answer_are_counted() -> None:
    asked = [
        Question("a", 0, "Is Oslo the capital of Norway?", ("oslo",), ("g",)),
        Question("b", 1, "What is the capital of Norway?", ("Oslo", "Christiania"), ("g",)),
        Question("c", 2, "Who wrote Osloites?", ("Oslo",), ("g",)),
    ]
    assert questions_naming_their_answer(asked) == 1


def test_no_answer_stands_in_a_q0_context_of_natural_questions(shared: Path) -> None:
    with gzip.open(shared / "data" / "nq_open_oracle.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    questions = [
        Question(str(at), at, row["question"], tuple(row["answers"]), (row["ctxs"][0]["text"],))
        for at, row in enumerate(rows)
    ]
    cases = ContextConditions("grab_rag", ["q0"]).build(question_set(*questions), Bm25Retriever(), 42)
    assert len(cases) == len(questions) == 2655
    assert all(case.ineligible is None and len(set(case.passages)) == 5 for case in cases)
    for case in cases:
        whole_word = re.compile(
            "|".join(rf"(?<!\w){re.escape(answer)}(?!\w)" for answer in case.question.answers), re.IGNORECASE
        )
        for passage in case.passages:
            assert passage not in case.question.gold
            assert not contains_any(passage, case.question.answers)
            assert not whole_word.search(passage), (case.question, passage)


def nq_like(count: int) -> list[Question]:
    """Questions whose gold passages share words, with up to two passages each."""
    words = ["river", "city", "war", "prize", "king", "song", "north", "year"]
    return [
        question(
            at,
            [
                " ".join(words[(at * k + k + 2) % 8] for k in range(4)) + f" name{at} {part}"
                for part in range(1 + at % 2)
            ],
            answers=[f"name{at}"],
        )
        for at in range(count)
    ]


def build_nq_like(questions: Sequence[Question], pool: Sequence[Question]) -> list[Case]:
    conditions = ContextConditions("grab_rag", ["q100", "q50", "q0"])
    return conditions.build(question_set(*questions, pool=pool), Bm25Retriever(), 42)


def digest() -> str:
    questions = nq_like(20)
    passages = [case.passages for case in build_nq_like(questions, questions)]
    return hashlib.sha256(json.dumps(passages).encode()).hexdigest()


@pytest.mark.parametrize("names", [[], ["q0", "q0"]])
def test_no_condition_or_one_twice_is_refused_by_its_key(names):
    with pytest.raises(AbstainError, match=r"condition\.names=.*each once"):
        ContextConditions("grab_rag", names)
