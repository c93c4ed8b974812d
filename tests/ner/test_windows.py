from hypothesis import given
from hypothesis import strategies as st

from abstain.ner.base import Entity
from abstain.ner.windows import merge, split

COSTS = st.lists(st.integers(0, 6), max_size=80)


@given(COSTS, st.integers(1, 20), st.one_of(st.none(), st.integers(1, 30)), st.integers(0, 30))
def test_windows_own_every_word_once_and_keep_their_limits(costs, words, tokens, overlap):
    windows = split(costs, words, tokens, overlap)
    assert [word for w in windows for word in range(w.own_from, w.own_to)] == list(range(len(costs)))
    for window in windows:
        assert window.first <= window.own_from <= window.own_to <= window.last
        length = window.last - window.first
        assert 1 <= length <= words
        assert tokens is None or length == 1 or sum(costs[window.first : window.last]) <= tokens


def test_neighbours_see_each_others_border():
    # 10 words, 6 a window, 2 shared: the border lies in the middle of what is shared
    windows = split([1] * 10, words=6, tokens=None, overlap=2)
    assert [(w.first, w.last, w.own_from, w.own_to) for w in windows] == [(0, 6, 0, 5), (4, 10, 5, 10)]


def test_a_text_within_the_limits_is_one_window():
    assert len(split([1] * 10, words=10, tokens=10, overlap=5)) == 1
    assert split([], words=10, tokens=10, overlap=5) == []


def test_merging_orders_by_offset_and_drops_overlaps():
    one, two, three = (Entity(s, e, "x" * (e - s), "ORG") for s, e in ((0, 5), (3, 8), (9, 12)))
    assert merge([three, two, one]) == (one, three)
