import pytest
from hypothesis import given
from hypothesis import strategies as st

from abstain.conditions.swap.edits import apply, articles, repeats, replace
from abstain.conditions.swap.locate import occurrences
from abstain.rows import Edit


@pytest.mark.parametrize(
    ("passage", "original", "replacement", "expected"),
    [
        ("an Indian minister", "Indian", "Czech", "a Czech minister"),
        ("A Czech minister", "Czech", "Indian", "An Indian minister"),
        ("a Swede and a Swede", "Swede", "Italian", "an Italian and an Italian"),
        ('an "Indian" word', "Indian", "Czech", 'a "Czech" word'),
        ("an Oxford man", "Oxford", "University", "a University man"),
        ("Serie A Juventus", "Juventus", "Inter", "Serie A Inter"),
        ("the Indian state", "Indian", "Czech", "the Czech state"),
        ("a 70 page book", "70", "80", "an 80 page book"),
    ],
)
def test_a_and_an_follow_the_replacement(passage, original, replacement, expected):
    edits = replace(occurrences(original, passage), replacement, "swap")
    corrections = articles(passage, edits)
    assert apply(passage, [*edits, *corrections]) == expected
    assert {edit.kind for edit in corrections} <= {"article"}


@pytest.mark.parametrize("passage", ["Oslo Oslo", "Oslo, Oslo", "in Oslo and Oslo.", "oslo-Oslo"])
def test_adjacent_repetition_is_seen(passage):
    assert repeats(passage, "Oslo")


@pytest.mark.parametrize("passage", ["Oslo is not Oslo", "Oslo", "Oslo Oslofjord"])
def test_other_repetition_is_none(passage):
    assert not repeats(passage, "Oslo")


def test_taken_text_is_not_edited_again():
    passage = "Ram Nath Kovind and Kovind"
    whole = replace(occurrences("Ram Nath Kovind", passage), "Kovind Hilton", "swap")
    short = replace(occurrences("Kovind", passage), "Hilton", "scrub", whole)
    assert apply(passage, [*whole, *short]) == "Kovind Hilton and Hilton"


@given(
    st.text(max_size=60), st.lists(st.tuples(st.integers(0, 59), st.integers(1, 5), st.text(max_size=6)), max_size=6)
)
def test_undoing_the_edits_gives_the_original(text, wanted):
    edits, position = [], 0
    for start, length, after in sorted(wanted):
        if start >= position and start + length <= len(text):
            edits.append(Edit(start, start + length, text[start : start + length], after, "swap"))
            position = start + length
    changed = apply(text, reversed(edits))
    moved, back = 0, []
    for edit in edits:
        start = edit.start + moved
        back.append(Edit(start, start + len(edit.after), edit.after, edit.before, "swap"))
        moved += len(edit.after) - len(edit.before)
    assert apply(changed, back) == text
