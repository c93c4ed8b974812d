"""The state of one reply under a GBNF grammar: which token may come next."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abstain.errors import AbstainError
from abstain.models.llama_cpp.binding import binding

# llama_token_data, as llama.cpp lays it out.
_CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])


class Grammar:
    """One fresh grammar state per reply (a used one refuses everything). Holds memory until `close`."""

    def __init__(self, vocab: Any, gbnf: str) -> None:
        self._lib = binding()
        self._sampler: Any = self._lib.llama_sampler_init_grammar(vocab, gbnf.encode(), b"root")
        if not self._sampler:
            raise AbstainError(f"a prompt's grammar is not valid GBNF with a root rule: {gbnf[:80]!r}")

    def allows(self, token: int) -> bool:
        """Whether `token` may come next; the end-of-text tokens may when the grammar is satisfied."""
        candidates = np.zeros(1, _CANDIDATE)
        candidates["id"] = token
        return bool(self._apply(candidates)[0] == 0)

    def mask(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        """A copy of `logits` (shape: vocabulary) with minus infinity for every token that may not come next."""
        candidates = np.zeros(len(logits), _CANDIDATE)
        candidates["id"] = np.arange(len(logits))
        candidates["logit"] = logits
        return self._apply(candidates)

    def accept(self, token: int) -> None:
        """Advance past `token`. It must be allowed: llama.cpp aborts the process on any other."""
        self._lib.llama_sampler_accept(self._sampler, token)

    def close(self) -> None:
        """Free the state; the object must not be used afterwards."""
        if self._sampler:
            self._lib.llama_sampler_free(self._sampler)
            self._sampler = None

    def _apply(self, candidates: NDArray[np.void]) -> NDArray[np.float32]:
        """The candidates' logits, in their order, once llama.cpp has set the refused ones to minus infinity."""
        data = candidates.ctypes.data_as(self._lib.llama_token_data_p)
        array = self._lib.llama_token_data_array(data, len(candidates), -1, False)
        self._lib.llama_sampler_apply(self._sampler, ctypes.byref(array))
        return np.ascontiguousarray(candidates["logit"])
