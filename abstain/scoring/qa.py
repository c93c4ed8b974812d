"""Answer quality: exact match and token-level F1 over SQuAD-normalised strings (GRAB-RAG 3.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from abstain.text import normalize

# A threshold sweep compares the same strings again at every threshold.
_normalized = lru_cache(maxsize=1 << 16)(normalize)


def exact_match(prediction: str, answers: Iterable[str]) -> bool:
    """Whether the normalised prediction equals any normalised answer; an empty prediction matches nothing.

    Examples
    --------
    >>> exact_match("The Beatles!", ["beatles"]), exact_match("", [""])
    (True, False)
    """
    normalized = _normalized(prediction)
    return bool(normalized) and any(normalized == _normalized(answer) for answer in answers)


@lru_cache(maxsize=1 << 16)
def token_f1(prediction: str, reference: str) -> float:
    """Token-level F1 of two normalised strings, 0..1, best 1; 0 when either is empty.

    Computed as 2 x shared / (tokens of both), so that a value such as 0.8 is exact and meets its threshold.

    Examples
    --------
    >>> token_f1("in March 1997", "March 1997")
    0.8
    """
    predicted, expected = _normalized(prediction).split(), _normalized(reference).split()
    if not predicted or not expected:
        return 0.0
    shared = (Counter(predicted) & Counter(expected)).total()
    return 2 * shared / (len(predicted) + len(expected))


def f1(prediction: str, answers: Iterable[str]) -> float:
    """Token-level F1 with the best of the answers, 0..1, best 1."""
    return max((token_f1(prediction, answer) for answer in answers), default=0.0)
