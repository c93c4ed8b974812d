"""The tokenizer and the chat template of a GGUF file, loaded without its weights."""

from __future__ import annotations

import ctypes
from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import dropwhile
from pathlib import Path
from typing import Any

from abstain.errors import AbstainError
from abstain.models.llama_cpp.binding import binding, last_error
from abstain.models.llama_cpp.template import ChatTemplate, Rendered

ALIGNED = 8
"""Every piece of a prompt but the last has a multiple of so many tokens (see `engine`)."""


class Vocab:
    """Text to token ids and back. Holds memory of llama.cpp until `close`."""

    def __init__(self, path: Path) -> None:
        lib = binding()
        params = lib.llama_model_default_params()
        params.vocab_only = True
        self._lib = lib
        self._path = path
        self._model: Any = lib.llama_model_load_from_file(str(path).encode(), params)
        if not self._model:
            raise AbstainError(f"{path}: llama.cpp cannot read its vocabulary ({last_error()}); use another GGUF file")
        self.native: Any = lib.llama_model_get_vocab(self._model)
        """llama.cpp's own handle, which a grammar needs."""
        self._pieces: dict[int, bytes] = {}
        self._control: dict[int, bool] = {}
        self._bos = int(lib.llama_vocab_bos(self.native))
        self._add_bos = bool(lib.llama_vocab_get_add_bos(self.native))

    @cached_property
    def template(self) -> ChatTemplate:
        """The chat template in the file's metadata; raises AbstainError when there is none."""
        source = self._metadata("tokenizer.chat_template")
        if source is None:
            raise AbstainError(f"{self._path}: the file has no chat template; use an instruction-tuned GGUF file")
        eos = int(self._lib.llama_vocab_eos(self.native))
        return ChatTemplate(source, bos=self._text(self._bos), eos=self._text(eos))

    def encode(self, text: str, special: bool = False) -> list[int]:
        """Token ids of `text`, without BOS; with `special`, the names of control tokens become those tokens."""
        data = _utf8(text)
        size = len(data) + 8
        tokens = (self._lib.llama_token * size)()
        count = self._lib.llama_tokenize(self.native, data, len(data), tokens, size, False, special)
        return list(tokens[:count])

    def piece(self, token: int) -> bytes:
        """The bytes a token stands for, control tokens by name; may be part of a character."""
        known = self._pieces.get(token)
        if known is None:
            known = self._pieces[token] = self._read_piece(token)
        return known

    def starts(self, text: str) -> tuple[int, ...]:
        """The tokens that `text` can begin with: their bytes are its first bytes.

        Encoding tells less: a SentencePiece vocabulary answers "A" with the token for " A".
        """
        data = _utf8(text)
        heads = (data[:end] for end in range(1, len(data) + 1))
        return tuple(token for head in heads for token in self._by_piece.get(head, ()))

    def ends_text(self, token: int) -> bool:
        """Whether `token` ends a turn or a text."""
        return bool(self._lib.llama_vocab_is_eog(self.native, token))

    def head(self, text: str, tokens: int) -> str:
        """The head of `text` that its first `tokens` tokens cover, without a broken last character."""
        ids = self.encode(text)
        if len(ids) <= tokens:
            return text
        data = _utf8(text)
        end = ([0, *self._ends(data, ids)])[: tokens + 1][-1]
        head = data[:end].decode(errors="ignore")
        # Cut off from what follows, the last characters may be split into more tokens than before.
        while head and len(self.encode(head)) > tokens:
            head = head[:-1]
        return head

    def split(self, prompt: Rendered) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Token ids of a prompt as (prefix, suffix): the prefix ends at or before the prompt's cut, aligned.

        The whole prompt is tokenised as one text, so that tokens form across the template's borders as in training.
        Only when the caller's text names a control token is it tokenised apart: a passage that quotes ``<|im_end|>``
        must not end the turn.
        """
        data = _utf8(prompt.text)
        ids = self.encode(prompt.text, special=True)
        ends = self._ends(data, ids)
        if len(ends) < len(ids) or self._has_control_token(prompt, ids, ends):
            ids = self._encode_apart(prompt)
            ends = self._ends(data, ids)
        cut = len(_utf8(prompt.text[: prompt.cut]))
        shared = min(bisect_right(ends, cut), len(ids) - 1)
        prefix = ids[:shared]
        if self._add_bos:
            # Exactly one, whether the template writes none, one, or one too many.
            prefix = [self._bos, *dropwhile(lambda token: token == self._bos, prefix)]
        end = len(prefix) - len(prefix) % ALIGNED
        return tuple(prefix[:end]), (*prefix[end:], *ids[shared:])

    def close(self) -> None:
        """Free the vocabulary; the object must not be used afterwards."""
        if self._model:
            self._lib.llama_model_free(self._model)
            self._model = None

    def _has_control_token(self, prompt: Rendered, ids: list[int], ends: list[int]) -> bool:
        """Whether a token that only the template may write stands in the caller's text."""
        for start, end in prompt.literal:
            first = bisect_right(ends, len(_utf8(prompt.text[:start])))
            last = bisect_left(ends, len(_utf8(prompt.text[:end])))
            if any(self._is_control(token) for token in ids[first : last + 1]):
                return True
        return False

    def _encode_apart(self, prompt: Rendered) -> list[int]:
        """Token ids with only the template's own parts read for control tokens."""
        ids: list[int] = []
        position = 0
        for start, end in prompt.literal:
            ids += self.encode(prompt.text[position:start], special=True) + self.encode(prompt.text[start:end])
            position = end
        return ids + self.encode(prompt.text[position:], special=True)

    @cached_property
    def _by_piece(self) -> dict[bytes, list[int]]:
        """The tokens of each piece; byte tokens share theirs with others."""
        found: dict[bytes, list[int]] = {}
        for token in range(int(self._lib.llama_vocab_n_tokens(self.native))):
            if not self._is_control(token):
                found.setdefault(self.piece(token), []).append(token)
        return found

    def _is_control(self, token: int) -> bool:
        known = self._control.get(token)
        if known is None:
            attributes = int(self._lib.llama_vocab_get_attr(self.native, token))
            control = self._lib.LLAMA_TOKEN_ATTR_CONTROL | self._lib.LLAMA_TOKEN_ATTR_UNKNOWN
            known = self._control[token] = bool(attributes & control)
        return known

    def _ends(self, data: bytes, ids: list[int]) -> list[int]:
        """Where each token ends in `data`; the list is shorter than `ids` if the tokens stop spelling it out.

        SentencePiece vocabularies put a space before a text that has none.
        """
        ends = []
        position = 0
        for token in ids:
            piece = self.piece(token)
            if not data.startswith(piece, position):
                piece = piece.removeprefix(b" ")
                if not data.startswith(piece, position):
                    break
            position += len(piece)
            ends.append(position)
        return ends

    def _metadata(self, key: str) -> str | None:
        length = self._lib.llama_model_meta_val_str(self._model, key.encode(), None, 0)
        if length < 0:
            return None
        buffer = ctypes.create_string_buffer(length + 1)
        self._lib.llama_model_meta_val_str(self._model, key.encode(), buffer, length + 1)
        return buffer.value.decode()

    def _text(self, token: int) -> str:
        """The name of a control token; empty where the vocabulary has no such token."""
        return "" if token < 0 else self.piece(token).decode(errors="replace")

    def _read_piece(self, token: int) -> bytes:
        size = 64
        while True:
            buffer = ctypes.create_string_buffer(size)
            length = self._lib.llama_token_to_piece(self.native, token, buffer, size, 0, True)
            if length >= 0:
                return buffer.raw[:length]
            size = -length


def _utf8(text: str) -> bytes:
    """UTF-8, with a question mark for half a surrogate pair (a JSON data set may hold one)."""
    return text.encode(errors="replace")
