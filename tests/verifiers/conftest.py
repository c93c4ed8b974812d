"""A tiny DeBERTa-v2 classifier with random weights and a tokenizer of its own, made on the spot."""

from __future__ import annotations

import string
from pathlib import Path

import pytest

LABELS = ("entailment", "neutral", "contradiction")


def save_classifier(folder: Path, labels: tuple[str, ...] = LABELS, max_length: int = 64) -> Path:
    """The same weights whatever the labels are called; one token a letter, so that lengths are easy to tell."""
    import torch
    from transformers import DebertaV2Config, DebertaV2ForSequenceClassification, DebertaV2Tokenizer

    special = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"]
    letters = ["▁", *string.ascii_letters, *string.digits, *string.punctuation]
    tokenizer = DebertaV2Tokenizer(vocab=[(token, 0.0) for token in special] + [(letter, -1.0) for letter in letters])
    config = DebertaV2Config(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=max_length,
        relative_attention=True,
        position_buckets=8,
        norm_rel_ebd="layer_norm",
        share_att_key=True,
        pos_att_type="p2c|c2p",
        position_biased_input=False,
        type_vocab_size=0,
        initializer_range=1.0,
        id2label=dict(enumerate(labels)),
        label2id={label: place for place, label in enumerate(labels)},
    )
    torch.manual_seed(0)
    network = DebertaV2ForSequenceClassification(config).eval()
    # Random logits are far from zero on average; centred, each label is the largest one somewhere.
    sample = torch.randint(5, len(tokenizer), (64, 24))
    with torch.no_grad():
        network.classifier.bias -= network(sample).logits.mean(dim=0)
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def classifier_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_classifier(tmp_path_factory.mktemp("nli"))
