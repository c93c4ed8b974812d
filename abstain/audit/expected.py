"""Type clashes: a replacement that is not the sort of thing that the question asks for, or that the original was.

What the question asks for is read by the pipeline's own rule (conditions/swap/expect.py), so a clash with it tells of
names that the rule let pass; the comparison with the original is the audit's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from abstain.conditions.swap import lexicon
from abstain.conditions.swap.expect import asked, bare, may_act, names_a_language, types
from abstain.rows import Swap

_LISTED: Mapping[str, frozenset[str]] = {
    "country": lexicon.COUNTRIES,
    "state": lexicon.STATE_OR_CITY.union(lexicon.STATES),
    "continent": lexicon.CONTINENTS | lexicon.REGIONS,
}
"""Sorts of places of which the list is complete enough to miss a name on it."""
_NOT_CITIES = lexicon.COUNTRIES.union(lexicon.STATES, lexicon.CONTINENTS, lexicon.REGIONS)
_NOT_CITIES -= {"singapore", "monaco", "luxembourg"}
_KEYWORDS = {"ORG": lexicon.EDUCATION | lexicon.INSTITUTIONS, "LOC": lexicon.PLACES, "EVENT": lexicon.EVENTS}


def clash(question: str, swap: Swap) -> Iterator[str]:
    """What is wrong with the sort of the replacement; nothing for years and numbers."""
    if swap.type in ("YEAR", "NUMBER"):
        return
    noun = asked(question)
    # A name inside the answer need not be what is asked for: the state of a city, say.
    if swap.tier == "sub_entity" and noun != "person":
        noun = ""
    wanted = types(noun)
    excused = may_act(noun, swap.original, swap.type) or names_a_language(question, swap.original, swap.type)
    if wanted and swap.type not in wanted and not excused:
        yield f"type clash: asked for {noun}, {swap.replacement} is {swap.type}"
    elif not _is_listed(noun, swap.replacement):
        yield f"type clash: {swap.replacement} is no {noun}"
    was, became = (_classes(name, swap.type) for name in (swap.original, swap.replacement))
    if was.isdisjoint(became) and was | became:
        yield f"type clash: {_joined(was)} became {_joined(became)}"


def _joined(classes: set[str]) -> str:
    return "/".join(sorted(classes)) or "something else"


def _is_listed(noun: str, replacement: str) -> bool:
    name = bare(replacement)
    if noun in ("city", "town", "village"):
        return name not in _NOT_CITIES
    return noun not in _LISTED or name in _LISTED[noun]


def _classes(name: str, type: str) -> set[str]:
    """The classes of the keywords in a name of this type; of a place, what it is listed as."""
    if type == "GPE":
        return {noun for noun, names in _LISTED.items() if bare(name) in names}
    keywords = _KEYWORDS.get(type, {})
    return {keywords[word] for word in re.findall(r"\w+", name.casefold()) if word in keywords}
