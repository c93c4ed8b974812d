import pytest

from abstain.rows import Edit, Question, Swap


def make_swap(passage, original, replacement, tier="entity", type="PERSON", planted=None):
    """The swap that replaces every occurrence of `original`, as plain string replacement does."""
    edits, at = [], passage.find(original)
    while at >= 0:
        edits.append(Edit(at, at + len(original), original, replacement, "swap"))
        at = passage.find(original, at + len(original))
    changed = passage.replace(original, replacement)
    return Swap(passage, changed, original, replacement, planted or replacement, tier, type, tuple(edits))


@pytest.fixture
def swap():
    return make_swap


@pytest.fixture
def question():
    return lambda text="Who?", answers=("gold",), id="q", index=0: Question(id, index, text, tuple(answers), ("gold",))
