"""The replacement candidates: entities of all gold passages that pass the filters of Appendix C.

Ours beyond the paper, against the noise of a small recogniser: an entry keeps only the type that most of its mentions
have; a possessive ending, a bracket or a lower-case last word disqualifies it; so does, for a person, place, group or
one-word organisation, to consist of words that the passages also use in lower case ("State Route"); a person's name
that mostly stands after ``the`` is none, and a town must stand before its state or country once. A leading ``the``
is not part of the entry, but its setting is remembered, so that a slot after ``the`` or in quotes is filled by a name
that usually stands there, and so is whether it is attested: seen in two passages, or the answer of another question,
and for a person's name with a first name that another person has.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from abstain.conditions.swap import lexicon
from abstain.conditions.swap.kinds import kind
from abstain.conditions.swap.phrases import LEADING_ARTICLE
from abstain.conditions.swap.pronouns import agreed, pronoun
from abstain.conditions.swap.settle import before_region
from abstain.ner.base import Entity
from abstain.text import normalize

_ROMAN = re.compile(r"[IVXLCDM]+\.?")
_BORN = re.compile(r"\w[-‐–]born\b", re.IGNORECASE)
_DOMAIN = re.compile(r"\w\.[a-z]{2,}\b")
_POSSESSIVE = re.compile(r"(?:['’]s|s['’]|['’])$")
_TABLE = re.compile(r"[\n\t|()\[\]{}/\\:;<>=*+_#@%$\"“”«»]|\s{2,}|\s[-–—]\s")
_LETTERS = re.compile(r"(?![IVX]+$)[A-Z]{2,}")
"""Letters after a name (MPP, CIE), but not a numeral."""
_LOWER_WORD = re.compile(r"(?<![\w'’-])[^\W\d_A-Z]{2,}(?![\w])")
_MAX_WORDS = 5
_DEFINITE = re.compile(r"\bthe\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One entry of the pool."""

    text: str
    type: str
    kind: str
    setting: str
    """Where it mostly stands: ``definite``, ``quoted`` or ``plain``."""
    attested: bool
    """Whether more than one place vouches for it (see the module)."""
    pronoun: str
    """``he``, ``she`` or '', from the passages that mention it."""
    words: int


@dataclass(frozen=True)
class Pool:
    """The candidates by type and kind, each list in the order of its texts."""

    groups: Mapping[tuple[str, str], tuple[Candidate, ...]] = field(default_factory=dict)
    norp: frozenset[str] = frozenset()
    """Normalised NORP entries."""
    common: frozenset[str] = frozenset()
    """Words that the passages also use in lower case."""

    def of(self, type: str, kind: str) -> tuple[Candidate, ...]:
        """The candidates of one kind, possibly none."""
        return self.groups.get((type, kind), ())


@dataclass(slots=True)
class _Sightings:
    """How the passages use one name."""

    types: Counter[str] = field(default_factory=Counter)
    settings: Counter[str] = field(default_factory=Counter)
    passages: set[str] = field(default_factory=set)
    is_town: bool = False
    """Whether it stands before its state or country once."""

    @property
    def usual_type(self) -> str | None:
        """The type of most of its mentions, if there is one."""
        return next((type for type, count in self.types.items() if 2 * count > self.types.total()), None)

    @property
    def usual_setting(self) -> str:
        """Where it mostly stands; of equally frequent ones the first by name."""
        return min(self.settings, key=lambda where: (-self.settings[where], where))


def build_pool(mentions: Iterable[tuple[str, tuple[Entity, ...]]], answers: Iterable[str]) -> Pool:
    """The pool over (passage, its entities) pairs; the order of the pairs has no effect.

    `answers` are the gold answers of the pool questions.
    """
    mentions = list(mentions)
    common = common_words(passage for passage, _ in mentions)
    seen = _sightings(mentions, common)
    usual = {name: type for name, found in seen.items() if (type := found.usual_type)}
    norp = frozenset(normalize(name) for name, type in usual.items() if type == "NORP")
    known = {normalize(answer) for answer in answers}
    first_names = Counter(name.split()[0] for name, type in usual.items() if type == "PERSON")
    groups: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
    for name, type in sorted(usual.items()):
        found, sort = seen[name], kind(name, type)
        if type in ("GPE", "LOC") and normalize(name) in norp:
            continue
        if (type, found.usual_setting) == ("PERSON", "definite"):
            continue
        if (type, sort) == ("GPE", "place") and not found.is_town:
            continue
        words = name.split()
        is_lone = type == "PERSON" and len(words) > 1 and first_names[words[0]] < 2
        vouched = len(found.passages) > 1 or normalize(name) in known
        candidate = Candidate(
            text=name,
            type=type,
            kind=sort,
            setting=found.usual_setting,
            attested=vouched and not is_lone,
            pronoun=agreed(pronoun(passage) for passage in found.passages),
            words=len(words),
        )
        groups[type, sort].append(candidate)
        if type == "NORP" and name.casefold() in lexicon.LANGUAGES:
            groups[type, "language"].append(candidate)
    return Pool({key: tuple(group) for key, group in groups.items()}, norp, common)


