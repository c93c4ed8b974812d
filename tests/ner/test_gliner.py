"""GLiNER's path on a tiny model with random weights, built here: loading, windows, batches and labels are real."""

import random
import re
import warnings
from itertools import pairwise

import pytest

from abstain.errors import AbstainError
from abstain.ner.gliner import LABELS, GlinerNer

WORDS = ["alice", "went", "to", "paris", "with", "bob", "in", "june", "and", "saw", "the", "river", ",", "."]
THRESHOLD = 0.5


def _long_text(words: int, seed: int = 0) -> str:
    rng = random.Random(seed)
    return " ".join(rng.choice(WORDS) for _ in range(words))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A GLiNER folder: a two-layer BERT of width 16 over a word-level vocabulary, windows of 24 words."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("gliner")
    from gliner import GLiNERConfig
    from gliner.model import UniEncoderSpanGLiNER
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "<<ENT>>", "<<SEP>>"]
    labels = sorted({word for label in LABELS for word in label.split()})
    vocabulary = {word: index for index, word in enumerate([*special[:4], *WORDS, *labels])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_max_length=64,
    )
    fast.add_tokens(special[4:], special_tokens=True)
    path = tmp_path_factory.mktemp("tiny-gliner")
    torch.manual_seed(0)
    config = GLiNERConfig(
        model_name=str(path),
        encoder_config={
            "model_type": "bert",
            "hidden_size": 16,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "intermediate_size": 32,
            "max_position_embeddings": 64,
            "vocab_size": len(fast),
        },
        vocab_size=len(fast),
        class_token_index=len(fast) - 2,
        hidden_size=16,
        max_width=4,
        max_len=24,
        dropout=0.0,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = UniEncoderSpanGLiNER(config, tokenizer=fast, backbone_from_pretrained=False)
        model.save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def ner(folder):
    return GlinerNer(str(folder), threshold=THRESHOLD, overlap=8)


def test_a_folder_is_loaded_and_its_spans_index_the_text(ner):
    text = "alice went to paris with bob ."
    (found,) = ner.entities([text])
    assert found
    assert all(entity.text == text[entity.start : entity.end] for entity in found)
    assert {entity.type for entity in found} <= set(LABELS.values())


def test_a_short_text_is_found_as_the_model_alone_finds_it(ner):
    text = _long_text(20)
    (found,) = ner.entities([text])
    plain = ner._model.inference([text], list(LABELS), threshold=THRESHOLD)[0]
    assert [(e.start, e.end, e.type) for e in found] == [(s["start"], s["end"], LABELS[s["label"]]) for s in plain]


def test_words_beyond_the_limit_of_the_model_are_read(ner):
    text = _long_text(600)
    starts = [match.start() for match in re.finditer(r"\S+", text)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # GLiNER warns when it cuts a text
        (found,) = ner.entities([text])
    assert any(entity.start >= starts[500] for entity in found)
    per_hundred = [sum(starts[i] <= entity.start < starts[i + 99] for entity in found) for i in range(0, 600, 100)]
    assert all(per_hundred)
    assert all(one.end <= two.start for one, two in pairwise(found))


def test_windows_leave_room_for_the_prompt_of_labels(ner):
    # 64 positions less the 12 words of the labels, one marker for each label and the separator; this tokenizer adds
    # nothing of its own
    label_words = sum(len(label.split()) for label in LABELS)
    assert ner._token_limit == 64 - label_words - len(LABELS) - 1 == 43


def test_a_batch_finds_what_single_texts_find(ner):
    texts = [_long_text(n, seed=n) for n in (3, 30, 90)] + [""]
    assert ner.entities(texts) == [ner.entities([text])[0] for text in texts]
    assert ner.entities([]) == []


def test_identity_follows_the_content_and_the_settings(folder, tmp_path):
    assert GlinerNer(str(folder)).identity == GlinerNer(str(folder)).identity
    assert GlinerNer(str(folder)).identity != GlinerNer(str(folder), threshold=0.4).identity
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in folder.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    memory = str(tmp_path / "hashes.json")
    assert GlinerNer(str(copy), hash_memory=memory).identity == GlinerNer(str(folder)).identity
    (copy / "gliner_config.json").write_text("{}")
    assert GlinerNer(str(copy), hash_memory=memory).identity != GlinerNer(str(folder)).identity


def test_a_pinned_hub_model_has_an_identity_without_a_look_up():
    commit = "0123456789abcdef0123456789abcdef01234567"
    assert f"some/model@{commit}" in GlinerNer("some/model", revision=commit).identity


def test_the_labels_are_those_of_table_4():
    assert LABELS == {
        "person": "PERSON",
        "organization": "ORG",
        "country": "GPE",
        "city": "GPE",
        "nationality or group": "NORP",
        "location": "LOC",
        "event": "EVENT",
        "work of art": "WORK_OF_ART",
    }


@pytest.mark.parametrize(("key", "value"), [("threshold", 1.5), ("overlap", -1), ("batch_size", 0)])
def test_a_bad_setting_is_named(key, value):
    with pytest.raises(AbstainError, match=f"ner.{key}={value}"):
        GlinerNer("model", **{key: value})


def test_a_folder_that_is_no_gliner_is_named(tmp_path):
    with pytest.raises(AbstainError, match="not a GLiNER model"):
        GlinerNer(str(tmp_path)).entities(["Alice"])
