"""What a question asks for, as entity types and kinds: a witness beside the recogniser.

Ours, not the paper's: a team that the recogniser took for a person became a person. The noun after "what" or "which",
"who" and "where" say what an answer may be; that corrects a name's type or refuses the name. The audit's check for type
clashes hears the same witness (audit/expected.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from abstain.conditions.swap import lexicon
from abstain.conditions.swap.kinds import kind
from abstain.conditions.swap.phrases import LEADING_ARTICLE
from abstain.conditions.swap.plan import Unfit

_TYPES: Mapping[str, tuple[str, ...]] = {
    noun: tuple(types.split())
    for nouns, types in {
        """person actor actress singer president king queen scientist physicist player director author writer
        ruler coach vocalist""": "PERSON",
        """company organisation organization agency team club band university college school airline manufacturer
        brand group""": "ORG",
        "country state province continent city town village capital community": "GPE LOC",
        "river ocean sea lake mountain island stadium airport building skyscraper mall": "LOC GPE",
        "painting novel book film movie song album poem epic musical opera episode": "WORK_OF_ART",
        "war battle": "EVENT",
        "nationality religion culture language": "NORP",
        "place": "GPE LOC ORG",
        # Nouns that no type belongs to, so that "what year did the band ..." asks for a year.
        "year date day number character role name word": "",
    }.items()
    for noun in nouns.split()
}
"""What a question asks for -> the entity types that it may be, the likeliest first."""

_KINDS: Mapping[str, tuple[str, ...]] = {
    "country": ("country", "empire"),
    **dict.fromkeys(("state", "province"), ("state", "province", "indian state", "australian state")),
    **dict.fromkeys(("city", "town", "village", "capital", "community"), ("place",)),
    "continent": ("continent",),
    **dict.fromkeys(("team", "club"), ("club", *(f"{sport} team" for sport in sorted({*lexicon.TEAMS.values()})))),
    **dict.fromkeys(("band", "group"), ()),
    **dict.fromkeys(("company", "manufacturer", "brand"), ("company", "label", "studio", "bank", "transport")),
    "airline": ("transport",),
    **dict.fromkeys(("university", "college", "school"), ("university", "college", "institute", "school")),
}
"""What a question asks for -> the kinds (kinds.py) that it may be; () where no kind says so."""

_NOUN = rf"(?:{'|'.join(_TYPES)})"
_ASKED = re.compile(rf"\b(?:what|which)\s+(?:\S+\s+){{0,4}}?({_NOUN})(?:\s+({_NOUN}))?\b", re.IGNORECASE)
_WHO = re.compile(r"(?:^|\bby )who(?:m|se)?\b", re.IGNORECASE)
_WHERE = re.compile(r"^(?:in |from )?where\b", re.IGNORECASE)
_ANY_ASKED = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b", re.IGNORECASE)
_OPENING = re.compile(rf"^(?:\S+\s+){{0,3}}?({_NOUN})\b", re.IGNORECASE)
_PERSONAL_DEED = re.compile(
    r"\b(?:plays|played|playing|portray\w*|voices?|voiced|sings?|sang|sung|wr[io]tes?|written|direct(?:s|ed)|"
    r"starred|invented|discovered|composed|painted|married|killed|named after)\b",
    re.IGNORECASE,
)
_GROUP_DEED = re.compile(
    r"\b(?:teams?|clubs?|compan\w*|bands?|groups?|won|wins?|beat|defeat\w*|lost|makes?|made|manufactur\w*|owns?|owned|"
    r"produce[sd]?|publish\w*|host\w*|draft\w*|bought|buys?|sponsor\w*)\b",
    re.IGNORECASE,
)
_SINGS = re.compile(r"\b(?:sings?|sang|sung)\b", re.IGNORECASE)
_LANGUAGE_ASKED = re.compile(r"\b(?:languages?|words?|terms?|(?:sur|last |first )?names?|spoken|sung)\b", re.IGNORECASE)
_GROUP_ASKED = re.compile(
    r"\b(?:nationalit\w+|cultur\w+|religio\w+|faith|ethnic\w*|race|part(?:y|ies)|tribe|descent|ancestry)\b",
    re.IGNORECASE,
)
_PLACE_ASKED = re.compile(
    r"\b(?:where|place|located|location|setting|city|cities|towns?|village|capital|community|held|based)\b",
    re.IGNORECASE,
)
_PERSON_ASKED = re.compile(
    r"\b(?:who(?:m|se|s)?|names?|cast|characters?|roles?|man|woman|boy|girl|guy|person|figure|leader|founder|star|stars|"
    r"son|daughter|brother|sister|father|mother|wife|husband|friend|boyfriend|girlfriend|he|she|his|her|known as|"
    r"actor|actress|artist|author|bowler|captain|chef|coach|composer|dictator|director|emperor|explorer|gods?|goddess|"
    r"governor|host|inventor|judge|king|minister|musician|nickname|painter|philosopher|pioneer|players?|poet|pope|"
    r"president|prince|princess|producer|queen|ruler|saint|scholar|scientist|singers?|vocalist|winner|writer)\b",
    re.IGNORECASE,
)
_NEEDED = {
    ("WORK_OF_ART", "work"): re.compile(r"\b(?:songs?|tunes?|hymns?)\b", re.IGNORECASE),
    ("WORK_OF_ART", "award"): re.compile(r"\b(?:awards?|prizes?|medals?)\b", re.IGNORECASE),
    **{("PERSON", kind): _PERSON_ASKED for kind in ("full", "single", "regnal")},
}
"""What a question must say for a name of this type and kind; a film, a book and an episode do not tell by a title."""


def asked(question: str) -> str:
    """The noun after "what" or "which" (the second of two: "film director"), ``person``, ``place``, or ''.

    A question without any interrogative ("a town in ...") asks for the noun that it opens with.
    """
    if found := _ASKED.search(question):
        return str(found[2] or found[1]).casefold()
    if _WHO.search(question):
        return "person"
    if _WHERE.search(question):
        return "place"
    opening = None if _ANY_ASKED.search(question) else _OPENING.search(question)
    return opening[1].casefold() if opening else ""


def types(noun: str) -> tuple[str, ...]:
    """The entity types that what is asked for may be; () for any."""
    return _TYPES.get(noun, ())


def may_act(noun: str, name: str, type: str) -> bool:
    """Whether what is asked for as a person may be none: organisations, peoples, countries and states act too."""
    acts = type in ("ORG", "NORP") or bare(name) in lexicon.COUNTRIES | lexicon.STATES.keys()
    return noun == "person" and acts


def settled_by(question: str, name: str, type: str) -> str:
    """The type of a whole answer after the question is heard.

    Raises Unfit with ``unsound_entity`` when the question asks for something that the name cannot be.
    """
    noun = asked(question)
    wanted = types(noun)
    if not wanted or type in wanted or names_a_language(question, name, type):
        return type
    if wanted == ("PERSON",) and _is_personal(noun, question, name, type):
        return "PERSON"
    if may_act(noun, name, type) and not _PERSONAL_DEED.search(question):
        return type
    if wanted == ("PERSON",):
        raise Unfit("unsound_entity")
    return wanted[0]


def admits_part(question: str, name: str, type: str) -> bool:
    """Whether a name inside the answer may be replaced: when asked where something is, only that of a place."""
    noun = asked(question)
    return noun != "place" or type in types(noun) or names_a_language(question, name, type)


def names_a_language(question: str, name: str, type: str) -> bool:
    """Whether a group's name tells of a language ("where does the word come from")."""
    return type == "NORP" and name.casefold() in lexicon.LANGUAGES and _LANGUAGE_ASKED.search(question) is not None


