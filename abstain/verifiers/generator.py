"""NLI by the generator itself: one word, bound by a grammar to the three labels.

The verdicts are ordinary responses, so they are keyed, stored and resumed like every other. The claim stands before
the passage, and the prompt is cut between them: a claim is held against all passages of its question, under every
condition, whatever the size of the run, while a passage meets a second claim only when it was retrieved for another
question too. (It often is once hundreds of questions share a pool of one passage each; there the other order would
evaluate fewer tokens. With tens of questions, or HotpotQA's ten passages a question, it evaluates more.)
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from abstain.generate import complete, plan
from abstain.models.base import Model
from abstain.rows import Prompt, Response
from abstain.store import Store
from abstain.verifiers.base import LABELS, NEUTRAL, Judged, Pair, distinct

_LOG = logging.getLogger(__name__)

SYSTEM = """\
You check a claim against a passage. Judge by the passage alone and reply with one word:
entailment: the passage says that the claim is true, or it follows from the passage.
neutral: the passage does not tell whether the claim is true.
contradiction: the claim cannot be true if the passage is true."""

GRAMMAR = "root ::= " + " | ".join(f'"{label}"' for label in LABELS) + "\n"


@dataclass(frozen=True, slots=True)
class GeneratorNli:
    """The run's own model as the verifier of p4."""

    def judge(self, pairs: Sequence[Pair], model: Model, store: Store, advance: Callable[[], None]) -> Judged:
        """Label the pairs through the store; a reply that is none of the labels counts as neutral.

        Only a contradiction makes p4 abstain, so a verifier that failed must not look like one that objected. Such
        replies are counted in a warning; errors of a server among them are asked again by the next run.
        """
        unique = distinct(pairs)
        work = plan(model, store, [nli_prompt(pair) for pair in unique])
        completed = complete(model, store, work, advance)
        replies = [completed.responses[request.key] for request in work.own]
        if unread := sum(not reply.valid for reply in replies):
            _LOG.warning("NLI: %d of %d replies are none of the three labels; taken as neutral", unread, len(replies))
        return Judged(dict(zip(unique, map(_label, replies), strict=True)), completed.generated)

    def probe(self) -> str:
        """There is nothing to look for: the model is looked at for itself."""
        return "the model itself"

    def pending(self, pairs: Sequence[Pair], model: Model, store: Store) -> int:
        """How many of the distinct pairs have no stored reply."""
        return len(plan(model, store, [nli_prompt(pair) for pair in distinct(pairs)]).missing)


def nli_prompt(pair: Pair) -> Prompt:
    """The prompt of one pair. It goes by its claim and its passage: they are its question and its condition."""
    premise, claim = pair
    head = f"Claim: {claim}"
    return Prompt(
        name="nli",
        question_id=claim,
        condition=premise,
        trial=0,
        system=SYSTEM,
        user=f"{head}\n\nPassage: {premise}\n\nIs the claim an entailment of the passage, neutral or a contradiction?",
        cut=len(head),
        grammar=GRAMMAR,
        reply="label",
        choices=LABELS,
    )


def _label(reply: Response) -> str:
    return reply.decision if reply.valid else NEUTRAL
