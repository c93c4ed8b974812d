"""NLI by a sequence classifier of transformers (GRAB-RAG 3.4), whose verdicts are kept by content."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from abstain.errors import AbstainError
from abstain.hashing import files_sha256
from abstain.models.base import Model
from abstain.rows import Verdict
from abstain.store import Store
from abstain.verifiers.base import Judged, Pair, distinct
from abstain.verifiers.classifier import Classifier, Reading

VERSION = "abstain-nli-1"
"""Changed when the meaning of a verdict changes, so that old verdicts are never mistaken for new ones."""

_MODEL_FILES = (".json", ".txt", ".model", ".safetensors", ".bin")
_COMMIT = re.compile(r"[0-9a-f]{40}")


class TransformersNli:
    """A three-label classifier from the hub (`model` at `revision`) or, when `path` is set, from a local folder.

    `batch_size` is in pairs. A pair of more than `max_length` tokens is read in windows that overlap by `stride`
    tokens. `device` is a torch device. `hash_memory` is the file that remembers content hashes of local models.
    """

    def __init__(
        self,
        model: str | None = None,
        revision: str = "main",
        path: str | None = None,
        batch_size: int = 16,
        max_length: int = 512,
        stride: int = 128,
        device: str = "cpu",
        hash_memory: str | None = None,
    ) -> None:
        if not (model or path):
            raise AbstainError("give nli.model, a hub repository, or nli.path, a model folder")
        if batch_size < 1:
            raise AbstainError(f"nli.batch_size={batch_size}: give 1 or more")
        if not 0 <= stride < max_length:
            raise AbstainError(f"nli.stride={stride} must be from 0 to less than nli.max_length={max_length}")
        self._model = model
        self._revision = revision
        self._path = Path(path) if path else None
        self._batch_size = batch_size
        self._reading = Reading(max_length, stride, device)
        self._hash_memory = Path(hash_memory) if hash_memory else None

    def judge(self, pairs: Sequence[Pair], model: Model, store: Store, advance: Callable[[], None]) -> Judged:
        """Label the pairs, keeping the verdicts batch by batch; the generator `model` plays no part.

        The classifier is loaded only when a verdict is missing, and is let go at the end. Raises AbstainError when
        it cannot be loaded or does not know the three labels.
        """
        unique = distinct(pairs)
        keys = {pair: self._key(pair) for pair in unique}
        stored = store.find_verdicts(keys.values())
        labels = {pair: stored[key].label for pair, key in keys.items() if key in stored}
        missing = [pair for pair in unique if pair not in labels]
        if missing:
            for batch in self._load().label(missing, self._batch_size):
                store.keep_verdicts([Verdict(keys[pair], label) for pair, label in batch.items()])
                labels |= batch
                for _ in batch:
                    advance()
        return Judged(labels, len(missing))

    def probe(self) -> str:
        """The model by content; a hub model's weights may still have to be downloaded."""
        return self._identity

    def pending(self, pairs: Sequence[Pair], model: Model, store: Store) -> int:
        """How many of the distinct pairs have no stored verdict."""
        keys = {self._key(pair) for pair in pairs}
        return len(keys - store.find_verdicts(keys).keys())

    def _key(self, pair: Pair) -> str:
        """SHA-256 over all that can change the verdict, except the batch it is judged in, which cannot."""
        document = {
            "version": VERSION,
            "identity": self._identity,
            "max_length": self._reading.max_length,
            "stride": self._reading.stride,
            "device": self._reading.device,
            "premise": pair[0],
            "hypothesis": pair[1],
        }
        text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def _identity(self) -> str:
        """The model by content: the files of a local folder, or repository@commit of the hub."""
        if self._path:
            return f"sha256:{_folder_sha256(self._path, self._hash_memory)}"
        return f"{self._model}@{_commit(str(self._model), self._revision)}"

    def _load(self) -> Classifier:
        if self._path:
            return Classifier.load(str(self._path), None, self._reading, f"nli.path={self._path}")
        repository, _, commit = self._identity.rpartition("@")
        return Classifier.load(repository, commit, self._reading, f"nli.model={self._model}")


def _folder_sha256(folder: Path, memory: Path | None) -> str:
    """SHA-256 over the names and contents of a model's files."""
    if not (folder / "config.json").is_file():
        raise AbstainError(
            f"nli.path={folder} is not a model folder (it has no config.json); give the folder that holds the weights"
        )
    return files_sha256(folder, (file for file in folder.iterdir() if file.suffix in _MODEL_FILES), memory)


def _commit(repository: str, revision: str) -> str:
    """The commit behind a revision, from the hub or, without a network, from its cache."""
    if _COMMIT.fullmatch(revision):
        return revision
    from huggingface_hub import hf_hub_download

    try:
        return Path(hf_hub_download(repository, "config.json", revision=revision)).parent.name
    except Exception as error:  # the hub raises a dozen unrelated types, from the network and from HTTP
        raise AbstainError(
            f"nli.model={repository}@{revision} is neither in the hub cache nor can it be downloaded "
            f"({type(error).__name__}); set nli.path to a model folder, or choose nli=llm"
        ) from error
