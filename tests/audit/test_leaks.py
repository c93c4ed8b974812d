import pytest
from hypothesis import given
from hypothesis import strategies as st

from abstain.audit.leaks import leaks

WORD = st.text(st.characters(categories=["Ll", "Lu", "Nd"]), min_size=1, max_size=6).filter(
    # Not the dotless ı, whose capital is that of another letter.
    lambda word: word.upper().casefold() == word.casefold()
)


@pytest.mark.parametrize(
    ("passage", "alias"),
    [
        ("He met DON SHULA.", "Don Shula"),
        ("Shula's record stood.", "Shula"),
        ("It left the U.S. in May.", "US"),
        ("It left the US in May.", "U.S."),
        ("a Paris-based firm", "Paris"),
        ("they can't change me/Suddenly", "Can't Change Me"),
        ("in Zurich", "Zürich"),
        ("in istanbul", "İstanbul"),
        ("Lord of Rings was long", "The Lord of the Rings"),
        ("some 1,100 men", "1100"),
        ("the 9-11 report", "9/11"),
        ("“C++” it was", "C++"),
        ("The The sang", "The The"),
    ],
)
def test_an_alias_leaks_in_whatever_way_it_is_written(passage, alias):
    assert leaks(passage, ["elsewhere", alias]) == (alias,)


@pytest.mark.parametrize(
    ("passage", "alias"),
    [
        ("a party at noon", "art"),
        ("some 1,100 men", "100"),
        ("3.14 of them", "14"),
        ("in the 1990s", "1990"),
        ("Don met Shula", "Don Shula"),
        ("anything at all?", "?"),
        ("the end", ""),
        ("an end", "the"),
    ],
)
def test_what_only_looks_like_an_alias_does_not_leak(passage, alias):
    assert leaks(passage, [alias]) == ()


@given(st.lists(WORD, min_size=1, max_size=4), st.lists(WORD, max_size=4), st.lists(WORD, max_size=4))
def test_an_alias_between_spaces_always_leaks(alias, before, after):
    passage = " ".join([*before, *(word.upper() for word in alias), *after])
    assert leaks(passage, [" ".join(alias)])
