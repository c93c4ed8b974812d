"""Which pronouns a passage uses, so that an actress is not replaced by a name that is only ever called "he".

Ours, not the paper's, and only a preference (choose.py): a mismatch reads badly but breaks nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_HE = re.compile(r"\b(?:he|him|his|himself|actor|brother|father|husband|king|son)\b", re.IGNORECASE)
_SHE = re.compile(r"\b(?:she|her|hers|herself|actress|sister|mother|wife|queen|daughter)\b", re.IGNORECASE)


def pronoun(passage: str) -> str:
    """``he`` or ``she`` when the passage has words of one kind only, else ''."""
    he, she = _HE.search(passage) is not None, _SHE.search(passage) is not None
    return "he" if he and not she else "she" if she and not he else ""


def agreed(pronouns: Iterable[str]) -> str:
    """The one pronoun of all passages that show one, else ''."""
    shown = set(pronouns) - {""}
    return shown.pop() if len(shown) == 1 else ""


def clash(one: str, other: str) -> bool:
    """Whether two pronouns are known and differ."""
    return one != other and "" not in (one, other)
