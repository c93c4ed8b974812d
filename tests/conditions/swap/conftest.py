"""A recogniser that knows a list of names: small enough to reason about, and as real a part as any other."""

import re
from dataclasses import dataclass

import pytest

from abstain.ner.base import Entity
from abstain.rows import GRAB_RAG, Question, QuestionSet

NAMES = {
    "PERSON": "Don Shula|Linda Warren|Ram Nath Kovind|Jaime Jarrín|Anne Archer|Mel Gibson|Kelly Reno|Jean Paul Marat",
    "GPE": "Oslo|Lima|Quito|Kars|Berne|France|Norway|Peru|Ohio|Texas|Iowa|U.S.",
    "ORG": "Indiana University|Boston University|Oslo University|Nokia|Chicago Bulls|Miami Dolphins|Boston Celtics",
    "NORP": "American|British|Norwegian|Persian",
    "LOC": "Eastern Europe|Africa|Asia",
    "WORK_OF_ART": "The Godfather|The Sting|Jaws of Doom",
    "EVENT": "Summer Olympics|Stanley Cup",
}


@dataclass
class ListedNer:
    """Finds the names above; counts how many texts it was asked to read."""

    identity: str = "listed"
    read: int = 0

    def entities(self, texts):
        self.read += len(texts)
        return [self._entities(text) for text in texts]

    def _entities(self, text):
        found = [
            Entity(match.start(), match.end(), match.group(), type)
            for type, pattern in ((type, names.replace(".", r"\.")) for type, names in NAMES.items())
            for match in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text)
        ]
        found.sort(key=lambda entity: (entity.start, -entity.end))
        return tuple(entity for i, entity in enumerate(found) if all(other.end <= entity.start for other in found[:i]))


@pytest.fixture
def ner():
    return ListedNer()


@pytest.fixture
def filler():
    """Questions whose gold passages put every name into the pool, each in its own sentence."""
    sentences = [f"We saw {name} there." for names in NAMES.values() for name in names.split("|")]
    return [
        Question(f"filler{i}", 1000 + i, "Where?", ("nowhere",), (sentence,)) for i, sentence in enumerate(sentences)
    ]


@pytest.fixture
def questions(filler):
    """A question set around the given questions, with the filler in its pool."""

    def build(*asked):
        return QuestionSet("test", GRAB_RAG, tuple(asked), (*asked, *filler))

    return build


@pytest.fixture
def ask(questions, ner, tmp_path):
    """The swap of one question, or the reason why it has none."""
    from abstain.conditions.swap import find_swaps

    def swap(text, answers, *gold, index=0, seed=42):
        question = Question("q", index, text, tuple(answers), gold)
        return find_swaps(questions(question), ner, seed, tmp_path)["q"]

    return swap
