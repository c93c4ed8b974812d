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


def distance(wanted: str, other: str) -> int:
    """How badly a name goes with the pronoun of a passage: 0 well or nothing wanted, 1 unknown, 2 badly."""
    if wanted in ("", other):
        return 0
    return 2 if other else 1