def kind_by(question: str, passage: str, name: str, type: str, is_whole: bool = True) -> str:
    """The kind that a replacement for a name of this type must have; a part of an answer need not be what is asked for.

    Raises Unfit with ``unsound_entity`` when the question asks for another kind, or for nothing of this type.
    """
    noun = asked(question)
    own = kind(name, type)
    if type == "NORP":
        return _group_kind(question, passage, name, own)
    if is_whole and noun in _KINDS and type in types(noun):
        kinds = _KINDS[noun]
        if own == "state or city" and kinds and (kinds[0] != "place" or not _is_region(name, passage)):
            return kinds[0]
        if own not in kinds:
            raise Unfit("unsound_entity")
    if (type, own) == ("GPE", "place") and "GPE" not in types(noun) and not _PLACE_ASKED.search(question):
        raise Unfit("unsound_entity")
    needed = _NEEDED.get((type, own))
    if needed and not needed.search(question):
        raise Unfit("unsound_entity")
    return own


def bare(name: str) -> str:
    """A name without article and full stop, in lower case, as the word lists have it."""
    return LEADING_ARTICLE.sub("", name, count=1).casefold().strip(" .")


def _is_region(name: str, passage: str) -> bool:
    """Whether the name stands after that of a town or county."""
    return re.search(rf"\w,\s+{re.escape(name)}\b", passage) is not None


def _group_kind(question: str, passage: str, name: str, own: str) -> str:
    """The kind for a group; a group's name used as that of its language is replaced by another language."""
    if names_a_language(question, name, "NORP"):
        return "language"
    if _GROUP_ASKED.search(question) and not _used_as_language(name, passage):
        return own
    raise Unfit("unsound_entity")


def _used_as_language(name: str, passage: str) -> bool:
    word = re.escape(name)
    after = r"[,.;:)]|\s+(?:for|as|means?)\b"
    use = rf"\b(?:in|from) {word}(?={after})|\b{word} (?:languages?|words?|nouns?|verbs?|terms?|for)\b"
    return name.casefold() in lexicon.LANGUAGES and re.search(use, passage, re.IGNORECASE) is not None


def _is_personal(noun: str, question: str, name: str, type: str) -> bool:
    """Whether a name looks like a person's and the question leaves no doubt that it is."""
    words = name.split()
    sort = kind(name, "ORG")
    if not (2 <= len(words) <= 4 and all(word[0].isupper() for word in words) and sort in ("several", "plural")):
        return False
    if noun != "person" or _PERSONAL_DEED.search(question):
        return noun != "person" or not _SINGS.search(question) or sort == "several"
    return type in ("ORG", "WORK_OF_ART") and sort == "several" and not _GROUP_DEED.search(question)
