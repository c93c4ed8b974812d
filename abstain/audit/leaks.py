"""A second scan for gold answers in swapped passages, by other code than the pipeline's own check.

Passage and alias are folded (compatibility forms, no accents, no case) and read as words in two ways: runs of letters
and digits (``Paris-based`` holds ``Paris``), and what stands between spaces without its punctuation (``U.S.`` is
``US``). An alias leaks when its words stand in a row in either reading, with or without articles.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")
_ARTICLES = {"a", "an", "the"}


def leaks(passage: str, aliases: Iterable[str]) -> tuple[str, ...]:
    """The aliases that stand in a passage; an alias without letters and digits never does."""
    readings = list(_readings(passage))
    return tuple(
        alias
        for alias in aliases
        if any(_in_a_row(words, text) for words, text in zip(_readings(alias), readings, strict=True))
    )


def _readings(text: str) -> Iterator[list[str]]:
    """The words of a text in each way to read it."""
    folded = _fold(text)
    runs = [word.replace(",", "") for word in _WORD.findall(folded)]
    glued = [word for word in ("".join(filter(str.isalnum, chunk)) for chunk in folded.split()) if word]
    for words in (runs, glued):
        yield words
        # An alias that is nothing but an article keeps it.
        yield [word for word in words if word not in _ARTICLES]


def _fold(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _in_a_row(words: Sequence[str], text: Sequence[str]) -> bool:
    width = len(words)
    return width > 0 and any(text[start : start + width] == words for start in range(len(text) - width + 1))
