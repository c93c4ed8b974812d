"""Swaps of all questions, made once for each content and seed and then read from the cache.

Entities are kept by recogniser and text, swaps by everything that went into them (recogniser, pool passages, seed,
question). A lock lets the jobs of a sweep that start together build them once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path

from abstain.conditions.swap.cache import ContentCache
from abstain.conditions.swap.pool import build_pool
from abstain.conditions.swap.search import Search, spans_to_read
from abstain.conditions.swap.settle import settle
from abstain.ner.base import Entity, Ner
from abstain.progress import progress
from abstain.rows import Edit, Question, QuestionSet, Swap

VERSION = "swap-4"
"""Tag of the pipeline's rules, part of every swap's key: raise it when a rule or a word list changes."""

_CHUNK = 64
"""Texts read between two writes to the cache."""


def find_swaps(questions: QuestionSet[Question], ner: Ner, seed: int, cache: Path) -> dict[str, Swap | str]:
    """The swap of every question by its id, or the stable name of the reason why it has none.

    `cache` is a folder. Candidates come from the gold passages of ``questions.pool``; a question's swap depends on
    them, on the seed and on the question alone.
    """
    store = ContentCache(cache / "swaps.sqlite")
    passages = sorted({passage for question in questions.pool for passage in question.gold})
    answers = sorted({answer for question in questions.pool for answer in question.answers})
    source = _digest(VERSION, ner.identity, seed, passages, answers)
    keys = {question.id: _swap_key(source, question) for question in questions.questions}
    found = store.find(keys.values())
    if any(key not in found for key in keys.values()):
        from filelock import FileLock

        with FileLock(cache / "swaps.lock"):
            found = store.find(keys.values())
            missing = [question for question in questions.questions if keys[question.id] not in found]
            swaps = _build(missing, passages, answers, ner, seed, store)
            made = {keys[name]: _encode(swap) for name, swap in swaps.items()}
            store.keep(made)
            found |= made
    return {question.id: _decode(found[keys[question.id]]) for question in questions.questions}


def read_entities(texts: Iterable[str], ner: Ner, store: ContentCache) -> dict[str, tuple[Entity, ...]]:
    """The entities of each distinct text, from the cache where it has them."""
    keys = {text: _digest("entities-1", ner.identity, text) for text in sorted(set(texts))}
    found = store.find(keys.values())
    missing = [text for text, key in keys.items() if key not in found]
    if missing:
        with progress("entities", len(missing), len(keys) - len(missing)) as advance:
            for start in range(0, len(missing), _CHUNK):
                chunk = missing[start : start + _CHUNK]
                made = {
                    keys[text]: json.dumps([[entity.start, entity.end, entity.type] for entity in entities])
                    for text, entities in zip(chunk, ner.entities(chunk), strict=True)
                }
                store.keep(made)
                found |= made
                for _ in chunk:
                    advance()
    return {
        text: tuple(Entity(start, end, text[start:end], type) for start, end, type in json.loads(found[key]))
        for text, key in keys.items()
    }


def _build(
    missing: list[Question], passages: list[str], answers: list[str], ner: Ner, seed: int, store: ContentCache
) -> Mapping[str, Swap | str]:
    texts = {*passages, *(passage for question in missing for passage in question.gold)}
    texts |= {span for question in missing for span in spans_to_read(question)}
    entities = {text: settle(text, found) for text, found in read_entities(texts, ner, store).items()}
    pool = build_pool(((passage, entities[passage]) for passage in passages), answers)
    search = Search(pool, entities, seed)
    return {question.id: search.swap(question) for question in missing}


def _swap_key(source: str, question: Question) -> str:
    return _digest(source, question.index, question.text, question.answers, question.gold)


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()


def _encode(swap: Swap | str) -> str:
    return json.dumps(swap if isinstance(swap, str) else asdict(swap), ensure_ascii=False)


def _decode(text: str) -> Swap | str:
    value = json.loads(text)
    if isinstance(value, str):
        return value
    return Swap(**{**value, "edits": tuple(Edit(**edit) for edit in value["edits"])})
