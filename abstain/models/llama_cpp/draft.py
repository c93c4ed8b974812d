"""A reply while it is being written: picks each next token from the logits and knows when to stop."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abstain.models.base import Request
from abstain.models.llama_cpp.grammar import Grammar
from abstain.models.llama_cpp.vocab import Vocab
from abstain.models.parse import as_response, is_complete
from abstain.rows import Response

# "answer" and "abstain" part at their second letter.
_DECIDED = re.compile(r'"decision"\s*:\s*"a[nb]')


@dataclass(frozen=True, slots=True)
class Limits:
    """How replies are written, the same for all replies of a model."""

    max_tokens: int
    temperature: float
    keep_reasoning: bool


class Draft:
    """One reply under its grammar. `close` frees the grammar state."""

    def __init__(self, request: Request, vocab: Vocab, limits: Limits) -> None:
        self.request = request
        self.seconds = 0.0
        """Model time so far; the engine adds to it."""
        self.tokens: list[int] = []
        self.finish = ""
        """Empty while the reply is being written."""
        self._vocab = vocab
        self._limits = limits
        self._grammar = Grammar(vocab.native, request.prompt.grammar)
        self._bytes = b""
        self._random = np.random.Generator(np.random.PCG64(request.seed))
        self._probability: float | None = None
        self._option_probabilities: tuple[float, ...] = ()

    def step(self, logits: NDArray[np.float32]) -> None:
        """Write the next token, chosen from `logits` (shape: vocabulary), and see whether the reply has ended.

        The token is the one that masking every token by the grammar would give: the pick over all tokens stands if
        the grammar allows it, and only otherwise is the whole mask made. For the greedy pick that is plain; a random
        draw that is repeated under the mask when refused has the masked distribution too.
        """
        prompt = self.request.prompt
        if prompt.choices and not self.tokens:
            self._option_probabilities = self._weigh_options(logits)
        token = self._pick(logits)
        if not self._grammar.allows(token):
            token = self._pick(self._grammar.mask(logits))
            if not self._grammar.allows(token):  # a grammar that leaves no token at all
                self.finish = "stop"
                return
        if self._vocab.ends_text(token):
            self.finish = "stop"
            return
        self._grammar.accept(token)
        self.tokens.append(token)
        self._bytes += self._vocab.piece(token)
        if self._probability is None and self._is_decided():
            self._probability = float(np.exp(logits[token] - _log_sum_exp(logits)))
        if is_complete(self.text, prompt.reply, prompt.choices, self._limits.keep_reasoning):
            self.finish = "complete"
        elif len(self.tokens) >= self._limits.max_tokens:
            self.finish = "length"

    @property
    def text(self) -> str:
        """What is written so far; an unfinished character at the end shows as U+FFFD."""
        return self._bytes.decode("utf-8", errors="replace")

    def response(self) -> Response:
        """The finished reply, read by the common parser."""
        read = as_response(
            self.request,
            self.text,
            self.finish,
            prompt_tokens=len(self.request.prefix) + len(self.request.suffix),
            completion_tokens=len(self.tokens),
            seconds=self.seconds,
        )
        return replace(read, probability=self._probability, option_probabilities=self._option_probabilities)

    def close(self) -> None:
        """Free the grammar state."""
        self._grammar.close()

    def _pick(self, logits: NDArray[np.float32]) -> int:
        """The most probable token (the lowest id of equals), or a draw at the model's temperature."""
        if self._limits.temperature <= 0:
            return int(np.argmax(logits))
        scaled = logits.astype(np.float64) / self._limits.temperature
        cumulative = np.cumsum(np.exp(scaled - np.max(scaled)))
        drawn = np.searchsorted(cumulative, self._random.random() * cumulative[-1], side="right")
        return int(min(drawn, len(logits) - 1))

    def _is_decided(self) -> bool:
        """Whether the token just written is the first that tells one decision from the other."""
        return bool(self.request.prompt.choices) or _DECIDED.search(self.text) is not None

    def _weigh_options(self, logits: NDArray[np.float32]) -> tuple[float, ...]:
        """Probability of each choice by the tokens it can begin with, renormalised; empty where two share one."""
        starts = [self._vocab.starts(choice) for choice in self.request.prompt.choices]
        if len(set().union(*starts)) < sum(map(len, starts)) or not all(starts):
            return ()
        masses = np.array([_log_sum_exp(logits[list(tokens)]) for tokens in starts])
        weights = np.exp(masses - _log_sum_exp(masses))
        return tuple(float(weight) for weight in weights)


def _log_sum_exp(logits: NDArray[np.floating[Any]]) -> float:
    top = float(np.max(logits))
    return top + float(np.log(np.sum(np.exp(logits.astype(np.float64) - top))))
