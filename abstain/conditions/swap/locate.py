"""Finding an answer in a passage, and the two cues that a swap could not remove (GRAB-RAG, Appendix C).

Phrases match on the original text, never on a lower-cased copy whose offsets may differ. A boundary is a place beside
which no word character stands, so that ``U.S.`` and ``C++`` are found too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from abstain.conditions.swap.lexicon import FUNCTION_WORDS
from abstain.conditions.swap.phrases import tokens

_OUTER = "\"'“”‘’«»()[]{}"
_VARIANTS = {
    **dict.fromkeys("'‘’`", "['‘’`]"),
    **dict.fromkeys('"“”', '["“”]'),
    **dict.fromkeys("-‐‑–—", "[-‐‑–—]"),
}
"""Characters that are typed in several ways; an answer matches all of them."""

_BORN = re.compile(r"\(([^()]*\bborn\b[^()]*)\)", re.IGNORECASE)
_POSSESSIVE_FROM = 6
"""Characters of an answer token from which a possessive counts as a leak."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a passage: ``text == passage[start:end]``."""

    start: int
    end: int
    text: str


@lru_cache(maxsize=8192)
def pattern(phrase: str) -> re.Pattern[str]:
    """Matches a phrase as whole words in any case, with any white space, quotes and dashes.

    A plain number does not match inside a longer one ("100" in "1,100" or "100.5").
    """
    body = r"\s+".join("".join(_VARIANTS.get(char, re.escape(char)) for char in word) for word in phrase.split())
    before = r"(?<!\w)(?<!\d[.,])" if phrase[:1].isdigit() else r"(?<!\w)"
    after = r"(?!\w)(?![.,]\d)" if phrase[-1:].isdigit() else r"(?!\w)"
    return re.compile(before + body + after, re.IGNORECASE)


def occurrences(phrase: str, passage: str) -> tuple[Span, ...]:
    """All places where a phrase stands, those in its own capitalisation first.

    Where the phrase has capitals, an occurrence without any is another word ("us" is not "US") and is left out.
    """
    if not phrase.strip():
        return ()
    found = (Span(match.start(), match.end(), match.group()) for match in pattern(phrase).finditer(passage))
    spans = [span for span in found if _has_capital(span.text) or not _has_capital(phrase)]
    return tuple(sorted(spans, key=lambda span: (span.text != phrase, span.start)))


def locate(answer: str, passage: str) -> tuple[Span, ...]:
    """Where the answer stands; on failure a second try without its outer quotes and brackets."""
    return occurrences(answer, passage) or occurrences(answer.strip().strip(_OUTER), passage)


def born_parenthetical(answer: str, passage: str) -> bool:
    """Whether a parenthesis with "born" shares a token with the answer."""
    wanted = tokens(answer) - FUNCTION_WORDS
    return any(wanted & tokens(match.group(1)) for match in _BORN.finditer(passage))


def possessive(answer: str, passage: str) -> bool:
    """Whether an answer token of six or more characters stands in the passage with a possessive ending."""
    return any(
        re.search(rf"(?<!\w){re.escape(token)}['’]s(?!\w)", passage, re.IGNORECASE) for token in _long_tokens(answer)
    )


def _long_tokens(answer: str) -> Iterator[str]:
    return (token for token in re.findall(r"\w+", answer) if len(token) >= _POSSESSIVE_FROM)


def _has_capital(text: str) -> bool:
    return any(char.isupper() for char in text)
