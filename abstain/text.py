"""Answer normalisation and word-boundary matching, shared by retrieval, conditions and scoring."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalize(text: str) -> str:
    """SQuAD normalisation: lower case, no ASCII punctuation, no articles, single spaces.

    A string that this would empty ("A", "The The", "?") is only lower-cased and stripped instead, so
    that it can still match itself (DESIGN 6).
    """
    lowered = text.lower()
    squad = " ".join(_ARTICLES.sub(" ", lowered.translate(_NO_PUNCTUATION)).split())
    return squad or " ".join(lowered.split())


def contains(normalized_text: str, alias: str) -> bool:
    """Whether `alias`, once normalised, stands in an already normalised text as whole words."""
    return f" {normalize(alias)} " in f" {normalized_text} "


def contains_any(text: str, aliases: Iterable[str]) -> bool:
    """Whether any alias stands in `text` as whole words after normalisation (GRAB-RAG 4.3)."""
    normalized = normalize(text)
    return any(contains(normalized, alias) for alias in aliases)
