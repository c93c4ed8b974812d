"""How a reply is read, the same for every backend.

JSON replies are read field by field, so that an object which breaks off still gives what it had completed: a reply is
valid as soon as decision, answer and confidence are complete (DESIGN 6). Raw control characters inside strings are
accepted, because the paper's grammar lets them through.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from abstain.models.base import Request
from abstain.rows import Response

DECISIONS = ("answer", "abstain")
FIELDS = ("decision", "answer", "confidence", "reasoning")

_DECODER = json.JSONDecoder(strict=False)
_KEY = re.compile(r'\s*"(\w+)"\s*:\s*')
_AFTER_VALUE = re.compile(r"\s*([,}])")
# A confidence that no further digit can continue: "1" may become "15", "10" may become "100".
_SETTLED_NUMBER = re.compile(r"0|100|1[1-9]|[2-9][0-9]")


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply says; `decision` is empty and `confidence` 0 when it is not valid."""

    valid: bool = False
    decision: str = ""
    answer: str = ""
    confidence: int = 0
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class JsonScan:
    """The fields that a JSON object completes, and whether the object itself is complete."""

    fields: dict[str, Any] = field(default_factory=dict)
    complete: bool = False


def scan_json(text: str) -> JsonScan:
    """Read the first JSON object in `text`, as far as it goes; text before and after it is ignored."""
    fields: dict[str, Any] = {}
    position = text.find("{") + 1
    while position > 0 and (key := _KEY.match(text, position)):
        try:
            value, end = _DECODER.raw_decode(text, key.end())
        except (ValueError, RecursionError):  # broken off, or hostile: thousands of digits, or of brackets
            break
        after = _AFTER_VALUE.match(text, end)
        if after or _is_settled(value, text[key.end() : end]):
            fields.setdefault(key[1], value)
        if not after:
            break
        if after[1] == "}":
            return JsonScan(fields, complete=True)
        position = after.end()
    return JsonScan(fields)


def read_json(text: str) -> Reply:
    """Read a reply with the fields decision, answer, confidence and reasoning (GRAB-RAG, Appendix B)."""
    fields = scan_json(text).fields
    decision, answer, confidence, reasoning = (fields.get(name) for name in FIELDS)
    if decision not in DECISIONS or not isinstance(answer, str) or type(confidence) is not int:
        return Reply()
    if not 0 <= confidence <= 100:
        return Reply()
    return Reply(True, decision, _storable(answer), confidence, _storable(reasoning))


def read_choice(text: str, choices: Sequence[str]) -> Reply:
    """Read a reply that is exactly one of the choices; nothing is searched for inside a longer text."""
    choice = text.strip()
    return Reply(valid=True, decision=choice) if choice in choices else Reply()


def read_reply(text: str, reply: str, choices: Sequence[str]) -> Reply:
    """Read a reply of a prompt's kind: ``json``, ``letter`` or ``label``."""
    return read_json(text) if reply == "json" else read_choice(text, choices)


def as_response(
    request: Request, raw: str, finish: str, *, prompt_tokens: int, completion_tokens: int, seconds: float
) -> Response:
    """The response that a backend's raw text makes, without probabilities."""
    reply = read_reply(raw, request.prompt.reply, request.prompt.choices)
    return Response(
        key=request.key,
        valid=reply.valid,
        decision=reply.decision,
        answer=reply.answer,
        confidence=reply.confidence,
        reasoning=reply.reasoning,
        raw=raw,
        finish=finish,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        seconds=seconds,
    )


def is_complete(text: str, reply: str, choices: Sequence[str], keep_reasoning: bool) -> bool:
    """Whether nothing that is wanted can follow: the object is closed, or one choice stands and no longer one can.

    Without `keep_reasoning` a JSON reply is complete when its confidence is, which is valid by the same rule.
    """
    if reply != "json":
        return text in choices and not any(choice != text and choice.startswith(text) for choice in choices)
    scan = scan_json(text)
    return scan.complete or (not keep_reasoning and scan.fields.keys() >= set(FIELDS[:3]))


def _is_settled(value: Any, source: str) -> bool:
    """Whether a value at the very end of the text is final: a closed string is, a number only sometimes."""
    return isinstance(value, str) or _SETTLED_NUMBER.fullmatch(source) is not None


def _storable(value: Any) -> str:
    """A string field as text that UTF-8 can hold (an escape may name half a surrogate pair); empty for other types."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else ""
