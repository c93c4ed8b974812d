"""Tiers 3 and 4: a name for a name, or for a name inside the answer (GRAB-RAG, Appendix C).

Ours beyond the paper: when the answer is one word of a longer person's name, that word and the rest of the name are
taken from one other name; when it is part of another kind of name, the answer's own type counts, not that of the name
around it; mentions of the same entity by some of its words (a surname alone) change with it, where the paper let them
stand as a cue; a span that could not itself be a pool entry ("HU-1") is not taken for a name; the question has a say in
the type (expect.py); a name is left alone inside a longer one ("Tennessee Titans"); and so is one that does not say of
what sort it is ("Apple"), for brands, bands, series and texts look alike (41% of the paper's ORG swaps were broken).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from abstain.conditions.swap.choose import Choice, Slot, choose
from abstain.conditions.swap.edits import replace
from abstain.conditions.swap.expect import admits_part, kind_by, settled_by
from abstain.conditions.swap.locate import Span, occurrences
from abstain.conditions.swap.phrases import related, tokens
from abstain.conditions.swap.plan import NO_TIER, Plan, Unfit
from abstain.conditions.swap.pool import Pool, fault, setting
from abstain.conditions.swap.pronouns import pronoun
from abstain.ner.base import Entity
from abstain.text import normalize

_ADJECTIVE = re.compile(r"\w+(?:ian|ish|ese)", re.IGNORECASE)
_UNSOUND = (
    "digit",
    "lower_case",
    "lower_case_end",
    "punctuation",
    "common",
    "generic",
    "not_a_name",
    "title",
    "born",
    "domain",
    "table",
)
"""Faults of an original that show it is no name."""
_SUFFIXES = ("Jr", "Sr", "II", "III", "MBE", "CBE", "OBE")
"""Words after a surname."""
_VAGUE = {
    *(
        ("ORG", kind)
        for kind in ("single", "several", "plural", "pair", "association", "government", "league", "media")
    ),
    ("LOC", "place"),
    ("GPE", "region"),
    ("GPE", "land"),
    ("NORP", "other"),
    ("EVENT", "other"),
}
"""Names that do not say of what sort they are."""
_GOES_ON = re.compile(r"[\"”'’.]?(?:\s*$|\s*[,;:()]|\s+(?:in|to|at|on|near|outside|from|west|east|north|south)\b)")
"""What may follow a name inside an answer when it is a whole name."""
_QUOTES = '"“”'
_TRIM = re.compile(r"^(?:(?:the|an?)\s+|[\"“”'‘’(])+|(?:['’]s?|[\"”’),;:]|(?<=[^\W\d_]{5})\.|\s)+$", re.IGNORECASE)


@dataclass(frozen=True)
class Scene:
    """One question in front of one of its gold passages, with all that the tiers look at."""

    question: str
    answers: tuple[str, ...]
    passage: str
    spans: tuple[Span, ...]
    """Where the primary answer stands; never empty."""
    entities: tuple[Entity, ...]
    """Those of the passage."""
    inner: tuple[Entity, ...]
    """Those of the answer span read alone."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """What is to be replaced."""

    text: str
    type: str
    part: str = "whole"
    around: str = ""
    """The person's name of which `text` is the first or last word."""


def entity(scene: Scene, pool: Pool, rng: random.Random) -> Plan:
    """Tier 3: the entity that spans or contains the answer gives the type. Raises Unfit."""
    return _plan("entity", _whole_answer(scene), scene, pool, rng)


def sub_entity(inner: Entity, scene: Scene, pool: Pool, rng: random.Random) -> Plan:
    """Tier 4: a confirmed entity of the answer (see `confirmed`) is replaced. Raises Unfit."""
    unit = _Unit(_trim(inner.text), inner.type)
    if not admits_part(scene.question, unit.text, unit.type) or _within_name(unit, scene.spans[0]):
        raise Unfit("unsound_entity")
    return _plan("sub_entity", unit, scene, pool, rng)


def confirmed(scene: Scene) -> list[Entity]:
    """Entities of the answer read alone, less than the whole of it, that the passage's entities confirm.

    Ours: groups come last, because "German swimmer Michael Phelps" would still name the right swimmer.
    """
    known = {normalize(entity.text) for entity in scene.entities}
    whole = tokens(scene.spans[0].text)
    found = [inner for inner in scene.inner if normalize(inner.text) in known and tokens(inner.text) != whole]
    return sorted(found, key=lambda inner: inner.type == "NORP")


def labels(name: str, type: str, norp: frozenset[str]) -> tuple[str, ...]:
    """Pool types to look in: NORP first for single adjectives in -ian, -ish or -ese and for known NORP entries."""
    is_adjective = type != "PERSON" and _ADJECTIVE.fullmatch(name) is not None
    if type != "NORP" and (is_adjective or normalize(name) in norp):
        return ("NORP", type)
    return (type,)


def _whole_answer(scene: Scene) -> _Unit:
    span, around = next(
        ((span, around) for span in scene.spans if (around := _covering(span, scene.entities))), (None, None)
    )
    if span is None or around is None:
        raise Unfit(NO_TIER)
    name, full = _trim(span.text), _trim(around.text)
    if tokens(around.text) == tokens(span.text):
        type = settled_by(scene.question, name, around.type)
        return _Unit(span.text.strip(_QUOTES) if type == "WORK_OF_ART" else name, type)
    part = _part_of_name(name, full) if around.type == "PERSON" else ""
    if part:
        return _Unit(name, "PERSON", part, full)
    own = next((inner.type for inner in scene.inner if tokens(inner.text) == tokens(span.text)), None)
    if own is None or own == "PERSON":
        raise Unfit(NO_TIER)
    return _Unit(name, settled_by(scene.question, name, own))


