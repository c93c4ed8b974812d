"""Laws of any swap, on passages put together by hypothesis from names, aliases and awkward characters."""

import string

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abstain.conditions.swap.edits import apply
from abstain.conditions.swap.locate import locate, occurrences
from abstain.conditions.swap.pool import build_pool
from abstain.conditions.swap.search import Search
from abstain.conditions.swap.settle import settle
from abstain.rows import Question

ANSWERS = [
    ("Don Shula", "Shula", "Don"),
    ("Ram Nath Kovind", "Kovind", "Ram Nath"),
    ("Oslo",),
    ("the Chicago Bulls", "Bulls", "Chicago Bulls"),
    ("Indiana University", "Indiana"),
    ("16 March 2017", "March 2017", "2017"),
    ("1950",),
    ("291", "291 episodes"),
    ("The Godfather", "Godfather"),
    ("the physician Mel Gibson", "Mel Gibson"),
    ("U.S.", "United States"),
    ("C++",),
    ("American",),
]
GLUE = [
    "İstanbul",
    "ßß",
    "’s",
    "'s",
    "(",
    ")",
    '"',
    "“",
    "”",
    ",",
    ".",
    "an",
    "a",
    "the",
    "İ",
    "and",
    "1990",
    "-",
    "\n",
]
NAMES = ["Linda Warren", "Texas", "Nokia", "Persian", "Kars"]


@st.composite
def asked(draw):
    answers = draw(st.sampled_from(ANSWERS))
    words = st.sampled_from([*answers, *answers, *(answer.upper() for answer in answers), *GLUE, *NAMES])
    separator = draw(st.sampled_from([" ", "  ", ""]))
    passage = separator.join([*draw(st.lists(words, max_size=8)), " ", answers[0], *draw(st.lists(words, max_size=8))])
    return answers, passage, draw(st.integers(0, 50))


def words_of(text):
    """An independent reading of SQuAD's normalisation: the words without punctuation and articles."""
    plain = "".join(char for char in text.lower() if char not in string.punctuation)
    return [word for word in plain.split() if word not in ("a", "an", "the")]


def stands_in(alias, passage):
    wanted, words = words_of(alias), words_of(passage)
    return any(words[i : i + len(wanted)] == wanted for i in range(len(words) - len(wanted) + 1))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(asked())
def test_every_swap_obeys_the_laws(ner, filler, case):
    answers, passage, index = case
    question = Question("q", index, "Which one?", answers, (passage,))
    pool_passages = [passage, *(other.gold[0] for other in filler)]
    texts = {*pool_passages, *(span.text for span in locate(answers[0], passage)[:1])}
    entities = {text: settle(text, ner.entities([text])[0]) for text in texts}
    pool = build_pool([(text, entities[text]) for text in pool_passages], answers)
    swap = Search(pool, entities, 42).swap(question)
    if isinstance(swap, str):
        return
    assert not any(stands_in(alias, swap.passage) for alias in answers)
    assert not any(stands_in(alias, swap.planted) for alias in answers)
    assert swap.planted in swap.passage
    assert not any(occurrences(alias, swap.passage) for alias in answers)
    assert not stands_in(swap.original, swap.replacement)
    assert not stands_in(swap.replacement, swap.original)
    assert apply(swap.original_passage, swap.edits) == swap.passage
    position = 0
    for edit in swap.edits:
        assert position <= edit.start < edit.end
        assert swap.original_passage[edit.start : edit.end] == edit.before != edit.after
        assert edit.kind in ("swap", "article", "scrub")
        position = edit.end
