"""The frozen dataclasses that travel between the stages.

One row makes five hops, and each hop has its own type:
``Question -> Case -> Prompt -> Response -> Decision -> Outcome``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

GRAB_RAG = "grab_rag"
ARCTIC_ABSTAIN = "arctic_abstain"


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its accepted answers and the passages that support them."""

    id: str
    index: int
    """Place in the fixed order of the data set; seeds the question's own random state."""
    text: str
    answers: tuple[str, ...]
    """Never empty; the first is the primary answer, the rest are aliases."""
    gold: tuple[str, ...]
    """Texts of the gold passages, never empty."""
    distractors: tuple[str, ...] = ()
    """Texts of the other passages published with the question (HotpotQA)."""


@dataclass(frozen=True, slots=True)
class ChoiceQuestion:
    """A multiple-choice question of ArcticQA with one gold answer and four distractors."""

    id: str
    index: int
    text: str
    context: str
    """The paper's question context; may be empty."""
    gold: str
    distractors: tuple[str, str, str, str]
    """In the order of their rank, 0 to 3."""


Q = TypeVar("Q", Question, ChoiceQuestion)


@dataclass(frozen=True, slots=True)
class QuestionSet(Generic[Q]):
    """The questions of a run, the larger pool around them, and what was left out."""

    name: str
    benchmark: str
    """``grab_rag`` or ``arctic_abstain``."""
    questions: tuple[Q, ...]
    """The first ``limit`` questions of the fixed order."""
    pool: tuple[Q, ...]
    """The first ``max(limit, pool_questions)`` questions: retrieval and swap candidates come from these."""
    dropped: Mapping[str, int] = field(default_factory=dict)
    """Reason -> number of questions left out while loading."""
    source: str = ""
    """What was read, by content: ``sha256:...`` of a file, or repository@commit of a hub data set."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change made to a passage, on the offsets of the original text."""

    start: int
    end: int
    before: str
    after: str
    kind: str
    """``swap``, ``article`` or ``scrub``."""


@dataclass(frozen=True, slots=True)
class Swap:
    """How a misleading passage was made from a gold passage (GRAB-RAG, Appendix C)."""

    original_passage: str
    passage: str
    original: str
    """The span that answered, as it stands in the passage."""
    replacement: str
    """What stands there now."""
    planted: str
    """The whole (wrong) answer that the swapped passage now supports."""
    tier: str
    """``year``, ``embedded_year``, ``number``, ``entity`` or ``sub_entity``."""
    type: str
    """Internal entity type, or ``YEAR`` / ``NUMBER``."""
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One question under one context condition."""

    question: Question
    condition: str
    """``q100``, ``q50``, ``q0``, ``qc`` or ``closed``."""
    passages: tuple[str, ...]
    """In prompt order; empty for ``closed`` and for a case that is not eligible."""
    swap: Swap | None = None
    """Only for an eligible ``qc`` case."""
    ineligible: str | None = None
    """Why the question has no case under this condition; such a case is never asked."""

    @property
    def answerable(self) -> bool:
        """Whether answering is right here (q100, q50); closed is judged by neither standard."""
        return self.condition in ("q100", "q50")


@dataclass(frozen=True, slots=True)
class Option:
    """One lettered option of a multiple-choice case."""

    text: str
    kind: str
    """``gold``, ``distractor`` or ``abstain``."""


@dataclass(frozen=True, slots=True)
class ChoiceCase:
    """One multiple-choice question with its five options in the order shown."""

    question: ChoiceQuestion
    condition: str
    """``answer_present`` or ``answer_absent``."""
    trial: int
    """Counted from 1, as in the published outcomes."""
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """Messages for a model, with the cut between the shared prefix and the prompt's own suffix."""

    name: str
    """Which template: ``p0``, ``p1``, ``p2``, ``closed``, ``mcq`` or ``nli``."""
    question_id: str
    condition: str
    trial: int
    system: str
    user: str
    cut: int
    """Characters of ``user`` up to and including the question; prompts of one case agree up to here."""
    grammar: str
    """GBNF that the reply obeys."""
    reply: str
    """How the reply is read: ``json`` (decision, answer, confidence, reasoning), ``letter`` or ``label``."""
    choices: tuple[str, ...] = ()
    """Allowed replies of a ``letter`` or ``label`` prompt."""
    shown: tuple[str, ...] = ()
    """The passages as shown, after the cap on context tokens."""
    context_cut: bool = False
    """Whether the cap removed text."""


@dataclass(frozen=True, slots=True)
class Response:
    """What a model said to one prompt. Everything here is stored."""

    key: str
    """Content key (DESIGN 5.3)."""
    valid: bool
    """Decision, answer and confidence are complete (or one letter or label of the set)."""
    decision: str
    """``answer`` or ``abstain``; the letter or label for other replies; empty when invalid."""
    answer: str
    confidence: int
    """0 to 100; 0 when invalid."""
    reasoning: str
    raw: str
    finish: str
    """``complete`` (object or choice complete), ``stop`` (end of text), ``length`` (token limit) or ``error``."""
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    """Model time of this response; a shared prefix is charged to the response that evaluated it."""
    probability: float | None = None
    """Probability of the decision (first differing token), where the backend gives it."""
    option_probabilities: tuple[float, ...] = ()
    """For letters and labels: the probability of each choice in order, renormalised over the choices."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an NLI verifier said of one (passage, hypothesis) pair."""

    key: str
    label: str
    """``entailment``, ``neutral`` or ``contradiction``."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a policy made of its responses."""

    verdict: str
    """``answer``, ``abstain`` or ``invalid``."""
    answer: str
    confidence: int
    cause: str
    """The rule that decided: ``context_pass``, ``closed_book_unreliable``, ``agreed``, ``conflict``,
    ``not_contradicted``, ``contradiction`` or ``invalid``."""


class Outcome(StrEnum):
    """How a decision compares with what was right; a category, never a number."""

    CORRECT = "correct"
    WRONG = "wrong"
    FALSE_ABSTENTION = "false_abstention"
    RIGHT_ABSTENTION = "right_abstention"
    ECHO = "echo"
    CORRECT_OVERRIDE = "correct_override"
    HALLUCINATION = "hallucination"
    FALSE_COMMITMENT = "false_commitment"
    """ArcticAbstain: any substantive option when no option is right (N4)."""
    ABSTAINED = "abstained"
    """Closed book, where abstaining is neither right nor wrong."""
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """The end of a row's path: the case, what was decided, and how it scored."""

    case: Case
    decision: Decision
    outcome: Outcome
    exact_match: bool
    """Normalised exact match of an answer with any alias; False for abstentions."""
    f1: float
    """Token-level F1 with the best alias, 0..1; 0 for abstentions."""
