"""GLiNER, the recogniser of the paper: eight prompting labels mapped to the internal types (GRAB-RAG, Table 4)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from abstain.errors import AbstainError
from abstain.hashing import file_sha256
from abstain.ner.base import Entity
from abstain.ner.windows import Window, merge, split

LABELS = {
    "person": "PERSON",
    "organization": "ORG",
    "country": "GPE",
    "city": "GPE",
    "nationality or group": "NORP",
    "location": "LOC",
    "event": "EVENT",
    "work of art": "WORK_OF_ART",
}
"""Prompting label -> internal type; all texts of a call share this one list."""

_COMMIT = re.compile(r"[0-9a-f]{40}")
_NO_LIMIT = 1_000_000
"""Tokenizers without a length limit say so with a huge number."""


@dataclass(frozen=True)
class GlinerNer:
    """A GLiNER model, by its hub name or its folder."""

    model: str
    revision: str = "main"
    threshold: float = 0.5
    overlap: int = 64
    """Words that neighbouring windows share."""
    batch_size: int = 1
    """Windows per forward pass; above 1 padding may move a score in its last digits."""
    device: str = "cpu"
    hash_memory: str | None = None
    """File that remembers the content hashes of local models."""

    def __post_init__(self) -> None:
        if not 0.0 < self.threshold < 1.0:
            raise AbstainError(f"ner.threshold={self.threshold}: give a number between 0 and 1")
        if self.overlap < 0 or self.batch_size < 1:
            raise AbstainError(
                f"ner.overlap={self.overlap}, ner.batch_size={self.batch_size}: give at least 0 words and 1 window"
            )

    @cached_property
    def identity(self) -> str:
        """GLiNER's version, the model by content (files' SHA-256, or hub name at commit), labels and settings."""
        settings = f"labels={','.join(LABELS)} threshold={self.threshold} overlap={self.overlap}"
        return f"gliner=={version('gliner')} {self._source} {settings} batch={self.batch_size} device={self.device}"

    def entities(self, texts: Sequence[str]) -> list[tuple[Entity, ...]]:
        """The entities of each text, however long it is."""
        words = [[(start, end) for _, start, end in self._splitter(text)] for text in texts]
        pieces = [(index, window) for index, spans in enumerate(words) for window in self._windows(texts[index], spans)]
        starts = [words[index][window.first][0] for index, window in pieces]
        slices = [
            texts[index][start : words[index][window.last - 1][1]]
            for (index, window), start in zip(pieces, starts, strict=True)
        ]
        found: list[list[Entity]] = [[] for _ in texts]
        for (index, window), start, spans in zip(pieces, starts, self._predict(slices), strict=True):
            owned = words[index][window.own_from : window.own_to]
            for span in spans:
                entity = Entity(start + span["start"], start + span["end"], span["text"], LABELS[span["label"]])
                if owned and owned[0][0] <= entity.start < owned[-1][1]:
                    found[index].append(entity)
        return [merge(entities) for entities in found]

    def _predict(self, slices: list[str]) -> list[list[dict[str, Any]]]:
        if not slices:
            return []
        spans: list[list[dict[str, Any]]] = self._model.inference(
            slices, list(LABELS), threshold=self.threshold, flat_ner=True, batch_size=self.batch_size
        )
        return spans

    def _windows(self, text: str, words: Sequence[tuple[int, int]]) -> list[Window]:
        limit = self._token_limit
        costs = [1] * len(words) if limit is None else self._tokens([text[start:end] for start, end in words])
        return split(costs, self._model.config.max_len, limit, self.overlap)

    @cached_property
    def _token_limit(self) -> int | None:
        """Subword tokens that are left for the text beside the prompt of labels; None if there is no limit."""
        tokenizer = self._model.data_processor.transformer_tokenizer
        if tokenizer.model_max_length >= _NO_LIMIT:
            return None
        prompt = sum(cost + 1 for cost in self._tokens(list(LABELS))) + 1
        return max(1, int(tokenizer.model_max_length) - prompt - int(tokenizer.num_special_tokens_to_add()))

    def _tokens(self, words: list[str]) -> list[int]:
        """Subword tokens of each word."""
        if not words:
            return []
        tokenizer = self._model.data_processor.transformer_tokenizer
        encoded = tokenizer(words, is_split_into_words=True, add_special_tokens=False, truncation=False)
        costs = [0] * len(words)
        for word in encoded.word_ids():
            costs[word] += 1
        return costs

    @property
    def _splitter(self) -> Any:
        return self._model.data_processor.words_splitter

    @cached_property
    def _source(self) -> str:
        folder = Path(self.model)
        if not folder.is_dir():
            return f"{self.model}@{self._commit}"
        memory = Path(self.hash_memory) if self.hash_memory else None
        digest = hashlib.sha256()
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            digest.update(f"{file.relative_to(folder).as_posix()}\0{file_sha256(file, memory)}\0".encode())
        return digest.hexdigest()

    @cached_property
    def _commit(self) -> str:
        """The commit behind the revision; asks the local hub cache first, then the hub."""
        return self.revision if _COMMIT.fullmatch(self.revision) else self._snapshot.name

    @cached_property
    def _snapshot(self) -> Path:
        """The local folder of the hub model, downloaded if it is not there yet."""
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

        try:
            try:
                return Path(snapshot_download(self.model, revision=self.revision, local_files_only=True))
            except LocalEntryNotFoundError:
                return Path(snapshot_download(self.model, revision=self.revision))
        except (HFValidationError, HfHubHTTPError, LocalEntryNotFoundError, OSError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise AbstainError(
                f"ner.model={self.model}: neither a folder nor a model that can be had from the hub ({reason}); "
                "give a GLiNER folder, or use ner=spacy"
            ) from error

    @cached_property
    def _model(self) -> Any:
        from gliner import GLiNER

        folder = Path(self.model) if Path(self.model).is_dir() else self._snapshot
        try:
            return GLiNER.from_pretrained(str(folder), map_location=self.device)
        except FileNotFoundError as error:
            raise AbstainError(f"ner.model={self.model}: not a GLiNER model ({error})") from error
