"""Replies read from a file: a model whose every answer is known, for tests and worked examples.

One JSON object a line. ``question``, ``condition`` and ``prompt`` select rows (each an exact value or ``*``, which is
also what a missing one means), ``trial`` too when it is there; the first line that matches answers. The reply is
either ``raw``, text as a model would write it, or the fields ``decision``, ``answer``, ``confidence`` and
``reasoning``. Both go through the parser that real replies go through.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import merge
from operator import attrgetter
from pathlib import Path
from typing import Any

from abstain.errors import AbstainError
from abstain.hashing import file_sha256
from abstain.models.base import Request
from abstain.models.key import content_key, row_seed
from abstain.models.parse import FIELDS, as_response, is_complete
from abstain.models.words import head_of_words
from abstain.rows import Prompt, Response

_KEYS = ("question", "condition", "prompt", "trial", "raw", *FIELDS)


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the script."""

    number: int
    question: str
    condition: str
    prompt: str
    trial: int | None
    raw: str

    def matches(self, prompt: Prompt) -> bool:
        return (
            self.question in ("*", prompt.question_id)
            and self.condition in ("*", prompt.condition)
            and self.prompt in ("*", prompt.name)
            and self.trial in (None, prompt.trial)
        )


class Scripted:
    """A model that answers from the JSONL file at `path`, which is read on first use.

    Tokens are words separated by white space. Raises AbstainError for a broken line (with file and line number) and
    for a prompt that no line answers.
    """

    def __init__(self, path: str, name: str = "scripted", context_tokens: int = 1500) -> None:
        self.name = name
        self.context_tokens = context_tokens
        self._path = Path(path).expanduser()

    def probe(self) -> str:
        """The script, once it is read."""
        return f"{self.name}: {sum(map(len, self._lines.values()))} lines in {self._path}"

    def truncate(self, text: str, tokens: int) -> str:
        """The head of `text` with its first `tokens` words."""
        return head_of_words(text, tokens)

    def prepare(self, prompts: Sequence[Prompt]) -> list[Request]:
        """Key the prompts, in order; the script is read, so a broken one is found here."""
        return [self._request(prompt) for prompt in prompts]

    def generate(self, requests: Sequence[Request]) -> Iterator[Response]:
        """Answer the requests in order."""
        for request in requests:
            yield self._response(request)

    def _request(self, prompt: Prompt) -> Request:
        self._find(prompt)
        rendered = json.dumps([prompt.system, prompt.user])
        key = content_key(
            {
                "backend": "scripted",
                "script_sha256": self.fingerprint,
                "rendered": rendered,
                "reply": prompt.reply,
                "choices": prompt.choices,
                "selectors": [prompt.question_id, prompt.condition, prompt.name],
                "trial": prompt.trial,
            }
        )
        return Request(key, prompt, rendered, (), (), row_seed(0, prompt.trial, rendered))

    def _response(self, request: Request) -> Response:
        prompt = request.prompt
        raw = self._find(prompt).raw
        if is_complete(raw.strip(), prompt.reply, prompt.choices, keep_reasoning=True):
            finish = "complete"
        else:
            # An object that was opened and not closed was cut; other text just ended.
            finish = "length" if "{" in raw else "stop"
        return as_response(
            request,
            raw,
            finish,
            prompt_tokens=len(prompt.system.split()) + len(prompt.user.split()),
            completion_tokens=len(raw.split()),
            seconds=0.0,
        )

    def _find(self, prompt: Prompt) -> _Line:
        lines = self._lines
        own, any_question = lines.get(prompt.question_id, []), lines.get("*", [])
        for line in merge(own, any_question, key=attrgetter("number")):
            if line.matches(prompt):
                return line
        raise AbstainError(
            f"{self._path}: no line answers question {prompt.question_id}, condition {prompt.condition}, "
            f"prompt {prompt.name}, trial {prompt.trial}; add one, or a line with '*'"
        )

    @cached_property
    def _lines(self) -> dict[str, list[_Line]]:
        """The script by question, in file order."""
        try:
            text = self._path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise AbstainError(f"model.path={self._path}: cannot be read ({error}); give a JSONL file") from error
        lines: dict[str, list[_Line]] = {}
        for number, source in enumerate(text.split("\n"), start=1):
            if source.strip():
                line = _read_line(source, number, self._path)
                lines.setdefault(line.question, []).append(line)
        if not lines:
            raise AbstainError(f"model.path={self._path}: the script is empty; give at least one line")
        return lines

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the script."""
        return file_sha256(self._path, None)


def _read_line(source: str, number: int, path: Path) -> _Line:
    place = f"{path}:{number}"
    try:
        entry = json.loads(source)
    except json.JSONDecodeError as error:
        raise AbstainError(f"{place}: not valid JSON ({error.msg}); write one object a line") from error
    if not isinstance(entry, dict) or ("raw" in entry) == ("decision" in entry):
        raise AbstainError(f"{place}: needs either 'raw' or 'decision' with the other fields of a reply")
    if unknown := sorted(entry.keys() - set(_KEYS)):
        raise AbstainError(f"{place}: unknown key {unknown[0]!r}; known are {', '.join(_KEYS)}")
    question, condition, prompt = (str(entry.get(name, "*")) for name in ("question", "condition", "prompt"))
    return _Line(number, question, condition, prompt, entry.get("trial"), _raw(entry))


def _raw(entry: dict[str, Any]) -> str:
    if "raw" in entry:
        return str(entry["raw"])
    given = {name: entry[name] for name in FIELDS if name in entry}
    return json.dumps({"answer": "", "confidence": 0, "reasoning": "", **given}, ensure_ascii=False)
