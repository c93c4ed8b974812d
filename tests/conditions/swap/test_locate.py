import pytest
from hypothesis import given
from hypothesis import strategies as st

from abstain.conditions.swap.locate import born_parenthetical, locate, occurrences, possessive


@pytest.mark.parametrize(
    ("answer", "passage", "found"),
    [
        ("U.S.", "the U.S. army", "U.S."),
        ("C++", "written in C++, not C", "C++"),
        ("art", "a party for art lovers", "art"),
        ("Don Shula", "Don  Shula's team", "Don  Shula"),
        ("Bob's Burgers", "watch Bob’s Burgers", "Bob’s Burgers"),
        ('"Help!"', "the song Help! was", "Help!"),
        ("(2006)", "in 2006, it", "2006"),
        ("2016-17", "the 2016–17 season", "2016–17"),
        ("röntgen", "Wilhelm Röntgen", "Röntgen"),
        ("September\xa08", "on September 8", "September 8"),
    ],
)
def test_an_answer_is_found_beside_punctuation_and_in_other_spellings(answer, passage, found):
    assert [span.text for span in locate(answer, passage)] == [found]


@pytest.mark.parametrize(
    ("answer", "passage"),
    [
        ("U.S.", "the U.S.A. team"),
        ("art", "party"),
        ("100", "1,100 and 100.5 and 100,000"),
        ("US", "it told us so"),
        ("", "anything"),
        ('""', "anything"),
    ],
)
def test_no_answer_is_found_inside_a_longer_word_or_number(answer, passage):
    assert locate(answer, passage) == ()


def test_its_own_capitalisation_comes_first():
    assert [span.text for span in occurrences("Apple", "APPLE and Apple")] == ["Apple", "APPLE"]


@given(st.text(alphabet="İßẞŉǰ abcAB.-", max_size=20), st.text(alphabet="İßẞŉǰ abcAB.-", max_size=20))
def test_offsets_index_the_original_also_where_lower_case_is_longer(before, after):
    passage = f"{before} İstanbul Kars {after}"
    spans = occurrences("Kars", passage)
    assert spans
    assert all(passage[span.start : span.end].lower() == "kars" for span in spans)


@pytest.mark.parametrize(
    ("answer", "passage", "skipped"),
    [
        ("Cherilyn Sarkisian", "Cher (born Cherilyn Sarkisian, May 20, 1946) sang", True),
        ("1946", "Cher (born May 20, 1946) sang", True),
        ("Tami Lynn", "Tami Lynn (born 1942, Gert Town, New Orleans, Louisiana)", False),
        ("University of Oslo", "He (born in a town of Norway) left the University of Oslo", False),
        ("Lynn", "Tami Lynn (reborn Lynn) sang", False),
    ],
)
def test_a_born_parenthetical_that_shares_a_token_is_a_leak(answer, passage, skipped):
    assert born_parenthetical(answer, passage) is skipped


@pytest.mark.parametrize(
    ("answer", "passage", "skipped"),
    [
        ("Ram Nath Kovind", "Kovind's term began", True),
        ("Ram Nath Kovind", "Kovind’s term began", True),
        ("Barack Obama", "Obama's term began", False),  # five characters
        ("Ram Nath Kovind", "Kovind is", False),
    ],
)
def test_a_long_answer_token_in_the_possessive_is_a_leak(answer, passage, skipped):
    assert possessive(answer, passage) is skipped