def _covering(span: Span, entities: Sequence[Entity]) -> Entity | None:
    """The shortest entity around the span, articles, quotes and possessives at its ends aside."""
    core = _trim(span.text)
    start = span.start + span.text.find(core)
    around = [entity for entity in entities if entity.start <= start and start + len(core) <= entity.end]
    return min(around, key=lambda entity: (entity.end - entity.start, entity.start), default=None)


def _part_of_name(name: str, full: str) -> str:
    words = full.split()
    if len(words) > 1 and name in (words[0], words[-1]):
        return "last" if name == words[-1] else "first"
    return ""


def _trim(text: str) -> str:
    return _TRIM.sub("", text) or text


def _plan(tier: str, unit: _Unit, scene: Scene, pool: Pool, rng: random.Random) -> Plan:
    places = occurrences(unit.text, scene.passage)
    if fault(_trim(unit.text), unit.type, pool.common) in _UNSOUND or _cuts_possessive(places[0], scene):
        raise Unfit("unsound_entity")
    where = setting(scene.passage, places[0].start)
    if (unit.type, where) == ("PERSON", "definite"):
        raise Unfit("unsound_entity")
    is_whole = tier == "entity"
    groups = tuple(
        (label, kind_by(scene.question, scene.passage, _trim(unit.text), label, is_whole))
        for label in labels(unit.text, unit.type, pool.norp)
    )
    if groups[0] in _VAGUE:
        raise Unfit("vague_name")
    slot = Slot(
        original=unit.text,
        groups=groups,
        setting=where,
        context=normalize(f"{scene.passage}\n{scene.question}"),
        aliases=(unit.text, *scene.answers),
        pronoun=pronoun(scene.passage),
        part=unit.part,
    )
    choice = choose(slot, pool, rng)
    edits = replace(places, choice.text, "swap")
    for spans, after in (*_rest_of_name(unit, choice, scene), *_mentions(unit, choice, scene)):
        edits += replace(spans, after, "scrub", edits)
    return Plan(tier, choice.type, unit.text, choice.text, tuple(edits))


def _within_name(unit: _Unit, answer: Span) -> bool:
    """Whether the answer makes the unit a part of a longer name ("Tennessee Titans", "Nazi Germany")."""
    before, _, rest = answer.text.partition(unit.text)
    if unit.type in ("PERSON", "NORP"):
        return unit.type == "PERSON" and re.match(r"\s+[A-Z]", rest) is not None
    return _GOES_ON.match(rest) is None or re.search(r"\b[A-Z][\w-]*\s+$", before) is not None


def _cuts_possessive(place: Span, scene: Scene) -> bool:
    """Whether the name is the owner within a longer answer ("Mark Masons' Hall")."""
    inside = any(span.start <= place.start and place.end < span.end for span in scene.spans)
    return inside and scene.passage[place.end : place.end + 1] in ("'", "’")


def _rest_of_name(unit: _Unit, choice: Choice, scene: Scene) -> Iterator[tuple[list[Span], str]]:
    """The other words of the person's name of which the answer is one."""
    if unit.part == "whole":
        return
    words = choice.name.split()
    rest = " ".join(words[:-1] if unit.part == "last" else words[1:])
    spans = []
    for span in occurrences(unit.around, scene.passage):
        border = len(span.text) - len(unit.text)
        start, end = (0, border) if unit.part == "last" else (len(unit.text), len(span.text))
        text = span.text[start:end]
        start += len(text) - len(text.lstrip())
        end -= len(text) - len(text.rstrip())
        spans.append(Span(span.start + start, span.start + end, span.text[start:end]))
    yield spans, rest


def _mentions(unit: _Unit, choice: Choice, scene: Scene) -> list[tuple[tuple[Span, ...], str]]:
    """Other ways in which the passage names the same thing, longest first, with what each becomes.

    These are the gold answers that are token-subset aliases or the initials of the unit, mentions of the same type by
    some of its words, and a person's surname.
    """
    phrases = {alias for alias in scene.answers if related(alias, unit.text) or _are_initials(alias, unit.text)}
    for entity in scene.entities:
        name = _trim(entity.text)
        if entity.type == unit.type and name[:1].isupper() and tokens(name) < tokens(unit.text):
            phrases.add(name)
    words = unit.text.split()
    if unit.type == "PERSON" and len(words) > 1 and len(words[-1]) > 2 and words[-1][0].isupper():
        phrases.add(words[-1])
    ordered = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return [(occurrences(phrase, scene.passage), _counterpart(phrase, unit, choice)) for phrase in ordered]


def _counterpart(phrase: str, unit: _Unit, choice: Choice) -> str:
    """What another mention becomes: a person's first name the first name, another single word the surname."""
    words = [word for word in choice.text.split() if word.strip(".") not in _SUFFIXES]
    if unit.type != "PERSON" or len(words) < 2 or len(phrase.split()) > 1:
        return choice.text
    return words[0] if _part_of_name(phrase, unit.text) == "first" else words[-1]


def _are_initials(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) > 1 and short.replace(".", "") == "".join(word[0] for word in long.split() if word[0].isupper())
