"""Whole swaps of hand-made passages, with the paper's own examples where it has them."""

import pytest

from abstain.text import contains_any


def after(swap):
    assert not isinstance(swap, str), swap
    return swap.passage


def test_a_person_becomes_another_person_everywhere(ask):
    swap = ask("Who is president?", ["Ram Nath Kovind"], "In 2017 Ram Nath Kovind won. Ram Nath Kovind was glad.")
    assert (swap.tier, swap.type, swap.original) == ("entity", "PERSON", "Ram Nath Kovind")
    assert swap.passage == f"In 2017 {swap.planted} won. {swap.planted} was glad."
    assert swap.planted == swap.replacement != "Ram Nath Kovind"
    assert [edit.kind for edit in swap.edits] == ["swap", "swap"]


def test_a_surname_that_stands_alone_changes_with_the_name(ask):
    swap = ask("Who has most wins?", ["Don Shula"], "Halas was surpassed by Don Shula. Shula retired.")
    assert after(swap) == f"Halas was surpassed by {swap.planted}. {swap.planted.split()[-1]} retired."
    assert [edit.kind for edit in swap.edits] == ["swap", "scrub"]


def test_an_answer_that_is_a_surname_takes_a_whole_other_name_with_it(ask):
    swap = ask("Who retired?", ["Shula"], "Don Shula won. Shula retired.")
    words = after(swap).replace(".", "").split()
    assert swap.planted == words[1] == words[3]
    assert "Don" not in words


def test_a_university_becomes_a_university_and_keeps_its_article(ask):
    swap = ask("Where?", ["Indiana University"], "He left Indiana University early.")
    assert swap.planted in ("Boston University", "Oslo University")


def test_a_country_becomes_a_country_and_a_state_a_state(ask):
    assert ask("Which?", ["France"], "It lies in France.").planted in ("Norway", "Peru")
    assert ask("Which?", ["Ohio"], "It lies in Ohio.").planted in ("Texas", "Iowa")


def test_the_points_of_an_abbreviation_go_with_it(ask):
    swap = ask("Whose?", ["U.S."], "It was the U.S. army.")
    assert after(swap) == f"It was the {swap.planted} army."
    assert swap.planted in ("France", "Norway", "Peru")


def test_a_full_stop_after_the_answer_stays(ask):
    swap = ask("Who?", ["the Chicago Bulls."], "They beat the Chicago Bulls. It ended.")
    assert after(swap) == f"They beat {swap.planted} It ended."
    assert swap.planted.endswith("s.")


def test_only_the_name_behind_the_article_is_replaced(ask):
    swap = ask("Who won?", ["the Chicago Bulls"], "It was won by the Chicago Bulls.")
    assert swap.planted in ("the Miami Dolphins", "the Boston Celtics")


def test_an_adjective_is_looked_up_among_groups_and_its_article_follows(ask):
    swap = ask("Of which nationality?", ["American"], "He was an American singer.")
    assert swap.type == "NORP"
    article = "an" if swap.planted == "American" else "a"
    assert after(swap) == f"He was {article} {swap.planted} singer."
    assert sorted(edit.kind for edit in swap.edits) == ["article", "swap"]


def test_a_name_inside_the_answer_is_replaced_when_none_covers_it(ask):
    swap = ask("Who?", ["the physician Don Shula"], "It was the physician Don Shula who came.")
    assert (swap.tier, swap.original) == ("sub_entity", "Don Shula")
    assert swap.planted == f"the physician {swap.replacement}"
    assert after(swap) == f"It was {swap.planted} who came."


def test_a_date_is_planted_whole(ask):
    swap = ask("When?", ["16 March 2017"], "Last eruption 16 March 2017 at night.")
    assert (swap.tier, swap.original) == ("embedded_year", "2017")
    assert swap.planted == f"16 March {swap.replacement}"


def test_aliases_by_fewer_or_other_words_of_the_name_are_scrubbed(ask):
    swap = ask("Who?", ["Jean Paul Marat", "Paul Marat", "Marat"], "Jean Paul Marat is Paul Marat is Marat here.")
    assert not contains_any(after(swap), ["Marat"])
    assert {edit.kind for edit in swap.edits} == {"swap", "scrub"}


def test_gold_passages_are_tried_in_order(ask):
    swap = ask("Who?", ["Mel Gibson"], "Nobody is here.", "Seen (born Mel Gibson) there.", "Here is Mel Gibson.")
    assert swap.original_passage == "Here is Mel Gibson."


@pytest.mark.parametrize(
    ("answers", "passage", "reason"),
    [
        (["Mel Gibson"], "Nobody is here.", "answer_not_in_passage"),
        (["Mel Gibson"], "Mad Max (born Mel Gibson) drove.", "born_parenthetical"),
        (["Mel Gibson"], "Mel Gibson and Gibson's car.", "possessive"),
        (["by train"], "They came by train.", "no_entity_type"),
        (["Summer Olympics"], "The Summer Olympics and the Stanley Cup.", "no_candidate"),
        (["Nokia"], "It was Nokia.", "vague_name"),
        (["2005"], "In 2004, 2005 and 2006.", "filter_year_order"),
        (["Texas", "Oslo"], "Texas or Oslo.", "gold_alias_left"),
        (["Texas", "the state"], "Texas is the state.", "gold_alias_left"),
        (["Texas", "star"], "Texas, by the star's light.", "gold_alias_left"),
    ],
)
def test_a_question_without_a_swap_has_a_reason(ask, answers, passage, reason):
    assert ask("What?", answers, passage) == reason


def test_the_question_and_the_passage_lend_no_replacement(ask):
    passage = "Texas, not Iowa."
    assert all(ask("Is it Ohio?", ["Texas"], passage, index=i) == "no_candidate" for i in range(5))


def test_a_born_parenthetical_elsewhere_does_not_stop_a_swap(ask):
    passage = "Mel Gibson (born 1956, Peekskill, New York) acts."
    assert ask("Who?", ["Mel Gibson"], passage).passage.endswith(" (born 1956, Peekskill, New York) acts.")


@pytest.mark.parametrize(
    ("question", "answer", "passage"),
    [
        ("Who was it?", "Ohio Titans", "It was the Ohio Titans team."),
        ("Who began it?", "Nazi France", "Nazi France began it."),
        ("Who was it?", "Don Shula Cup", "It was the Don Shula Cup."),
        ("Where does he land?", "at Don Shula", "He lands at Don Shula."),
    ],
)
def test_a_name_within_another_name_is_left_alone(ask, question, answer, passage):
    assert ask(question, [answer], passage) == "unsound_entity"


def test_a_team_is_replaced_by_a_team(ask):
    swap = ask("What team won?", ["Chicago Bulls"], "The Chicago Bulls won.")
    assert swap.planted == "Boston Celtics"
