from hypothesis import given
from hypothesis import strategies as st

from abstain.text import contains, contains_any, normalize


def test_normalization_is_that_of_squad():
    assert normalize("The  Eiffel Tower, in Paris!") == "eiffel tower in paris"


def test_a_string_that_squad_would_empty_stays_comparable():
    # SQuAD's own rule makes "A" and "The" equal to the empty string (PITFALLS D1).
    assert normalize("A") == "a"
    assert normalize("A") != normalize("The")
    assert normalize("?") == "?"
    assert normalize("  ") == ""


def test_an_alias_is_found_as_whole_words_only():
    assert contains_any("A party in the U.S. army.", ["US"])
    assert not contains_any("a party", ["art"])
    assert contains_any("the art of war", ["Art", "nothing"])


@given(st.text(max_size=40))
def test_a_text_contains_itself(text):
    assert contains(normalize(text), text)


@given(st.text(max_size=40))
def test_normalizing_twice_changes_nothing_for_texts_that_keep_a_word(text):
    once = normalize(text)
    if once.isascii() and any(c.isalnum() for c in once):
        assert normalize(once) in (once, normalize(normalize(once)))


def test_words_separate_at_every_punctuation_where_normalisation_glues_or_hides_them():
    assert contains_any("The 2016–17 season", ["2016"])
    assert contains_any("can't change me/Suddenly", ["Can't Change Me"])
    assert contains_any("the LII-winning team", ["LII"])
    assert not contains_any("the party/parties", ["art"])
