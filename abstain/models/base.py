"""What every model offers: prompts in, responses out, in two steps so that a plan needs no weights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from abstain.rows import Prompt, Response


@dataclass(frozen=True, slots=True)
class Request:
    """A prompt made ready for one model: rendered, tokenised where the backend can, and keyed."""

    key: str
    """Content key (DESIGN 5.3): sha256 over all that can change the response."""
    prompt: Prompt
    rendered: str
    """The text after the chat template; for servers the messages as canonical JSON."""
    prefix: tuple[int, ...]
    """Token ids that end at or before the end of the question; empty where the backend has no tokens."""
    suffix: tuple[int, ...]
    """The remaining token ids, always evaluated as their own piece after the prefix."""
    seed: int
    """The row's own sampling seed; without effect at temperature 0."""


class Model(Protocol):
    """A language model behind one of the backends. Constructing one loads nothing."""

    name: str
    context_tokens: int
    """Cap on the tokens of the retrieved context (GRAB-RAG, Appendix B)."""

    @property
    def fingerprint(self) -> str:
        """Content hash of what answers (a model file, a script); empty for a server, whose weights nobody sees."""

    def probe(self) -> str:
        """What answers, in a few words, once it is sure to be there; raises AbstainError if not. Loads no weights."""

    def truncate(self, text: str, tokens: int) -> str:
        """The longest head of `text` that has at most `tokens` tokens; may load the tokenizer, never the weights."""

    def prepare(self, prompts: Sequence[Prompt]) -> list[Request]:
        """Render, tokenise and key the prompts, in order.

        Raises AbstainError when a prompt and its reply cannot fit the model's window. Never loads the weights.
        """

    def generate(self, requests: Sequence[Request]) -> Iterator[Response]:
        """Answer the requests, one response as soon as it is made, grouped by shared prefix.

        The order of the responses may differ from the order of the requests; `key` tells them apart. A response
        depends on its request alone (DESIGN 5.1).
        """


def by_prefix(requests: Iterable[Request]) -> tuple[Request, ...]:
    """Requests with the same prefix side by side, groups in order of first appearance."""
    groups: dict[tuple[int, ...], list[Request]] = {}
    for request in requests:
        groups.setdefault(request.prefix, []).append(request)
    return tuple(request for group in groups.values() for request in group)