def _sightings(mentions: Iterable[tuple[str, tuple[Entity, ...]]], common: frozenset[str]) -> dict[str, _Sightings]:
    """The names that can be candidates, with how they are used."""
    seen: dict[str, _Sightings] = defaultdict(_Sightings)
    for passage, entities in mentions:
        for entity in entities:
            name, where = entry_of(passage, entity)
            if fault(name, entity.type, common) is None:
                found = seen[name]
                found.types[entity.type] += 1
                found.settings[where] += 1
                found.passages.add(passage)
                found.is_town = found.is_town or before_region(passage, entity)
    return seen


def common_words(passages: Iterable[str]) -> frozenset[str]:
    """The words that stand in lower case somewhere in the passages."""
    return frozenset(word for passage in passages for word in _LOWER_WORD.findall(passage))


def entry_of(passage: str, entity: Entity) -> tuple[str, str]:
    """An entity's entry and its setting; articles within the entity are no part of the entry."""
    article = LEADING_ARTICLE.match(entity.text)
    if article and entity.type not in ("PERSON", "WORK_OF_ART"):
        return entity.text[article.end() :], "definite" if article.group().lower().startswith("the") else "plain"
    return entity.text, setting(passage, entity.start)


def setting(passage: str, start: int) -> str:
    """Whether ``the`` or a quotation mark stands before a place in a passage."""
    before = passage[max(0, start - 8) : start]
    return "definite" if _DEFINITE.search(before) else "quoted" if before.endswith(('"', "“")) else "plain"


def fault(name: str, type: str, common: frozenset[str] = frozenset()) -> str | None:
    """Why a span may not enter the pool under a type; None for a good one. `common`: see `common_words`."""
    return _span_fault(name) or _type_fault(name, type) or _noise(name, type, common)


def _span_fault(name: str) -> str | None:
    """Span validity, all types (Appendix C)."""
    words = name.split()
    lowered = [word.casefold() for word in words]
    rules = (
        ("short", len(name) < 3),
        ("digit", any(char.isdigit() for char in name)),
        ("long", len(words) > _MAX_WORDS),
        ("roman", all(_ROMAN.fullmatch(word) for word in words)),
        ("punctuation", not any(char.isalpha() for char in name)),
        ("lower_case", name == name.lower()),
        ("doubled_word", any(one == two for one, two in pairwise(lowered))),
        ("feature", bool(lowered) and lowered[-1].strip(".,") in lexicon.FEATURES),
        ("born", _BORN.search(name) is not None),
        ("domain", _DOMAIN.search(name) is not None),
    )
    return next((rule for rule, broken in rules if broken), None)


def _type_fault(name: str, type: str) -> str | None:
    """Type-specific quality (Appendix C)."""
    words = name.split()
    lowered = [word.casefold().strip(".,") for word in words]
    single = len(words) == 1
    article = lowered[0] in ("the", "a", "an")
    rules = (
        ("article", type == "PERSON" and article),
        ("title", type == "PERSON" and name.casefold() in lexicon.TITLES),
        ("titled", type == "PERSON" and not single and lowered[0] in lexicon.TITLES),
        ("sacred", type == "PERSON" and not lexicon.SACRED.isdisjoint(lowered)),
        ("generic", type == "ORG" and single and lowered[0] in lexicon.GENERIC_ORGS),
        ("media", type == "ORG" and any(word in lexicon.MEDIA for word in lowered)),
        ("process", type == "EVENT" and single and _is_process(lowered[0])),
        ("article", type == "WORK_OF_ART" and article and not any(word[0].isupper() for word in words[1:])),
        ("direction", type == "LOC" and words[0].islower() and lowered[0] in lexicon.DIRECTIONS),
    )
    return next((rule for rule, broken in rules if broken), None)


def _noise(name: str, type: str, common: frozenset[str]) -> str | None:
    """Our own rules against what a small recogniser takes for names."""
    words = name.split()
    whole = name[0].isalpha() and (name[-1].isalnum() or name[-1] in ".!?")
    rules = (
        ("possessive", _POSSESSIVE.search(name) is not None),
        ("initial", len(words) > 1 and len(words[-1].strip(".")) == 1),
        ("lower_case_end", words[-1].islower()),
        ("letters", type == "PERSON" and _LETTERS.fullmatch(words[-1]) is not None),
        ("table", _TABLE.search(name) is not None or not whole),
        ("not_a_name", type == "PERSON" and not all(word[0].isupper() or word in lexicon.PARTICLES for word in words)),
        ("common", _is_common(name, type, common)),
    )
    return next((rule for rule, broken in rules if broken), None)


def _is_common(name: str, type: str, common: frozenset[str]) -> bool:
    words = name.casefold().split()
    checked = type in ("PERSON", "GPE", "NORP") or (type == "ORG" and len(words) == 1)
    return checked and name.casefold() not in lexicon.COUNTRIES and common.issuperset(words)


def _is_process(word: str) -> bool:
    return word in lexicon.PROCESSES or word.endswith(lexicon.PROCESS_ENDINGS)
