"""Correcting a recogniser's types by what a name says of itself.

Ours, not the paper's: a stadium named after a person is often tagged PERSON, a state ORG. Where the head noun, a list
of countries and states, a state right after the name or "the town of" before it leaves no doubt, that decides; all else
stays as recognised.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from abstain.conditions.swap import lexicon
from abstain.conditions.swap.kinds import education, institution
from abstain.conditions.swap.phrases import LEADING_ARTICLE, head
from abstain.ner.base import Entity

_PLACE_BEFORE = re.compile(r"\b(?:city|town|village|suburb|hamlet)\s+(?:of\s+)?$")
_PLACE_FIRST = ("cape", "fort", "lake", "mount")
_REGION_AFTER = re.compile(r",\s+((?:[A-Z][\w.]+)(?:\s[A-Z][\w.]+){0,2})")


def settle(text: str, entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """The entities of `text` with their types corrected."""
    return tuple(replace(entity, type=_settled(text, entity)) for entity in entities)


def _settled(text: str, entity: Entity) -> str:
    name = LEADING_ARTICLE.sub("", entity.text, count=1).casefold().strip(" .,'’\"")
    if name in lexicon.COUNTRIES or name in lexicon.STATES:
        return "GPE"
    if name in lexicon.CONTINENTS | lexicon.REGIONS:
        return "LOC"
    if _PLACE_BEFORE.search(text[max(0, entity.start - 16) : entity.start]):
        return "GPE"
    if len(name.split()) < 2:
        return "GPE" if entity.type == "PERSON" and before_region(text, entity) else entity.type
    return _by_head(name, entity.type)


def _by_head(name: str, type: str) -> str:
    """The type of a name of several words, in lower case."""
    last = head(name)
    if type == "PERSON" and last in lexicon.SURNAMES:
        return type
    if last in lexicon.TEAMS and type in ("PERSON", "NORP", "GPE", "LOC", "WORK_OF_ART"):
        return "ORG"
    is_award = name.startswith("best ") or any(word in lexicon.AWARDS for word in name.split()[-3:])
    if type in ("ORG", "PERSON", "EVENT") and is_award:
        return "WORK_OF_ART"
    if lexicon.EVENTS.get(last) == "war":
        return "EVENT"
    is_place = last in lexicon.PLACES or name.split()[0] in _PLACE_FIRST
    if type in ("PERSON", "ORG", "GPE", "EVENT") and is_place and not institution(name):
        return "LOC"
    return "ORG" if type == "PERSON" and (education(name) or institution(name)) else type


def before_region(text: str, entity: Entity) -> bool:
    """Whether a state or country follows after a comma, as after the name of a town."""
    region = _REGION_AFTER.match(text, entity.end)
    words = region.group(1).casefold().split() if region else []
    names = (" ".join(words[:count]).rstrip(".") for count in range(1, len(words) + 1))
    return any(name in lexicon.STATES or name in lexicon.COUNTRIES or name in lexicon.STATE_OR_CITY for name in names)
