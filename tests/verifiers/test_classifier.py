"""The classifier behind nli=deberta_v3_large, on a DeBERTa-v2 of the real architecture with random weights."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abstain.errors import AbstainError
from abstain.verifiers.base import LABELS, Pair
from abstain.verifiers.classifier import Classifier, Reading, combine, own_labels

READING = Reading(max_length=64, stride=16, device="cpu")
# One token a letter: 3 to 68 letters of premise, so that some pairs need one window and others two.
PAIRS = [(f"{'news' * (k % 17)}on{k}", f"claim {'x' * (k % 7)}") for k in range(24)]


@pytest.fixture(scope="module")
def classifier(classifier_folder: Path) -> Classifier:
    return Classifier.load(str(classifier_folder), None, READING, "nli.path=tiny")


def labelled(classifier: Classifier, pairs: list[Pair], batch_size: int) -> dict[Pair, str]:
    return {pair: label for batch in classifier.label(pairs, batch_size) for pair, label in batch.items()}


def test_labels_do_not_depend_on_the_batch_or_the_order(classifier: Classifier) -> None:
    alone = {pair: labelled(classifier, [pair], 1)[pair] for pair in PAIRS}
    assert len(set(alone.values())) > 1
    assert labelled(classifier, PAIRS, 8) == alone
    assert labelled(classifier, PAIRS[::-1], 5) == alone


def test_a_tie_within_a_batch_is_settled_by_the_pair_alone(
    classifier: Classifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every margin called a tie, all labels come from single rows, and they are the same."""
    expected = labelled(classifier, PAIRS[:8], 8)
    monkeypatch.setattr("abstain.verifiers.classifier._TIE", 2.0)
    assert labelled(classifier, PAIRS[:8], 8) == expected


def test_permuted_labels_of_a_model_permute_the_answers(
    classifier: Classifier, classifier_folder: Path, tmp_path: Path
) -> None:
    """The same weights under another id2label, in capitals: each label is replaced by the one in its place."""
    names = ("CONTRADICTION", "Entailment", "NEUTRAL")
    folder = shutil.copytree(classifier_folder, tmp_path / "permuted")
    config = json.loads((folder / "config.json").read_text())
    config |= {"id2label": dict(enumerate(names)), "label2id": {name: place for place, name in enumerate(names)}}
    (folder / "config.json").write_text(json.dumps(config))
    permuted = Classifier.load(str(folder), None, READING, "nli.path=permuted")
    assert permuted.labels == ("contradiction", "entailment", "neutral")
    short = [pair for pair in PAIRS if len(pair[0]) < 30]
    renamed = dict(zip(classifier.labels, permuted.labels, strict=True))
    expected = {pair: renamed[label] for pair, label in labelled(classifier, short, 8).items()}
    assert labelled(permuted, short, 8) == expected


@pytest.mark.parametrize(
    "labels",
    [("LABEL_0", "LABEL_1", "LABEL_2"), ("entailment", "not_entailment"), ("entailment", "neutral", "neutral")],
)
def test_a_model_without_the_three_labels_is_refused_in_one_line(labels: tuple[str, ...]) -> None:
    with pytest.raises(AbstainError, match=r"nli.path=m has the labels .* is needed") as refused:
        own_labels(dict(enumerate(labels)), "nli.path=m")
    assert "\n" not in str(refused.value)


