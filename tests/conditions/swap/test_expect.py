"""The examples are questions of NQ and HotpotQA whose swaps a reader found broken before the question was heard."""

import pytest

from abstain.conditions.swap.expect import admits_part, asked, kind_by, settled_by
from abstain.conditions.swap.plan import Unfit


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("What band did the guitarist come from?", "band"),
        ("what film director won", "director"),
        ("who did the mavericks beat in the finals", "person"),
        ("where was the movie filmed", "place"),
        ("a town in west yorkshire on the river aire", "town"),
        ("when did the band split", ""),
        ("what year did the band win", "year"),
        ("how many states are there", ""),
    ],
)
def test_what_is_asked_for_is_read_off_the_question(question, noun):
    assert asked(question) == noun


@pytest.mark.parametrize(
    ("question", "name", "recognised", "settled"),
    [
        ("who plays grace in the secret life", "Megan Park", "LOC", "PERSON"),
        ("who played the mom in the partridge family", "Shirley Mae Jones", "ORG", "PERSON"),
        ("who trained the most winners", "Bart Simon", "ORG", "PERSON"),
        ("who won the most world series", "New York Yankees", "ORG", "ORG"),
        ("who won the world cup", "France", "GPE", "GPE"),
        ("which battle ended it", "Battle of Antietam", "WORK_OF_ART", "EVENT"),
        ("What band did he come from?", "Molly Hatchet", "PERSON", "ORG"),
        ("a town in west yorkshire", "Castleford", "PERSON", "GPE"),
        ("where does the term come from", "Czech", "NORP", "NORP"),
        ("when was it", "Molly Hatchet", "PERSON", "PERSON"),
    ],
)
def test_the_question_corrects_a_type(question, name, recognised, settled):
    assert settled_by(question, name, recognised) == settled


@pytest.mark.parametrize(
    ("question", "name", "type"),
    [
        ("who helped them recapture mycenae", "Aegisthus", "GPE"),
        ("who sings you cant get what you want", "Rolling Stones", "ORG"),
        ("who sings oh what a night", "Four Seasons", "EVENT"),
        ("who wrote have mercy", "Kostas", "ORG"),
        ("who wrote it", "France", "GPE"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(question, name, type):
    with pytest.raises(Unfit, match="unsound_entity"):
        settled_by(question, name, type)


@pytest.mark.parametrize(
    ("question", "name", "type", "kind"),
    [
        ("what state does it take place in", "Washington", "GPE", "state"),
        ("which city is it", "Washington", "GPE", "place"),
        ("where is it", "Washington", "GPE", "state or city"),
        ("what team was led to victory", "Oklahoma Sooners", "ORG", "college team"),
        ("which country is it", "France", "GPE", "country"),
        ("what language is it sung in", "Greek", "NORP", "language"),
        ("from which European culture is it", "British", "NORP", "people"),
        ("what is the name of the song", "Imagine", "WORK_OF_ART", "work"),
    ],
)
def test_the_noun_decides_among_the_kinds_of_a_name(question, name, type, kind):
    assert kind_by(question, "It stands here.", name, type) == kind


@pytest.mark.parametrize(
    ("question", "name", "type", "passage"),
    [
        ("what state does it take place in", "Berlin", "GPE", ""),
        ("what city have they in common", "New York", "GPE", "of Albany County, New York"),
        ("what team was led to victory", "Marvel Comics", "ORG", ""),
        ("What band did he come from?", "Molly Hatchet", "ORG", ""),
        ("from which European culture is it", "German", "NORP", "In German, the word means little."),
        ("from which culture is it", "German", "NORP", "after the German word for it"),
        ("which empire was it", "Roman", "NORP", ""),
        ("who won the battle", "Americans", "NORP", ""),
        ("what is the female lion called", "Nala", "GPE", ""),
        ("what film is it", "Imagine", "WORK_OF_ART", ""),
        ("what contest is named after the prize winner", "The Bad Hemingway Contest", "WORK_OF_ART", ""),
        ("which us ship was captured", "USS Chesapeake", "PERSON", ""),
    ],
)
def test_a_name_of_another_kind_is_refused(question, name, type, passage):
    with pytest.raises(Unfit, match="unsound_entity"):
        kind_by(question, passage, name, type)


def test_a_part_of_the_answer_need_not_be_what_is_asked_for():
    assert kind_by("in which city is it", "", "Maine", "GPE", is_whole=False) == "state"


def test_asked_for_a_place_no_person_inside_the_answer_is_replaced():
    assert admits_part("where was it filmed", "Texas", "GPE")
    assert not admits_part("where does it land", "Billy Bishop", "PERSON")
    assert admits_part("who was it", "Billy Bishop", "PERSON")
