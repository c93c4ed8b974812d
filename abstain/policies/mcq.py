"""mcq: five lettered options, one letter back (ArcticAbstain 4.1).

The prompt is a text file, so that another protocol can be run by naming its file. What stands above a line of three
dashes is the system message (there may be none); the rest is the user message with its three placeholders.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from abstain.errors import AbstainError
from abstain.rows import ARCTIC_ABSTAIN, ChoiceCase, Decision, Prompt, Response

LETTERS = ("A", "B", "C", "D", "E")
NO_CONTEXT = "(none)"

_GRAMMAR = "root ::= " + " | ".join(f'"{letter}"' for letter in LETTERS) + "\n"
_PLACEHOLDERS = ("{question}", "{context}", "{options}")
_PLACEHOLDER = re.compile("|".join(re.escape(placeholder) for placeholder in _PLACEHOLDERS))
_DIVIDER = re.compile(r"^---[ \t]*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Template:
    """A system message, and a user message that holds each placeholder once."""

    system: str
    user: str

    def fill(self, question: str, context: str, options: str) -> tuple[str, int]:
        """The user message, and how many of its characters run up to the end of the question."""
        values = dict(zip(_PLACEHOLDERS, (question, context, options), strict=True))
        filled = ""
        cut = position = 0
        # In one pass, so that a question which itself says "{options}" stays as it is.
        for match in _PLACEHOLDER.finditer(self.user):
            filled += self.user[position : match.start()] + values[match[0]]
            position = match.end()
            if match[0] == "{question}":
                cut = len(filled)
        return filled + self.user[position:], cut


class MultipleChoice:
    """The multiple-choice policy: one prompt a case, whose letter decides.

    `prompt` is the path of a template file, or None for the one that comes with the package; `trials` is how often a
    case is asked. Raises AbstainError when the template cannot be read or lacks a placeholder.
    """

    benchmark = ARCTIC_ABSTAIN

    def __init__(self, name: str, prompt: str | None = None, trials: int = 3) -> None:
        if trials < 1:
            raise AbstainError(f"policy.trials={trials}: give 1 or more")
        self.name = name
        self.trials = trials
        self._template = read_template(prompt)

    def build(self, case: ChoiceCase) -> Prompt:
        """The prompt of a case, its options as lines ``A. text`` in the order drawn."""
        options = "\n".join(f"{letter}. {option.text}" for letter, option in zip(LETTERS, case.options, strict=True))
        user, cut = self._template.fill(case.question.text, case.question.context or NO_CONTEXT, options)
        return Prompt(
            name="mcq",
            question_id=case.question.id,
            condition=case.condition,
            trial=case.trial,
            system=self._template.system,
            user=user,
            cut=cut,
            grammar=_GRAMMAR,
            reply="letter",
            choices=LETTERS,
        )

    def decide(self, case: ChoiceCase, response: Response) -> Decision:
        """The option that a letter names: its text as the answer, or an abstention.

        The confidence is 100 times the option's probability, rounded; 0 where the backend gives none. Anything but
        one letter of the set is invalid.
        """
        if not response.valid or response.decision not in LETTERS:
            return Decision("invalid", "", 0, "invalid")
        chosen = LETTERS.index(response.decision)
        option = case.options[chosen]
        confidence = round(100 * response.option_probabilities[chosen]) if response.option_probabilities else 0
        verdict = "abstain" if option.kind == "abstain" else "answer"
        return Decision(verdict, option.text, confidence, "context_pass")


def read_template(path: str | None) -> Template:
    """Read a template file; None reads the one that comes with the package.

    Raises AbstainError when the file cannot be read, or does not hold each placeholder once in its user message.
    """
    source = Path(path) if path is not None else resources.files("abstain.policies") / "mcq_prompt.txt"
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise AbstainError(f"policy.prompt={path}: not a readable UTF-8 text file ({error})") from error
    parts = _DIVIDER.split(text, maxsplit=1)
    system, user = parts if len(parts) == 2 else ("", text)
    wrong = [placeholder for placeholder in _PLACEHOLDERS if user.count(placeholder) != 1]
    if wrong:
        raise AbstainError(f"policy.prompt={path}: the user message must hold {', '.join(wrong)} exactly once")
    return Template(system.strip(), user.strip())
