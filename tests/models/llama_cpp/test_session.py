"""What the values in the cache depend on, with weights in 4-bit K blocks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from abstain.models.llama_cpp.session import Load, Session
from abstain.models.llama_cpp.template import Rendered
from abstain.models.llama_cpp.vocab import Vocab

TEXT = "the answer is 1889, as the passage says. " * 4


@pytest.fixture
def vocab(tiny_model: Path) -> Iterator[Vocab]:
    made = Vocab(tiny_model)
    yield made
    made.close()


@pytest.fixture
def session(tiny_model: Path) -> Iterator[Session]:
    load = Load(tiny_model, n_ctx=512, n_batch=64, n_gpu_layers=0, n_threads=1, flash_attn=False, parallel=1)
    made = Session(load)
    yield made
    made.close()


def test_where_a_prompt_is_cut_changes_no_bit_of_its_logits(vocab: Vocab, session: Session) -> None:
    prefix, suffix = vocab.split(Rendered(TEXT, 0, ()))
    whole = session.evaluate([*prefix, *suffix], 0).copy()
    lengths = set()
    for cut in range(len(TEXT)):
        prefix, suffix = vocab.split(Rendered(TEXT, cut, ()))
        session.clear()
        if prefix:
            session.evaluate(prefix, 0)
        assert np.array_equal(session.evaluate(suffix, len(prefix)), whole)
        lengths.add(len(prefix))
    assert len(lengths) > 10  # a byte a token but for some words, and a cut every eighth token
