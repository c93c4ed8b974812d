"""Answer normalisation and word-boundary matching, shared by retrieval, conditions and scoring."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

_ARTICLE_WORDS = {"a", "an", "the"}
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_WORD = re.compile(r"[^\W_]+")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalize(text: str) -> str:
    """SQuAD normalisation: lower case, no ASCII punctuation, no articles, single spaces.

    A string that this would empty ("A", "The The", "?") is only lower-cased and stripped instead, so
    that it can still match itself (DESIGN 6).
    """
    lowered = text.lower()
    squad = " ".join(_ARTICLES.sub(" ", lowered.translate(_NO_PUNCTUATION)).split())
    return squad or " ".join(lowered.split())


def tokenize(text: str) -> list[str]:
    """Lower-case words of letters and digits; punctuation only separates.

    >>> tokenize("Röntgen's first X-ray (1895).")
    ['röntgen', 's', 'first', 'x', 'ray', '1895']
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text).lower())


def contains(normalized_text: str, alias: str) -> bool:
    """Whether `alias`, once normalised, stands in an already normalised text as whole words."""
    return f" {normalize(alias)} " in f" {normalized_text} "


@dataclass(frozen=True, slots=True)
class Searchable:
    """A text in the two forms in which an answer is looked for (GRAB-RAG 4.3: word boundaries after normalisation).

    Normalisation deletes hyphens and keeps dashes, so that it hides "2016" in "2016–17", "LII" in "LII-winning" and
    "me" in "me/Suddenly"; the words alone show them.
    """

    normalized: str
    words: str

    @classmethod
    def of(cls, text: str) -> Searchable:
        """Prepare a text once for many searches."""
        return cls(normalize(text), _words(text))

    def holds_any(self, aliases: Iterable[str]) -> bool:
        """Whether any alias stands in the text in either form."""
        return any(contains(self.normalized, alias) or _words(alias) in self.words for alias in aliases)


def contains_any(text: str, aliases: Iterable[str]) -> bool:
    """Whether any alias stands in `text` as whole words."""
    return Searchable.of(text).holds_any(aliases)


def _words(text: str) -> str:
    """The words but articles between single spaces, with a space at both ends."""
    return f" {' '.join(word for word in tokenize(text) if word not in _ARTICLE_WORDS)} "
