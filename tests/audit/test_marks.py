from hypothesis import given
from hypothesis import strategies as st

from abstain.audit.marks import kept, pieces
from abstain.rows import Edit, Swap

STRETCH = st.tuples(st.text(max_size=5), st.text(min_size=1, max_size=5), st.text(max_size=5))


@given(st.lists(STRETCH, max_size=5), st.text(max_size=5), st.randoms())
def test_the_pieces_make_up_both_passages_and_mark_the_edits_alone(stretches, tail, rng):
    edits, original, changed = [], "", ""
    for lead, before, after in stretches:
        start = len(original + lead)
        edits.append(Edit(start, start + len(before), before, after, "scrub"))
        original += lead + before
        changed += lead + after
    rng.shuffle(edits)
    swap = Swap(original + tail, changed + tail, "", "", "", "entity", "PERSON", tuple(edits))
    found = pieces(swap)
    assert "".join(piece.before for piece in found) == swap.original_passage
    assert "".join(piece.after for piece in found) == swap.passage
    assert [(p.before, p.after) for p in found if p.kind] == [(before, after) for _, before, after in stretches]
    assert "".join(kept(swap)) == "".join(lead for lead, _, _ in stretches) + tail
