"""Every filter of Appendix C on hand-made spans; the first of each pair is the paper's own example where it has one."""

import random

import pytest

from abstain.conditions.swap.pool import build_pool, common_words, entry_of, fault
from abstain.ner.base import Entity

ENOUGH_WORDS = "One Two Three Four Five"


def entity(passage, name, type):
    start = passage.index(name)
    return Entity(start, start + len(name), name, type)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Al", "short"),
        ("Apollo 11", "digit"),
        (f"{ENOUGH_WORDS} Six", "long"),
        ("XIV", "roman"),
        ("...", "punctuation"),
        ("the city", "lower_case"),
        ("New New York", "doubled_word"),
        ("Mississippi River", "feature"),
        ("Iberian Peninsula", "feature"),
        ("London-born", "born"),
        ("Amazon.com", "domain"),
        ("Einstein's", "possessive"),
        ("Einstein’s", "possessive"),
        ("Lite Beer from", "lower_case_end"),
        ("Alpha Centauri C", "initial"),
        ("Name | Team", "table"),
    ],
)
def test_no_span_of_this_shape_enters_the_pool(name, reason):
    assert fault(name, "ORG") == reason


@pytest.mark.parametrize(
    ("name", "type", "reason"),
    [
        ("The President", "PERSON", "article"),
        ("Senator", "PERSON", "title"),
        ("Queen Elizabeth", "PERSON", "titled"),
        ("Jesus Christ", "PERSON", "sacred"),
        ("Patrick Brown MPP", "PERSON", "letters"),
        ("Congress", "ORG", "generic"),
        ("Chicago Tribune", "ORG", "media"),
        ("Filming", "EVENT", "process"),
        ("Synapsis", "EVENT", "process"),
        ("The film does not", "WORK_OF_ART", "article"),
        ("An album", "WORK_OF_ART", "article"),
        ("eastern Asia", "LOC", "direction"),
        ("ancient Athens", "LOC", "direction"),
    ],
)
def test_a_type_has_rules_of_its_own(name, type, reason):
    assert fault(name, type) == reason


@pytest.mark.parametrize(
    ("name", "type"),
    [
        ("The Godfather", "WORK_OF_ART"),
        ("Eastern Europe", "LOC"),
        ("Ludwig van Beethoven", "PERSON"),
        ("U.S. Navy", "ORG"),
        (ENOUGH_WORDS, "ORG"),
        ("Born in the USA", "WORK_OF_ART"),
        ("St. Louis", "GPE"),
    ],
)
def test_good_names_pass(name, type):
    assert fault(name, type) is None


def test_norp_entries_are_no_places():
    passage = "The American team met a British side in Oslo, Ohio."
    found = (
        entity(passage, "American", "NORP"),
        entity(passage, "British", "NORP"),
        entity(passage, "Oslo", "GPE"),
    )
    other = "American was also tagged American as a place, British too."
    mistagged = (Entity(0, 8, "American", "NORP"), Entity(25, 33, "American", "NORP"), entity(other, "British", "GPE"))
    pool = build_pool([(passage, found), (other, mistagged)], [])
    names = {candidate.text for group in pool.groups.values() for candidate in group if candidate.type != "NORP"}
    assert names == {"Oslo"}
    assert pool.norp == {"american"}


def test_a_name_keeps_the_type_of_most_of_its_mentions():
    texts = ["Paris, France, is big.", "Paris is old.", "Paris sang."]
    mentions = [
        (text, (Entity(0, 5, "Paris", type),)) for text, type in zip(texts, ("GPE", "GPE", "PERSON"), strict=True)
    ]
    pool = build_pool(mentions, [])
    assert [candidate.text for candidate in pool.of("GPE", "place")] == ["Paris"]
    assert pool.of("PERSON", "single") == ()


def test_words_that_also_stand_in_lower_case_make_no_person():
    common = common_words(["take the state route", "He met Emma Stone"])
    assert fault("State Route", "PERSON", common) == "common"
    assert fault("Emma Stone", "PERSON", common) is None


def test_the_setting_is_remembered_and_an_article_is_not_part_of_the_entry():
    passage = 'He joined the United Nations, The Beatles and Apple, and sang "Help Me".'
    assert entry_of(passage, entity(passage, "the United Nations", "ORG")) == ("United Nations", "definite")
    assert entry_of(passage, entity(passage, "United Nations", "ORG")) == ("United Nations", "definite")
    assert entry_of(passage, entity(passage, "The Beatles", "ORG")) == ("Beatles", "definite")
    assert entry_of(passage, entity(passage, "Apple", "ORG")) == ("Apple", "plain")
    assert entry_of(passage, entity(passage, "Help Me", "WORK_OF_ART")) == ("Help Me", "quoted")


def test_the_order_of_passages_has_no_effect():
    names = ["Oslo", "Berlin", "Rome", "Lima", "Quito"]
    mentions = [(f"{name}, Ohio, is a city.", (Entity(0, len(name), name, "GPE"),)) for name in names]
    shuffled = mentions[:]
    random.Random(1).shuffle(shuffled)
    assert build_pool(mentions, ["Rome"]) == build_pool(shuffled, ["Rome"])
    assert [candidate.text for candidate in build_pool(shuffled, []).of("GPE", "place")] == sorted(names)


def test_two_passages_or_a_gold_answer_attest_a_name():
    mentions = [
        (text, (Entity(0, 4, text[:4], "GPE"),)) for text in ("Oslo, Ohio", "Oslo, Iowa", "Lima, Peru", "Rome, U.S.")
    ]
    attested = {candidate.text: candidate.attested for candidate in build_pool(mentions, ["rome"]).of("GPE", "place")}
    assert attested == {"Oslo": True, "Lima": False, "Rome": True}


def test_a_first_name_that_nobody_else_has_attests_no_person():
    names = ("Anna Holm", "Anna Berg", "Windows Transfer")
    mentions = [(f"{name} {n}", (Entity(0, len(name), name, "PERSON"),)) for name in names for n in "12"]
    attested = {candidate.text: candidate.attested for candidate in build_pool(mentions, []).of("PERSON", "full")}
    assert attested == {"Anna Holm": True, "Anna Berg": True, "Windows Transfer": False}


def test_a_town_must_stand_before_its_region_once():
    passage = "Spacewar ran in Bath, Maine. Bath is old, unlike Spacewar."
    mentions = [(passage, (entity(passage, "Spacewar", "GPE"), entity(passage, "Bath", "GPE")))]
    assert [candidate.text for candidate in build_pool(mentions, []).of("GPE", "place")] == ["Bath"]


def test_what_mostly_stands_after_the_is_no_person():
    mentions = [("It was the Ketuvim.", (Entity(11, 18, "Ketuvim", "PERSON"),))]
    assert build_pool(mentions, []).groups == {}
