"""nli=deberta_v3_large as a whole: keys, the store, and what is not loaded."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from abstain.errors import AbstainError
from abstain.models.base import Model
from abstain.models.scripted import Scripted
from abstain.store import Store
from abstain.verifiers.transformers_nli import TransformersNli

PAIRS = [("a passage", "first claim"), ("b passage", "first claim"), ("b passage", "other claim")]


class Count:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> None:
        self.calls += 1


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path}/store.db")


@pytest.fixture
def model(tmp_path: Path) -> Model:
    """A generator whose script does not even exist: this verifier never asks it."""
    return Scripted(path=str(tmp_path / "none.jsonl"))


def nli(folder: Path, **keys: Any) -> TransformersNli:
    return TransformersNli(path=str(folder), **{"max_length": 64, "stride": 16, **keys})


def test_each_distinct_pair_is_judged_once_and_then_found(classifier_folder: Path, store: Store, model: Model) -> None:
    verifier, advance = nli(classifier_folder), Count()
    assert verifier.pending([*PAIRS, PAIRS[0]], model, store) == 3
    first = verifier.judge([*PAIRS, PAIRS[0]], model, store, advance)
    assert (first.made, set(first.labels), advance.calls) == (3, set(PAIRS), 3)
    assert verifier.pending(PAIRS, model, store) == 0
    again = nli(classifier_folder).judge(PAIRS, model, store, advance)
    assert (again.made, again.labels, advance.calls) == (0, first.labels, 3)


def test_stored_verdicts_need_no_model_folder(
    classifier_folder: Path, store: Store, model: Model, tmp_path: Path
) -> None:
    folder = shutil.copytree(classifier_folder, tmp_path / "nli")
    verifier = nli(folder)
    first = verifier.judge(PAIRS, model, store, Count())
    shutil.rmtree(folder)
    assert verifier.judge(PAIRS, model, store, Count()).labels == first.labels
    with pytest.raises(AbstainError, match="cannot be loaded"):
        verifier.judge([("c passage", "first claim")], model, store, Count())


def test_what_was_judged_before_a_stop_is_kept(classifier_folder: Path, store: Store, model: Model) -> None:
    def stop_after_two() -> None:
        count()
        if count.calls == 2:
            raise KeyboardInterrupt

    count = Count()
    verifier = nli(classifier_folder, batch_size=1)
    with pytest.raises(KeyboardInterrupt):
        verifier.judge(PAIRS, model, store, stop_after_two)
    assert verifier.pending(PAIRS, model, store) == 1
    assert verifier.judge(PAIRS, model, store, Count()).made == 1


@pytest.mark.parametrize("change", [{"max_length": 32}, {"stride": 8}])
def test_how_pairs_are_read_is_part_of_the_key(
    change: dict[str, int], classifier_folder: Path, store: Store, model: Model
) -> None:
    nli(classifier_folder).judge(PAIRS, model, store, Count())
    assert nli(classifier_folder, batch_size=1).pending(PAIRS, model, store) == 0
    assert nli(classifier_folder, **change).pending(PAIRS, model, store) == len(PAIRS)


def test_other_weights_are_another_verifier(
    classifier_folder: Path, store: Store, model: Model, tmp_path: Path
) -> None:
    nli(classifier_folder).judge(PAIRS, model, store, Count())
    copy = shutil.copytree(classifier_folder, tmp_path / "copy")
    assert nli(copy).pending(PAIRS, model, store) == 0
    weights = copy / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-4] + b"\0\0\0\x3f")
    assert nli(copy).pending(PAIRS, model, store) == len(PAIRS)


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ({}, "give nli.model, a hub repository, or nli.path, a model folder"),
        ({"path": "m", "batch_size": 0}, "nli.batch_size=0: give 1 or more"),
        ({"path": "m", "stride": 512}, "nli.stride=512 must be from 0 to less than nli.max_length=512"),
    ],
)
def test_bad_keys_are_named(keys: dict[str, Any], line: str) -> None:
    with pytest.raises(AbstainError) as refused:
        TransformersNli(**keys)
    assert str(refused.value) == line


def test_a_folder_that_is_no_model_is_named(tmp_path: Path, store: Store, model: Model) -> None:
    with pytest.raises(AbstainError, match=r"nli.path=.* is not a model folder \(it has no config.json\)"):
        nli(tmp_path).pending(PAIRS, model, store)


def run(script: str, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


STORED = """
import sys
from abstain.models.scripted import Scripted
from abstain.store import Store
from abstain.verifiers.transformers_nli import TransformersNli
verifier = TransformersNli(path=sys.argv[1], max_length=64, stride=16)
pairs = [("a passage", "first claim"), ("b passage", "first claim"), ("b passage", "other claim")]
print(verifier.judge(pairs, Scripted("none"), Store(sys.argv[2]), lambda: None).made)
print(sorted({"torch", "transformers", "huggingface_hub"} & sys.modules.keys()))
"""


def test_stored_verdicts_load_no_library(classifier_folder: Path, store: Store, model: Model) -> None:
    nli(classifier_folder).judge(PAIRS, model, store, Count())
    assert run(STORED, str(classifier_folder), store.url).splitlines() == ["0", "[]"]


HUB = """
import sys
from abstain.errors import AbstainError
from abstain.models.scripted import Scripted
from abstain.store import Store
from abstain.verifiers.transformers_nli import TransformersNli
pairs = [("a passage", "first claim")]
for name, revision in (("some/nli", "main"), ("some/nli", sys.argv[2]), ("other/nli", "main")):
    try:
        verifier = TransformersNli(model=name, revision=revision, max_length=64, stride=16)
        print(verifier.judge(pairs, Scripted("none"), Store(sys.argv[1]), lambda: None).made)
    except AbstainError as error:
        print(error)
"""


def test_a_hub_model_goes_by_its_commit(classifier_folder: Path, store: Store, tmp_path: Path) -> None:
    """From the hub's own cache, without a network: `main` and the commit it names share their verdicts."""
    commit = "0123456789abcdef0123456789abcdef01234567"
    cached = tmp_path / "hub" / "models--some--nli"
    shutil.copytree(classifier_folder, cached / "snapshots" / commit)
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text(commit)
    said = run(HUB, store.url, commit, HF_HUB_CACHE=str(tmp_path / "hub"), HF_HUB_OFFLINE="1").splitlines()
    assert said[:2] == ["1", "0"]
    assert said[2].startswith("nli.model=other/nli@main is neither in the hub cache nor can it be downloaded")
    assert len(said) == 3


def test_a_probe_names_the_folder_by_its_content_and_misses_one_that_is_not_there(
    classifier_folder: Path, tmp_path: Path
) -> None:
    assert nli(classifier_folder).probe() == nli(classifier_folder).probe() != ""
    with pytest.raises(AbstainError):
        nli(tmp_path / "gone").probe()
