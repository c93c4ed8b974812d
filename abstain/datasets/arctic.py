"""ArcticQA: multiple-choice questions with one gold answer and four ranked distractors (ArcticAbstain 3).

A file has one item a line: ``item_id``, ``question``, ``question_context`` (may be empty), ``gold_answer`` and
``distractors``, four objects with ``rank`` 0 to 3 and ``text``; other keys are ignored. Two options that say the same
make an item unfair in both conditions, so such an item is an error, not a question that is quietly left out.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from abstain.datasets.entries import Row, required_text
from abstain.datasets.files import content_id, existing, json_lines
from abstain.datasets.order import Order
from abstain.errors import AbstainError
from abstain.rows import ARCTIC_ABSTAIN, ChoiceQuestion, QuestionSet

_DEMO = Path(__file__).with_name("arctic_demo.jsonl")
_RANKS = [0, 1, 2, 3]

_NOT_FOLDED = ("<super>", "<sub>", "<fraction>")
_VARIANTS = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")  # hyphens, dashes, minus sign
    | dict.fromkeys("\u2018\u2019\u02bc\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u2033", '"')
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff")  # invisible
)
_GAP_AFTER_DIGIT = re.compile(r"(?<=\d) (?=\D)")


@dataclass(frozen=True, slots=True)
class _Item:
    """The fields of a `ChoiceQuestion` but its index."""

    id: str
    text: str
    context: str
    gold: str
    distractors: tuple[str, str, str, str]


class ArcticQA:
    """The items of a file in one fixed order (DESIGN 6).

    `path` is an items file, plain or gzipped; `limit` is None for all. Raises AbstainError that names the key.
    """

    benchmark = ARCTIC_ABSTAIN

    def __init__(
        self,
        name: str,
        path: str | None,
        limit: int | None = None,
        sample_seed: int = 42,
        pool_questions: int = 500,
    ) -> None:
        if path is None:
            raise AbstainError(f"dataset.path: {name} is read from a local file; give the path of its items file")
        self.name = name
        self._path = path
        self._order = Order(limit, sample_seed, pool_questions)

    def load(self) -> QuestionSet[ChoiceQuestion]:
        """Read and check the items; the source is the SHA-256 of the file.

        Raises AbstainError with the file and the line of an item that is malformed, recorded before, or has two
        options that say the same.
        """
        path = existing(self._path)
        items = list(_read(path))
        if not items:
            raise AbstainError(f"dataset.path={self._path}: holds no items")
        random.Random(self._order.sample_seed).shuffle(items)
        size = len(items) if self._order.limit is None else self._order.limit
        pool = tuple(
            ChoiceQuestion(item.id, index, item.text, item.context, item.gold, item.distractors)
            for index, item in enumerate(items[: max(size, self._order.pool_questions)])
        )
        return QuestionSet(self.name, self.benchmark, pool[:size], pool, source=content_id([path]))


def arctic_demo(name: str, limit: int | None = None, sample_seed: int = 42, pool_questions: int = 500) -> ArcticQA:
    """The dozen items about the Arctic that come with the package."""
    return ArcticQA(name, str(_DEMO), limit, sample_seed, pool_questions)


def canonical(text: str) -> str:
    """What an option says, whatever its typography: two options with the same canonical text are the same answer.

    Dashes, quotes, spaces and full-width forms are unified, a full stop at the end is dropped. Signs, decimals,
    super- and subscripts and units stay; the case is folded only where no digit stands (5 mW is not 5 MW).
    """
    folded = "".join(
        char if unicodedata.decomposition(char).startswith(_NOT_FOLDED) else unicodedata.normalize("NFKC", char)
        for char in unicodedata.normalize("NFC", text)
    )
    plain = " ".join(unicodedata.normalize("NFC", folded.translate(_VARIANTS)).split()).rstrip(". ")
    if any(char.isdigit() for char in plain):
        return _GAP_AFTER_DIGIT.sub("", plain)
    return plain.casefold()


def _read(path: Path) -> Iterator[_Item]:
    places: dict[str, str] = {}
    for where, row in json_lines(path):
        item = _item(row, where)
        if item.id in places:
            raise AbstainError(f"{where}: the id {item.id!r} stands also at {places[item.id]}; ids must be unique")
        places[item.id] = where
        yield item


def _item(row: Row, where: str) -> _Item:
    context = row.get("question_context") or ""
    if not isinstance(context, str):
        raise AbstainError(f"{where}: 'question_context' must be a string; it may be empty")
    item = _Item(
        required_text(row, "item_id", where),
        required_text(row, "question", where),
        context.strip(),
        required_text(row, "gold_answer", where),
        _distractors(row, where),
    )
    said: dict[str, str] = {}
    for name, text in (("gold answer", item.gold), *((f"distractor {k}", item.distractors[k]) for k in _RANKS)):
        first = said.setdefault(canonical(text), name)
        if first != name:
            raise AbstainError(f"{where}: {name} ({text!r}) says the same as the {first}; options must differ")
    return item


def _distractors(row: Row, where: str) -> tuple[str, str, str, str]:
    listed = row.get("distractors")
    if not isinstance(listed, list) or not all(isinstance(distractor, dict) for distractor in listed):
        raise AbstainError(f"{where}: 'distractors' must be a list of four objects with rank and text")
    ranks = [distractor.get("rank") for distractor in listed]
    if sorted(ranks, key=str) != _RANKS:
        raise AbstainError(f"{where}: the distractors have the ranks {ranks}; give four, ranked 0, 1, 2 and 3")
    by_rank = {distractor["rank"]: required_text(distractor, "text", where) for distractor in listed}
    return by_rank[0], by_rank[1], by_rank[2], by_rank[3]
