"""A model with its weights and its KV cache: evaluate tokens of a sequence, read logits, forget tokens again."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abstain.errors import AbstainError
from abstain.models.llama_cpp.binding import binding, last_error


@dataclass(frozen=True, slots=True)
class Load:
    """All that decides which session is loaded; two equal loads share one."""

    path: Path
    n_ctx: int
    """Tokens that one sequence may hold."""
    n_batch: int
    n_gpu_layers: int
    n_threads: int
    flash_attn: bool
    parallel: int


class Session:
    """Weights and cache of one model; sequences are numbered from 0 to parallel - 1."""

    def __init__(self, load: Load) -> None:
        lib = binding()
        self._lib = lib
        self._n_batch = load.n_batch
        self.prefix: tuple[int, ...] | None = None
        """The tokens that sequence 0 starts with, as far as they can be shared; None after `clear`."""
        params = lib.llama_model_default_params()
        params.n_gpu_layers = load.n_gpu_layers
        self._model: Any = lib.llama_model_load_from_file(str(load.path).encode(), params)
        if not self._model:
            raise AbstainError(f"{load.path}: llama.cpp cannot load it ({last_error()}); use another GGUF file")
        self._context: Any = lib.llama_init_from_model(self._model, _context_params(lib, load))
        if not self._context:
            self.close()
            raise AbstainError(
                f"no memory for a context of {load.n_ctx} tokens x {load.parallel} ({last_error()}); "
                "lower model.n_ctx or model.parallel"
            )
        self._memory: Any = lib.llama_get_memory(self._context)
        self._n_vocab = int(lib.llama_vocab_n_tokens(lib.llama_model_get_vocab(self._model)))
        self._batch: Any = lib.llama_batch_init(load.n_batch, 0, 1)

    def evaluate(self, tokens: Sequence[int], start: int, sequence: int = 0) -> NDArray[np.float32]:
        """Append `tokens` to a sequence from position `start`, in chunks of n_batch; logits after the last.

        The logits (shape: vocabulary) are a view that the next evaluation overwrites.
        """
        for offset in range(0, len(tokens), self._n_batch):
            chunk = tokens[offset : offset + self._n_batch]
            self._decode([(token, start + offset + i, sequence) for i, token in enumerate(chunk)])
        return self._logits((len(tokens) - 1) % self._n_batch)

    def evaluate_together(self, steps: Sequence[tuple[int, int, int]]) -> list[NDArray[np.float32]]:
        """Append one token to each of several sequences in one batch; the logits after each.

        `steps` holds (token, position, sequence), at most n_batch of them.
        """
        self._decode(steps, all_logits=True)
        return [self._logits(i) for i in range(len(steps))]

    def forget(self, start: int, sequence: int = 0) -> bool:
        """Remove a sequence's tokens from position `start` on; False where the architecture cannot."""
        return bool(self._lib.llama_memory_seq_rm(self._memory, sequence, start, -1))

    def share(self, source: int, target: int, end: int) -> None:
        """Let a sequence start with another one's tokens before position `end`, without evaluating them."""
        self._lib.llama_memory_seq_cp(self._memory, source, target, 0, end)

    def clear(self) -> None:
        """Empty the cache of all sequences."""
        self.prefix = None
        self._lib.llama_memory_clear(self._memory, True)

    def close(self) -> None:
        """Free the cache and the weights; the object must not be used afterwards."""
        if getattr(self, "_batch", None) is not None:
            self._lib.llama_batch_free(self._batch)
            self._batch = None
        if self._context:
            self._lib.llama_free(self._context)
            self._context = None
        if self._model:
            self._lib.llama_model_free(self._model)
            self._model = None

    def _decode(self, steps: Sequence[tuple[int, int, int]], all_logits: bool = False) -> None:
        batch = self._batch
        batch.n_tokens = len(steps)
        for i, (token, position, sequence) in enumerate(steps):
            batch.token[i] = token
            batch.pos[i] = position
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = sequence
            batch.logits[i] = all_logits
        batch.logits[len(steps) - 1] = True
        status = self._lib.llama_decode(self._context, batch)
        if status != 0:
            raise RuntimeError(f"llama_decode returned {status} for {len(steps)} tokens ({last_error()})")

    def _logits(self, row: int) -> NDArray[np.float32]:
        pointer = self._lib.llama_get_logits_ith(self._context, row)
        return np.ctypeslib.as_array(ctypes.cast(pointer, ctypes.POINTER(ctypes.c_float)), shape=(self._n_vocab,))


def _context_params(lib: Any, load: Load) -> Any:
    params = lib.llama_context_default_params()
    params.n_ctx = load.n_ctx * load.parallel
    params.n_batch = load.n_batch
    # One physical batch per chunk: llama.cpp must not cut a chunk again in a way of its own.
    params.n_ubatch = load.n_batch
    params.n_seq_max = load.parallel
    params.kv_unified = True
    params.n_threads = load.n_threads
    params.n_threads_batch = load.n_threads
    params.flash_attn_type = (
        lib.LLAMA_FLASH_ATTN_TYPE_ENABLED if load.flash_attn else lib.LLAMA_FLASH_ATTN_TYPE_DISABLED
    )
    params.no_perf = True
    return params
