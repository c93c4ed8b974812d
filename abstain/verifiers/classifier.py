"""A loaded NLI classifier: pairs in, labels out, batched over pairs of like length.

Two things keep a label a function of its pair alone. A batch changes the last bits of the probabilities, so a pair
whose two best labels are as good as equal is judged again by itself; and a pair that needs several windows never
shares a batch.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from abstain.cpus import available_cpus
from abstain.errors import AbstainError
from abstain.verifiers.base import LABELS, NEUTRAL, Pair

_LOG = logging.getLogger(__name__)
_TIE = 1e-3
"""Two probabilities nearer than this may change places between batches; rounding moves them by far less."""

Window: TypeAlias = dict[str, list[int]]
"""What the tokenizer makes of one stretch of the premise with the whole hypothesis."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How pairs are read; every part can change a verdict."""

    max_length: int
    """Tokens of a window: a stretch of the premise, the whole hypothesis and the special tokens."""
    stride: int
    """Tokens of the premise that a window shares with the one before."""
    device: str


@dataclass(frozen=True, slots=True)
class Classifier:
    """A sequence classifier of transformers with its tokenizer."""

    network: Any
    tokenizer: Any
    labels: tuple[str, ...]
    """The model's own label order."""
    reading: Reading

    @staticmethod
    def load(source: str, revision: str | None, reading: Reading, key: str) -> Classifier:
        """Load a folder or a hub repository; AbstainError names `key` when it is no usable NLI model."""
        import torch
        from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

        torch.set_num_threads(available_cpus())
        try:
            config = AutoConfig.from_pretrained(source, revision=revision)
            labels = own_labels(config.id2label, key)
            _check_length(config, reading.max_length)
            tokenizer = AutoTokenizer.from_pretrained(source, revision=revision)
            if not tokenizer.is_fast:
                raise AbstainError(f"{key} has only a slow tokenizer, which cannot window; add its tokenizer.json")
            network, info = AutoModelForSequenceClassification.from_pretrained(
                source, revision=revision, output_loading_info=True
            )
        except AbstainError:
            raise
        except Exception as error:  # transformers, safetensors and the hub raise a dozen unrelated types
            raise AbstainError(f"{key} cannot be loaded: {' '.join(str(error).split())}") from error
        if info["missing_keys"]:
            raise AbstainError(f"{key} has no trained weights for {', '.join(sorted(info['missing_keys']))}")
        return Classifier(network.float().eval().to(reading.device), tokenizer, labels, reading)

    def label(self, pairs: Sequence[Pair], batch_size: int) -> Iterator[dict[Pair, str]]:
        """The labels of distinct pairs, a batch at a time, short pairs first.

        A pair too long for one window whose hypothesis leaves less than a quarter of it to the premise is neutral,
        and counted in a warning.
        """
        windows = dict(zip(pairs, self._windows(pairs), strict=True))
        if unread := {pair: NEUTRAL for pair in pairs if not windows[pair]}:
            _LOG.warning("NLI: %d hypotheses are too long to be judged; taken as neutral", len(unread))
            yield unread
        short = sorted((pair for pair in pairs if len(windows[pair]) == 1), key=lambda pair: _length(windows[pair]))
        for start in range(0, len(short), batch_size):
            batch = short[start : start + batch_size]
            rows = self.probabilities([windows[pair][0] for pair in batch])
            yield {pair: self._settle(row, windows[pair]) for pair, row in zip(batch, rows, strict=True)}
        for pair in pairs:
            if len(windows[pair]) > 1:
                yield {pair: self._alone(windows[pair])}

    def probabilities(self, windows: Sequence[Window]) -> NDArray[np.float32]:
        """Softmax over the model's own label order, shape (windows, 3)."""
        import torch

        batch = self.tokenizer.pad(
            {name: [window[name] for window in windows] for name in windows[0]}, return_tensors="pt"
        ).to(self.reading.device)
        with torch.inference_mode():
            logits = self.network(**batch).logits
        probabilities: NDArray[np.float32] = torch.softmax(logits, dim=-1).cpu().numpy()
        return probabilities

    def _settle(self, row: NDArray[np.float32], windows: Sequence[Window]) -> str:
        second, first = np.sort(row)[-2:]
        return self._alone(windows) if first - second < _TIE else self.labels[int(row.argmax())]

    def _alone(self, windows: Sequence[Window]) -> str:
        return combine(np.concatenate([self.probabilities([window]) for window in windows]), self.labels)

    def _windows(self, pairs: Sequence[Pair]) -> list[list[Window]]:
        """Each pair as one window if it fits, else as several."""
        encoded = self.tokenizer([premise for premise, _ in pairs], [claim for _, claim in pairs], verbose=False)
        return [
            [window] if len(window["input_ids"]) <= self.reading.max_length else self._split(pair)
            for pair, window in zip(pairs, _rows(encoded), strict=True)
        ]

    def _split(self, pair: Pair) -> list[Window]:
        """Windows that together cover the premise to its end; none if the hypothesis leaves too little room."""
        premise, claim = pair
        own = len(self.tokenizer(claim, add_special_tokens=False, verbose=False)["input_ids"])
        room = self.reading.max_length - own - self.tokenizer.num_special_tokens_to_add(pair=True)
        if room < self.reading.max_length // 4:
            return []
        encoded = self.tokenizer(
            premise,
            claim,
            truncation="only_first",
            max_length=self.reading.max_length,
            stride=min(self.reading.stride, room // 2),
            return_overflowing_tokens=True,
        )
        encoded.pop("overflow_to_sample_mapping")
        return _rows(encoded)


def combine(probabilities: NDArray[np.float32], labels: Sequence[str]) -> str:
    """One label for a premise from the probabilities of its windows, shape (windows, 3), columns as `labels`.

    Each window takes its most probable label, as the paper does for a passage. A neutral window says nothing of
    the rest of the passage, so among the others the most probable one decides; neutral if there is none.
    """
    best = probabilities.argmax(axis=1)
    decided = [(float(row[column]), labels[column]) for row, column in zip(probabilities, best, strict=True)]
    # max keeps the first of equals: the earlier window.
    return max((pair for pair in decided if pair[1] != NEUTRAL), key=lambda pair: pair[0], default=(0.0, NEUTRAL))[1]


def own_labels(id2label: dict[int, str], key: str) -> tuple[str, ...]:
    """A model's labels in its own order; AbstainError naming `key` unless they are the three, in any case."""
    names = tuple(str(id2label[place]).lower() for place in sorted(id2label))
    if sorted(names) != sorted(LABELS):
        raise AbstainError(f"{key} has the labels {', '.join(names)}; a model with {', '.join(LABELS)} is needed")
    return names


def _rows(encoded: Mapping[str, list[list[int]]]) -> list[Window]:
    """The tokenizer's columns as rows."""
    return [dict(zip(encoded.keys(), row, strict=True)) for row in zip(*encoded.values(), strict=True)]


def _check_length(config: Any, max_length: int) -> None:
    limit = getattr(config, "max_position_embeddings", None)
    if limit is not None and max_length > limit:
        raise AbstainError(f"nli.max_length={max_length} is more than the model reads; give {limit} or less")


def _length(windows: Sequence[Window]) -> int:
    return len(windows[0]["input_ids"])