def test_a_model_without_a_trained_head_is_refused(classifier_folder: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = shutil.copytree(classifier_folder, tmp_path / "headless")
    weights = load_file(folder / "model.safetensors")
    save_file(
        {k: v for k, v in weights.items() if k != "classifier.weight"}, folder / "model.safetensors", {"format": "pt"}
    )
    with pytest.raises(AbstainError, match=r"nli.path=m has no trained weights for classifier.weight"):
        Classifier.load(str(folder), None, READING, "nli.path=m")


def test_windows_longer_than_the_model_reads_are_refused(classifier_folder: Path) -> None:
    with pytest.raises(AbstainError, match=r"nli.max_length=65 is more than the model reads; give 64 or less"):
        Classifier.load(str(classifier_folder), None, Reading(65, 16, "cpu"), "nli.path=m")


def test_damaged_weights_are_refused_in_one_line(classifier_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(classifier_folder, tmp_path / "damaged")
    (folder / "model.safetensors").write_bytes(b"not a tensor file")
    with pytest.raises(AbstainError, match=r"nli.path=m cannot be loaded") as refused:
        Classifier.load(str(folder), None, READING, "nli.path=m")
    assert "\n" not in str(refused.value)


def test_windows_cover_a_long_premise_to_its_end(classifier: Classifier) -> None:
    """Every token of the premise is read, neighbours share `stride` tokens, and each window has the whole claim."""
    premise = "".join(chr(ord("a") + k % 26) for k in range(150)) + "END"
    [windows] = classifier._windows([(premise, "claim")])
    assert len(windows) > 2
    texts = [classifier.tokenizer.decode(window["input_ids"]) for window in windows]
    parts = [text.removeprefix("[CLS]").split("[SEP]")[0].strip() for text in texts]
    assert all(text.endswith("[SEP] claim[SEP]") for text in texts)
    assert all(len(window["input_ids"]) <= READING.max_length for window in windows)
    joined = parts[0]
    for part in parts[1:]:
        assert joined[-READING.stride :] == part[: READING.stride]
        joined += part[READING.stride :]
    assert joined == premise


def test_the_end_of_a_long_premise_can_decide(classifier: Classifier) -> None:
    """Changing only the last letters of a premise of four windows changes its last window, and no other."""
    [first] = classifier._windows([("a" * 150, "claim")])
    [second] = classifier._windows([("a" * 147 + "zzz", "claim")])
    assert first[:-1] == second[:-1]
    assert first[-1] != second[-1]
    assert not np.allclose(classifier.probabilities(first[-1:]), classifier.probabilities(second[-1:]))


def test_a_claim_that_leaves_no_room_for_the_premise_is_neutral_and_said(
    classifier: Classifier, caplog: pytest.LogCaptureFixture
) -> None:
    """Of 64 tokens, 3 special and a claim of 50 leave 11, fewer than 16, for a premise that does not fit whole."""
    pair, fits = ("news" * 10, "c" * 49), ("new", "c" * 49)
    assert labelled(classifier, [pair, fits], 4)[pair] == "neutral"
    assert "1 hypotheses are too long to be judged" in caplog.text
    assert len(classifier._windows([fits])[0]) == 1


def row(label: str, probability: float) -> list[float]:
    rest = (1 - probability) / 2
    return [probability if name == label else rest for name in LABELS]


@pytest.mark.parametrize(
    ("windows", "expected"),
    [
        ([("neutral", 0.9)], "neutral"),
        ([("neutral", 0.99), ("contradiction", 0.4)], "contradiction"),
        ([("entailment", 0.9), ("contradiction", 0.8)], "entailment"),
        ([("entailment", 0.7), ("neutral", 0.99), ("contradiction", 0.8)], "contradiction"),
        ([("neutral", 0.5), ("neutral", 0.6)], "neutral"),
    ],
)
def test_the_surest_window_that_is_not_neutral_decides(windows: list[tuple[str, float]], expected: str) -> None:
    assert combine(np.array([row(*window) for window in windows], np.float32), LABELS) == expected


@given(st.lists(st.lists(st.floats(0.01, 1), min_size=3, max_size=3), min_size=1, max_size=6), st.permutations(LABELS))
def test_one_window_is_the_argmax_and_neutral_windows_change_nothing(
    rows: list[list[float]], labels: list[str]
) -> None:
    probabilities = np.array(rows, np.float32)
    assert combine(probabilities[:1], labels) == labels[int(probabilities[0].argmax())]
    silent = np.array([[1.0 if label == "neutral" else 0.0 for label in labels]], np.float32)
    assert combine(np.concatenate([silent, probabilities, silent]), labels) == combine(probabilities, labels)
