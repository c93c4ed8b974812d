"""Heads of texts measured in words, for backends that show no tokenizer."""

from __future__ import annotations


def head_of_words(text: str, words: int) -> str:
    """The head of `text` with its first `words` words (runs of non-white space), white space as it was."""
    parts = text.split(maxsplit=words)
    if len(parts) <= words:
        return text
    rest = parts[words]
    return text[: len(text.rstrip()) - len(rest.rstrip())].rstrip()
