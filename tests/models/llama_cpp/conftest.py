"""A tiny model of random weights, built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models.llama_cpp import tiny


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GGUF file with Q4_K weights and a SentencePiece vocabulary, without a chat template."""
    return tiny.build(tmp_path_factory.mktemp("tiny"))
