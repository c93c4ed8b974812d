"""Sentence embeddings, each made once: from the cache where it has them, from the encoder otherwise.

An embedding depends on its text alone, to the last bit, and so not on which other texts were new at the time. Texts are
encoded in batches of equal token length, which needs no padding, and small batches are filled up with repeats, because
matrix products of few rows are computed by other kernels.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from functools import cached_property
from itertools import cycle, groupby, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abstain.errors import AbstainError
from abstain.retrieval.cache import Embedding, EmbeddingCache
from abstain.retrieval.encoders import EncoderSource, model_identity

_LOG = logging.getLogger(__name__)
_KEY_VERSION = 1
_BATCH_TEXTS = 32
_BATCH_TOKENS = 128
"""At least, with the repeats."""


class CachedEncoder:
    """A sentence encoder whose embeddings are kept in a folder between runs."""

    def __init__(self, source: EncoderSource, cache_dir: Path) -> None:
        self._source = source
        self._cache_dir = cache_dir
        self._cache = EmbeddingCache(cache_dir / "embeddings.db")

    def embed(self, texts: Sequence[str], prompt: str = "") -> NDArray[np.float32]:
        """Embeddings of length 1, shape (texts, dimensions), of at least one text; `prompt` is put before each.

        The encoder's weights are loaded only when a text is new. Logs how many texts were cut at the encoder's window.
        """
        keys = [self._key(prompt, text) for text in texts]
        found = self._cache.read(keys)
        if not found.keys() >= set(keys):
            found = self._complete(dict(zip(keys, texts, strict=True)), prompt)
        cut = sum(found[key].truncated for key in keys)
        if cut:
            _LOG.info("%d of %d texts are longer than the window of encoder %s", cut, len(texts), self._source.name)
        return np.stack([found[key].vector for key in keys])

    def _complete(self, texts: dict[bytes, str], prompt: str) -> dict[bytes, Embedding]:
        """Encode what the cache lacks, one process at a time, so that the next ones find it made."""
        from filelock import FileLock
        from rich.console import Console
        from rich.progress import track

        with FileLock(self._cache_dir / "embeddings.lock"):
            found = self._cache.read(list(texts))
            new = [key for key in texts if key not in found]
            lengths = _token_counts(self._model, [prompt + texts[key] for key in new])
            console = Console(stderr=True)
            batches = track(
                _batches(lengths),
                description=f"Embedding with {self._source.name}",
                console=console,
                transient=True,
                disable=not console.is_terminal,
            )
            for length, batch in batches:
                keys = [new[at] for at in batch]
                truncated = length > self._window
                vectors = _encode(self._model, [texts[key] for key in keys], prompt, min(length, self._window))
                made = {key: Embedding(vector, truncated) for key, vector in zip(keys, vectors, strict=True)}
                self._cache.write(made)
                found |= made
        return found

    def _key(self, prompt: str, text: str) -> bytes:
        parts = [_KEY_VERSION, self._identity, prompt, text]
        return hashlib.sha256(json.dumps(parts).encode()).digest()

    @cached_property
    def _folder(self) -> Path:
        return self._source.folder()

    @cached_property
    def _identity(self) -> str:
        return model_identity(self._folder, self._cache_dir / "files.json")

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            return SentenceTransformer(str(self._folder), local_files_only=True)
        except Exception as error:  # transformers, safetensors and torch raise a dozen unrelated types
            raise AbstainError(
                f"retriever.encoders.{self._source.name} cannot be loaded from {self._folder}: "
                f"{' '.join(str(error).split())[:300]}; give a folder with a whole sentence-transformers model"
            ) from error

    @property
    def _window(self) -> float:
        return self._model.max_seq_length or float("inf")


def _token_counts(model: Any, texts: list[str]) -> list[int]:
    """Tokens of each text before any cut."""
    if not texts:
        return []
    return [len(ids) for ids in model.tokenizer(texts, truncation=False, verbose=False)["input_ids"]]


def _batches(lengths: list[int]) -> list[tuple[int, list[int]]]:
    """Positions of texts in batches of one length each, as (length, positions)."""
    by_length = sorted(range(len(lengths)), key=lengths.__getitem__)
    groups = [(length, list(group)) for length, group in groupby(by_length, key=lengths.__getitem__)]
    return [
        (length, group[start : start + _BATCH_TEXTS])
        for length, group in groups
        for start in range(0, len(group), _BATCH_TEXTS)
    ]


def _encode(model: Any, texts: list[str], prompt: str, length: float) -> NDArray[np.float32]:
    """Embeddings of texts that all have `length` tokens, shape (texts, dimensions)."""
    rows = max(len(texts), int(-(-_BATCH_TOKENS // length)))
    filled = list(islice(cycle(texts), rows))
    vectors: NDArray[np.float32] = model.encode(
        filled, prompt=prompt, batch_size=rows, normalize_embeddings=True, show_progress_bar=False
    )
    return vectors[: len(texts)]
