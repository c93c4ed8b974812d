"""Any server that speaks the OpenAI chat protocol: vLLM, llama-server, Ollama, hosted models.

A request that still fails after its retries becomes a response with ``finish="error"``. Such a response is not kept,
so the row is asked again by the next run, and it is never an answer.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import AsyncGenerator, Iterator, Sequence
from itertools import islice
from time import perf_counter
from typing import Any

from abstain.errors import AbstainError
from abstain.models.base import Request
from abstain.models.key import content_key, row_seed
from abstain.models.parse import DECISIONS, FIELDS, as_response, is_complete
from abstain.models.words import head_of_words
from abstain.rows import Prompt, Response
from abstain.urls import without_passwords

log = logging.getLogger(__name__)

WORDS_PER_TOKEN = 0.75
"""Rule of thumb for English text, where the server's tokenizer is out of reach."""

SCHEMA = {
    "type": "object",
    "properties": {
        "decision": {"type": "string", "enum": list(DECISIONS)},
        "answer": {"type": "string"},
        "confidence": {"type": "integer", "minimum": 0, "maximum": 100},
        "reasoning": {"type": "string"},
    },
    "required": list(FIELDS),
    "additionalProperties": False,
}
_RESPONSE_FORMATS: dict[str, dict[str, Any] | None] = {
    "json_schema": {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA}},
    "json_object": {"type": "json_object"},
    "none": None,
}


