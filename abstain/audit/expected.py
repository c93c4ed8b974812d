"""Type clashes: a replacement that is not the sort of thing that the question asks for, or that the original was.

The question is a witness that the pipeline does not hear: it chooses by the passage and the original alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from abstain.conditions.swap import lexicon
from abstain.rows import Swap

_TYPES = {
    noun: types
    for nouns, types in {
        "person actor actress singer president king queen scientist physicist player director author": "PERSON",
        "company organisation organization agency team club band university college school airline": "ORG",
        "country state province continent city town village capital community": "GPE LOC",
        "river ocean sea lake mountain island stadium airport": "LOC GPE",
        "painting novel book film movie song album poem epic musical": "WORK_OF_ART",
        "war battle": "EVENT",
        "nationality religion": "NORP",
        # Nouns that no type belongs to, so that "what year did the band ..." asks for a year.
        "year date day number character role name word": "",
    }.items()
    for noun in nouns.split()
}
"""What a question asks for -> the entity types that it may be."""
_NOUN = rf"(?:{'|'.join(_TYPES)})"
_ASKED = re.compile(
    rf"\b(?:what|which)\s+(?:\S+\s+){{0,4}}?({_NOUN})(?:\s+({_NOUN}))?\b|(?:^|\bby )who(?:m|se)?\b", re.IGNORECASE
)

_LISTED: Mapping[str, frozenset[str]] = {
    "country": lexicon.COUNTRIES,
    "state": lexicon.STATES,
    "continent": lexicon.CONTINENTS,
}
"""Sorts of places of which the list is complete enough to miss a name on it."""
_NOT_CITIES = (lexicon.COUNTRIES | lexicon.STATES | lexicon.CONTINENTS) - {"singapore", "monaco", "luxembourg"}
_KEYWORDS = {"ORG": lexicon.EDUCATION | lexicon.INSTITUTIONS, "LOC": lexicon.PLACES, "EVENT": lexicon.EVENTS}


def clash(question: str, swap: Swap) -> Iterator[str]:
    """What is wrong with the sort of the replacement; nothing for years and numbers."""
    if swap.type in ("YEAR", "NUMBER"):
        return
    asked = _asked(question)
    # A name inside the answer need not be what is asked for: the state of a city, say.
    if swap.tier == "sub_entity" and asked != "person":
        asked = ""
    types = _TYPES.get(asked, "").split()
    if types and swap.type not in types and not _may_act(asked, swap):
        yield f"type clash: asked for {asked}, {swap.replacement} is {swap.type}"
    elif not _is_listed(asked, swap.replacement):
        yield f"type clash: {swap.replacement} is no {asked}"
    was, became = (_classes(name, swap.type) for name in (swap.original, swap.replacement))
    if was.isdisjoint(became) and was | became:
        yield f"type clash: {_joined(was)} became {_joined(became)}"


def _asked(question: str) -> str:
    """The noun after "what" or "which" (the second of two: "film director"), ``person`` for "who", else ''."""
    found = _ASKED.search(question)
    return (found[2] or found[1] or "person").casefold() if found else ""


def _may_act(asked: str, swap: Swap) -> bool:
    """Whether what is asked for as a person may be none: organisations, peoples, countries and states act too."""
    acts = swap.type in ("ORG", "NORP") or _name(swap.original) in lexicon.COUNTRIES | lexicon.STATES
    return asked == "person" and acts


def _joined(classes: set[str]) -> str:
    return "/".join(sorted(classes)) or "something else"


def _is_listed(asked: str, replacement: str) -> bool:
    name = _name(replacement)
    if asked in ("city", "town", "village"):
        return name not in _NOT_CITIES
    return asked not in _LISTED or name in _LISTED[asked]


def _classes(name: str, type: str) -> set[str]:
    """The classes of the keywords in a name of this type; of a place, what it is listed as."""
    if type == "GPE":
        return {noun for noun, names in _LISTED.items() if _name(name) in names}
    keywords = _KEYWORDS.get(type, {})
    return {keywords[word] for word in re.findall(r"\w+", name.casefold()) if word in keywords}


def _name(phrase: str) -> str:
    return re.sub(r"^the\s+", "", phrase.casefold()).strip(" .")
