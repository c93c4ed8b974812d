"""The examples are those of the paper's rubric (GRAB-RAG, Table 5) and of its two ways to break."""

import pytest

from abstain.audit.suggest import suggest


def test_a_swap_that_no_check_finds_fault_with_is_suggested_as_fluent(swap, question):
    made = swap("On 25 July 2017, Ram Nath Kovind took office.", "Ram Nath Kovind", "Jaime Jarrín")
    found = suggest(question("Who is the president of India?"), made)
    assert (found.tier, found.why) == ("fluent", "")


def test_a_surname_that_is_left_is_a_cue(swap, question):
    made = swap("Halas was surpassed by Don Shula. Shula’s wife left.", "Don Shula", "Linda Warren")
    found = suggest(question("What NFL coach has the most wins?"), made)
    assert (found.tier, found.why) == ("borderline", "residual cue: Shula")


@pytest.mark.parametrize("acronym", ["NBC", "N.B.C.", "NBCs"])
def test_an_acronym_that_is_left_is_a_cue(swap, question, acronym):
    passage = f"It aired on the National Broadcasting Company ({acronym})."
    made = swap(passage, "National Broadcasting Company", "Turner Broadcasting Company", type="ORG")
    found = suggest(question("What station aired it?"), made)
    assert (found.tier, found.why) == ("borderline", "residual cue: NBC")


@pytest.mark.parametrize(
    ("passage", "original", "replacement"),
    [
        # Inserted text, a part of another word, a word in lower case, a common word of names, short words.
        ("George Washington won.", "George Washington", "George Mason"),
        ("Anne Penn won in Pennfield.", "Anne Penn", "Linda Warren"),
        ("Bill Stone threw a stone.", "Bill Stone", "Linda Warren"),
        ("Boston University is a University.", "Boston University", "Indiana University"),
        ("Bo Li met Li Wei.", "Bo Li", "Linda Warren"),
        ("Up and over Ohio won. Over there it did not.", "Up and over Ohio", "Linda Warren"),
    ],
)
def test_what_gives_no_name_away_is_no_cue(swap, question, passage, original, replacement):
    assert suggest(question("Say it?"), swap(passage, original, replacement)).tier == "fluent"


def test_a_word_that_the_question_has_is_no_cue(swap, question):
    made = swap("Michelle Obama married Obama.", "Michelle Obama", "Linda Warren")
    assert suggest(question("Who is the wife of Barack Obama?"), made).tier == "fluent"


@pytest.mark.parametrize(
    ("asked", "original", "replacement", "type", "why"),
    [
        ("Who opposed it?", "Dutch Empire", "Samuel Adams Brewery", "ORG", "state became something else"),
        ("In which U.S. state is it?", "District of Columbia", "South Yarra", "LOC", "South Yarra is no state"),
        ("In which city is it?", "Lyon", "France", "GPE", "France is no city"),
        ("Which organisation runs it?", "CERN", "Berlin", "GPE", "asked for organisation, Berlin is GPE"),
        ("who painted it", "Guernica", "Boston", "GPE", "asked for person, Boston is GPE"),
        ("what river is it", "Tiber", "Marvelettes", "PERSON", "asked for river, Marvelettes is PERSON"),
    ],
)
def test_a_replacement_of_another_sort_is_broken(swap, question, asked, original, replacement, type, why):
    found = suggest(question(asked), swap(f"It was {original}.", original, replacement, type=type))
    assert found.tier == "broken"
    assert why in found.why


@pytest.mark.parametrize(
    ("asked", "original", "replacement", "type"),
    [
        ("who won the world cup", "France", "Brazil", "GPE"),
        ("which country won", "France", "Brazil", "GPE"),
        ("what film director won", "John Ford", "Linda Warren", "PERSON"),
        ("what year did the band win", "Nokia", "Linda Warren", "PERSON"),
        ("what team of players, who won", "Indiana University", "Boston University", "ORG"),
    ],
)
def test_a_replacement_of_the_sort_that_was_asked_for_is_no_clash(swap, question, asked, original, replacement, type):
    assert suggest(question(asked), swap(f"It was {original}.", original, replacement, type=type)).tier == "fluent"


def test_a_name_inside_the_answer_need_not_be_what_the_question_asks_for(swap, question):
    made = swap("He lives in Bath, Maine.", "Maine", "Nevada", tier="sub_entity", type="GPE", planted="Bath, Nevada")
    assert suggest(question("In which city does he live?"), made).tier == "fluent"


@pytest.mark.parametrize(
    ("asked", "passage", "old", "new"),
    [
        ("When was he convicted?", "The crime of 1985 led to his conviction in 1990.", "1990", "1970"),
        ("When was it founded?", "Founded in 1950, it was sold in 1960.", "1950", "1970"),
        ("When did they meet?", "Founded in 1950, it was sold in 1960.", "1950", "1960"),
        ("When does it end?", "It ends on 8 January 2018.", "2018", "2038"),
        ("When do the 2018 games open?", "They open on 9 February 2018.", "2018", "1998"),
    ],
)
def test_a_year_that_cannot_be_is_broken(swap, question, asked, passage, old, new):
    found = suggest(question(asked), swap(passage, old, new, tier="year", type="YEAR"))
    assert found.tier == "broken"
    assert found.why.startswith("implausible year: ")


@pytest.mark.parametrize(
    ("passage", "old", "new"),
    [
        ("Founded in 1950, it was sold in 1960.", "1950", "1940"),
        ("In 1950 it had 1,960 rooms and cost 1955.50.", "1950", "1970"),
        ("It happens in 2061.", "2061", "2081"),
    ],
)
def test_a_year_that_keeps_its_place_among_the_others_is_plausible(swap, question, passage, old, new):
    assert suggest(question("When?"), swap(passage, old, new, tier="year", type="YEAR")).tier == "fluent"
