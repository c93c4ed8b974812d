"""Choosing a replacement for a name (GRAB-RAG, Appendix C, replacement selection).

Preferred are, in this order: names of a near length, for originals of three or more words names of several words (both
the paper's), and then, ours, names of the same setting (after ``the``, in quotes), that go with the passage's pronouns,
are attested (pool.py) and, unless they are persons, have the same number of words. Among equals the question's own
random state draws. Ours too: no name that the question, the passage or a gold answer already has.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from abstain.conditions.swap.filters import rejected_by
from abstain.conditions.swap.phrases import related
from abstain.conditions.swap.plan import Unfit
from abstain.conditions.swap.pool import Candidate, Pool
from abstain.conditions.swap.pronouns import distance
from abstain.text import contains, normalize

TRIES = 40
"""Candidates looked at before a type is given up."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The name to be replaced and what stands around it."""

    original: str
    groups: tuple[tuple[str, str], ...]
    """Types and kinds of the pool to look in, in this order."""
    setting: str
    """``definite``, ``quoted`` or ``plain`` (pool.py)."""
    context: str
    """Passage and question, normalised."""
    aliases: tuple[str, ...]
    """All gold answers."""
    pronoun: str = ""
    """``he``, ``she`` or '' (pronouns.py)."""
    part: str = "whole"
    """``last`` or ``first`` when the original is only that word of a person's name."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen for a slot."""

    text: str
    """What replaces the original."""
    name: str
    """The whole name of which `text` is a part or all."""
    type: str
    """The pool type it was found under."""


def choose(slot: Slot, pool: Pool, rng: random.Random) -> Choice:
    """A replacement for the slot.

    Raises Unfit with ``no_candidate``, or with the filter that rejected the first candidate when all were rejected.
    """
    reasons: list[str] = []
    for label, kind in slot.groups:
        for candidate in _ranked(slot, label, kind, pool, rng):
            replacement = _part(candidate.text, slot.part)
            reason = _unsuitable(slot, replacement)
            if reason is None:
                return Choice(replacement, candidate.text, label)
            reasons.append(reason)
    raise Unfit(next((reason for reason in reasons if reason != "no_candidate"), "no_candidate"))


def _ranked(slot: Slot, label: str, kind: str, pool: Pool, rng: random.Random) -> Iterator[Candidate]:
    words = len(slot.original.split())
    wanted = "full" if slot.part != "whole" else kind
    ranks: dict[tuple[bool, bool, bool, int, bool, int], list[Candidate]] = defaultdict(list)
    for candidate in pool.of(label, wanted):
        if label == "WORK_OF_ART" and candidate.setting != slot.setting:
            continue  # Songs and episodes stand in quotes, books and films do not.
        far = abs(candidate.words - words) > max(2, words)
        short = words >= 3 and candidate.words == 1
        is_person = label == "PERSON"
        misfit = distance(slot.pronoun, candidate.pronoun) if is_person else 0
        longer = 0 if is_person else abs(candidate.words - words)
        rank = (far, short, candidate.setting != slot.setting, misfit, not candidate.attested, longer)
        ranks[rank].append(candidate)
    left = TRIES
    for rank in sorted(ranks):
        group = ranks[rank]
        yield from rng.sample(group, min(left, len(group)))
        left -= min(left, len(group))


def _unsuitable(slot: Slot, replacement: str) -> str | None:
    if normalize(replacement) == normalize(slot.original) or contains(slot.context, replacement):
        return "no_candidate"
    if any(related(alias, replacement) for alias in slot.aliases):
        return "filter_alias"
    return rejected_by(slot.original, replacement)


def _part(name: str, part: str) -> str:
    words: Sequence[str] = name.split()
    return {"whole": name, "last": words[-1], "first": words[0]}[part]
