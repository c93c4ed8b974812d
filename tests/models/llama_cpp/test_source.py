from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from abstain.errors import AbstainError
from abstain.models.llama_cpp.source import Source


def test_a_file_is_found_by_path(tmp_path: Path) -> None:
    file = tmp_path / "m.gguf"
    file.write_bytes(b"GGUF\x03\x00\x00\x00")
    assert Source(path=str(file)).locate() == file


def test_a_file_is_found_inside_an_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "some_model").mkdir()
    (tmp_path / "some_model" / "__init__.py").write_text("raise RuntimeError('looked for, never imported')")
    (tmp_path / "some_model" / "m.gguf").write_bytes(b"GGUF")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert Source(package="some_model", package_file="m.gguf").locate() == tmp_path / "some_model" / "m.gguf"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, r"exactly one of model\.path, model\.hub_repo and model\.package"),
        ({"path": "a.gguf", "package": "b", "package_file": "c"}, "exactly one of"),
        ({"hub_repo": "a/b"}, r"model\.hub_repo=a/b also needs model\.hub_file"),
        ({"package": "b"}, r"model\.package=b also needs model\.package_file"),
    ],
)
def test_a_source_that_cannot_be_one_file_is_refused_at_once(given: dict[str, Any], message: str) -> None:
    with pytest.raises(AbstainError, match=message):
        Source(**given)


def test_what_is_absent_or_not_gguf_is_named(tmp_path: Path) -> None:
    text = tmp_path / "readme.gguf"
    text.write_text("version https://git-lfs.github.com/spec/v1")
    with pytest.raises(AbstainError, match=r"readme\.gguf is not a GGUF file"):
        Source(path=str(text)).locate()
    with pytest.raises(AbstainError, match=r"model\.path=.*absent\.gguf cannot be read \(No such file"):
        Source(path=str(tmp_path / "absent.gguf")).locate()
    with pytest.raises(AbstainError, match=r"model\.package=no_such_model is not installed"):
        Source(package="no_such_model", package_file="m.gguf").locate()


def test_a_hub_that_cannot_be_reached_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(AbstainError) as error:
        Source(hub_repo="someone/some-model", hub_file="m.gguf").locate()
    assert "model.hub_repo=someone/some-model" in str(error.value)
    assert "\n" not in str(error.value)
