"""The chat template of a GGUF file: system and user text in, the model's own prompt format out.

Rendering is a pure function of the template and the two texts: a template that prints today's date is shown a fixed
one, so that a prompt (and the key made from it) is the same tomorrow.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from abstain.errors import AbstainError

PINNED_DATE = datetime(2024, 7, 26)
"""The date that Llama 3 templates fall back to by themselves."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered prompt and where the caller's own text stands in it (character offsets)."""

    text: str
    cut: int
    """End of the shared part of the user text."""
    literal: tuple[tuple[int, int], ...]
    """The (start, end) of the system and the user text, as far as not empty; all else is the template's."""


class ChatTemplate:
    """A compiled Jinja chat template.

    Raises AbstainError when the template is not valid Jinja.
    """

    def __init__(self, source: str, bos: str, eos: str) -> None:
        from jinja2 import TemplateSyntaxError
        from jinja2.ext import loopcontrols
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
        environment.filters["tojson"] = _to_json
        try:
            self._template = environment.from_string(source)
        except TemplateSyntaxError as error:
            raise AbstainError(f"the model's chat template is not valid ({error}); use another model file") from error
        self._bos = bos
        self._eos = eos

    def render(self, system: str, user: str, cut: int) -> Rendered:
        """Render one exchange up to the start of the reply; `cut` counts characters of `user`.

        A template that refuses the system role gets the system text at the head of the user turn. Raises
        AbstainError when the template refuses that too, or does not show the user text as it is.
        """
        turn = {"role": "user", "content": user}
        text = self._messages([{"role": "system", "content": system}, turn] if system else [turn])
        if text is None or system.strip() not in text:
            text = self._messages([{"role": "user", "content": f"{system}\n\n{user}"}])
        # Some templates strip the texts they are given.
        start = -1 if text is None else text.rfind(user.strip())
        if text is None or start < 0:
            raise AbstainError("the model's chat template does not show the user text as it is; use another file")
        stripped = len(user) - len(user.lstrip())
        texts = [(text.find(system.strip()), system.strip()), (start, user.strip())]
        return Rendered(
            text=text,
            cut=start + min(max(cut - stripped, 0), len(user.strip())),
            literal=tuple((begin, begin + len(part)) for begin, part in texts if part),
        )

    def _messages(self, messages: list[dict[str, str]]) -> str | None:
        """The rendered messages; None when the template raises on them."""
        from jinja2 import TemplateError

        try:
            return self._template.render(
                messages=messages,
                bos_token=self._bos,
                eos_token=self._eos,
                add_generation_prompt=True,
                tools=None,
                raise_exception=_raise,
                strftime_now=PINNED_DATE.strftime,
            )
        except (TemplateError, TypeError, ValueError):
            return None


def _raise(message: str) -> None:
    from jinja2 import TemplateError

    raise TemplateError(message)


def _to_json(value: Any, indent: int | None = None) -> str:
    """As the reference implementation has it: without Jinja's HTML escapes."""
    return json.dumps(value, ensure_ascii=False, indent=indent)