class OpenAICompatible:
    """A model named `name` at `base_url`.

    The API key is read from the environment variable `api_key_env` when requests are sent, and is kept nowhere.
    `response_format` is what the server understands: ``json_schema``, ``json_object`` or ``none``; replies are read
    by the same parser in any case. At most `concurrency` requests are under way at once; each is tried again up to
    `max_retries` times, with growing pauses, on 429, 5xx and time-outs (`timeout` in seconds).

    The server has no visible tokenizer: `truncate` counts three words for four tokens, and a prompt that is too long
    is the server's to refuse.
    """

    def __init__(
        self,
        name: str,
        base_url: str,
        api_key_env: str = "OPENAI_API_KEY",
        response_format: str = "json_schema",
        concurrency: int = 8,
        max_retries: int = 5,
        timeout: float = 120,
        max_tokens: int = 512,
        context_tokens: int = 1500,
        temperature: float = 0,
        seed: int = 42,
    ) -> None:
        if response_format not in _RESPONSE_FORMATS:
            raise AbstainError(
                f"model.response_format={response_format} is unknown; it is one of {', '.join(_RESPONSE_FORMATS)}"
            )
        if concurrency < 1:
            raise AbstainError(f"model.concurrency={concurrency} is out of range; it is at least 1")
        self.name = name
        self.context_tokens = context_tokens
        self._base_url = base_url
        self._address = without_passwords(base_url)
        self._api_key_env = api_key_env
        self._response_format = response_format
        self._concurrency = concurrency
        self._max_retries = max_retries
        self._timeout = timeout
        self._max_tokens = max_tokens
        self._temperature = temperature
        self._seed = seed

    @property
    def fingerprint(self) -> str:
        """Empty: a server does not show its weights."""
        return ""

    def probe(self) -> str:
        """The address and the model, once the server lists it.

        Raises AbstainError when it does not answer within ten seconds, refuses the key or serves other models.
        """
        import openai

        key = os.environ.get(self._api_key_env) or "none"
        with openai.OpenAI(api_key=key, base_url=self._base_url, max_retries=0, timeout=10) as client:
            try:
                served = [served.id for served in client.models.list()]
            except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
                raise self._key_refused(error.status_code) from None
            except (openai.OpenAIError, json.JSONDecodeError) as error:
                raise AbstainError(
                    f"model.base_url={self._address} does not list its models ({type(error).__name__}); "
                    "start the server, or correct the address"
                ) from None
        if self.name not in served:
            raise AbstainError(
                f"model.name={self.name} is not served at {self._address}; choose one of: {', '.join(served[:10])}"
            )
        return f"{self.name} at {self._address}"

    def truncate(self, text: str, tokens: int) -> str:
        """The head of `text` of about `tokens` tokens, by its words."""
        return head_of_words(text, int(tokens * WORDS_PER_TOKEN))

    def prepare(self, prompts: Sequence[Prompt]) -> list[Request]:
        """Key the prompts, in order; nothing is sent."""
        return [self._request(prompt) for prompt in prompts]

    def generate(self, requests: Sequence[Request]) -> Iterator[Response]:
        """Ask the server, yielding each response as it arrives.

        Raises AbstainError when the server refuses the key or does not know the model.
        """
        answers = self._answers(requests)
        # The runner ends, on an interrupt too, by dropping the requests that are still under way: it waits for none.
        with asyncio.Runner() as runner:
            while (response := runner.run(_next(answers))) is not None:
                yield response

    async def _answers(self, requests: Sequence[Request]) -> AsyncGenerator[Response, None]:
        """The responses as they arrive, with at most `concurrency` requests under way."""
        import openai

        waiting = iter(requests)
        client = openai.AsyncOpenAI(
            api_key=os.environ.get(self._api_key_env) or "none",
            base_url=self._base_url,
            max_retries=self._max_retries,
            timeout=self._timeout,
        )
        asked: set[asyncio.Task[Response]] = set()
        try:
            while True:
                asked |= {
                    asyncio.create_task(self._ask(client, request))
                    for request in islice(waiting, self._concurrency - len(asked))
                }
                if not asked:
                    return
                done, asked = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
                # What has arrived is given away before an error ends the rest.
                for task in sorted(done, key=lambda task: task.exception() is not None):
                    yield task.result()
        finally:
            for task in asked:
                task.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
            await client.close()

    async def _ask(self, client: Any, request: Request) -> Response:
        import openai

        started = perf_counter()
        try:
            completion = await client.chat.completions.create(**self._body(request))
        except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
            raise self._key_refused(error.status_code) from None
        except openai.NotFoundError:
            raise AbstainError(
                f"model.base_url={self._address} knows no model {self.name!r} (404); check model.base_url, model.name"
            ) from None
        except (openai.OpenAIError, json.JSONDecodeError) as error:
            return self._failed(request, error, perf_counter() - started)
        return _read(request, completion, perf_counter() - started)

    def _key_refused(self, status: int) -> AbstainError:
        return AbstainError(
            f"model.base_url={self._address} refuses the key ({status}); "
            f"set the environment variable {self._api_key_env}"
        )

    def _failed(self, request: Request, error: Exception, seconds: float) -> Response:
        """The error by its type and status only: a server's message may repeat what it was sent."""
        reason = f"{type(error).__name__} {getattr(error, 'status_code', '')}".rstrip()
        log.warning("question %s, %s: no reply (%s)", request.prompt.question_id, request.prompt.name, reason)
        return _error(request, reason, seconds)

    def _body(self, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.name,
            "messages": json.loads(request.rendered),
            "max_tokens": self._max_tokens,
            "temperature": self._temperature,
        }
        response_format = _RESPONSE_FORMATS[self._response_format]
        if request.prompt.reply == "json" and response_format:
            body["response_format"] = response_format
        if self._temperature > 0:
            body["seed"] = request.seed
        return body

    def _request(self, prompt: Prompt) -> Request:
        messages = [{"role": "system", "content": prompt.system}] if prompt.system else []
        rendered = json.dumps([*messages, {"role": "user", "content": prompt.user}], ensure_ascii=False)
        key = content_key(
            {
                "backend": "openai",
                "base_url": self._base_url,
                "model": self.name,
                "rendered": rendered,
                "response_format": self._response_format,
                "reply": prompt.reply,
                "choices": prompt.choices,
                "temperature": float(self._temperature),
                "max_tokens": self._max_tokens,
                "seed": self._seed,
                "trial": prompt.trial,
            }
        )
        # Servers take the seed as a signed 32-bit number.
        seed = row_seed(self._seed, prompt.trial, rendered) % 2**31
        return Request(key, prompt, rendered, (), (), seed)


async def _next(answers: AsyncGenerator[Response, None]) -> Response | None:
    return await anext(answers, None)


def _read(request: Request, completion: Any, seconds: float) -> Response:
    """A completion as a response; a body without a choice (some proxies send one with status 200) is an error."""
    choices = getattr(completion, "choices", None)
    if not choices:
        return _error(request, "the body holds no choice", seconds)
    prompt = request.prompt
    text = choices[0].message.content or ""
    finish = "length" if choices[0].finish_reason == "length" else "stop"
    if is_complete(text.strip(), prompt.reply, prompt.choices, keep_reasoning=True):
        finish = "complete"
    usage = completion.usage
    return as_response(
        request,
        text,
        finish,
        prompt_tokens=usage.prompt_tokens if usage else 0,
        completion_tokens=usage.completion_tokens if usage else 0,
        seconds=seconds,
    )


def _error(request: Request, reason: str, seconds: float) -> Response:
    return Response(
        key=request.key,
        valid=False,
        decision="",
        answer="",
        confidence=0,
        reasoning="",
        raw=reason,
        finish="error",
        prompt_tokens=0,
        completion_tokens=0,
        seconds=seconds,
    )
