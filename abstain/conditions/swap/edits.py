"""Changing a passage by recorded edits on its original offsets, in one pass.

A later replacement never meets inserted text, and undoing the edits gives the original passage back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from abstain.conditions.swap.locate import Span
from abstain.rows import Edit

_ARTICLE_BEFORE = re.compile(r"(?:(?<!\w)an?|(?:^|[.!?:\n]\s*[\"“(]?)An?)\s+[\"“‘'(]?$")
_ARTICLE = re.compile(r"[Aa]n?(?=\W+$)")
_CONSONANT_SOUND = re.compile(r"(?:uni(?![nmd])|eu|one\b|us[aeu]\b|use|ut[ai]|u[kns]\b|u\.)", re.IGNORECASE)
_VOWEL_SOUND = re.compile(r"(?:[aeiouáàâäåæéèêëíîóôöøœ]|hour|honest|honou?r|heir|8|1[18](?!\d))", re.IGNORECASE)
_ARTICLE_REACH = 16
"""Characters before an edit in which its article is looked for."""


def replace(spans: Iterable[Span], after: str, kind: str, taken: Sequence[Edit] = ()) -> list[Edit]:
    """One edit for each span that no edit in `taken` touches."""
    return [
        Edit(span.start, span.end, span.text, after, kind)
        for span in spans
        if not any(span.start < edit.end and edit.start < span.end for edit in taken)
    ]


def articles(passage: str, edits: Iterable[Edit]) -> list[Edit]:
    """The edits that correct ``a`` and ``an`` before replaced text; a capital A within a sentence is no article."""
    corrections = []
    for edit in edits:
        reach = max(0, edit.start - _ARTICLE_REACH)
        context = passage[reach : edit.start]
        found = _ARTICLE.search(context) if _ARTICLE_BEFORE.search(context) else None
        if found and _starts_with_vowel(edit.before) != _starts_with_vowel(edit.after):
            after = found.group()[0] + ("n" if _starts_with_vowel(edit.after) else "")
            start, end = reach + found.start(), reach + found.end()
            corrections.append(Edit(start, end, found.group(), after, "article"))
    return [edit for edit in corrections if edit.before != edit.after]


def apply(text: str, edits: Iterable[Edit], offset: int = 0) -> str:
    """`text` after non-overlapping edits whose offsets count from `offset` before its start."""
    pieces, position = [], 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        pieces += [text[position : edit.start - offset], edit.after]
        position = edit.end - offset
    return "".join([*pieces, text[position:]])


def repeats(passage: str, replacement: str) -> bool:
    """Whether the replacement stands twice in adjacent positions ("Oslo Oslo", "Oslo, Oslo", "Oslo and Oslo")."""
    name = re.escape(replacement)
    return re.search(rf"(?<!\w){name}\W+(?:(?:and|or)\s+)?{name}(?!\w)", passage, re.IGNORECASE) is not None


def _starts_with_vowel(text: str) -> bool:
    start = text.lstrip("\"“‘'(")
    return _VOWEL_SOUND.match(start) is not None and _CONSONANT_SOUND.match(start) is None
