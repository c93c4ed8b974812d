"""What people see when the hub does not give a data set; a server on this machine stands in for the hub."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import huggingface_hub.constants
import pytest

from abstain.datasets.hotpotqa import HotpotQA
from abstain.errors import AbstainError


class Refusing(BaseHTTPRequestHandler):
    """Answers as the hub does for a repository or a revision that it does not have."""

    def do_GET(self) -> None:
        code = "RevisionNotFound" if "/known/data/" in self.path else "RepoNotFound"
        self.send_response(404)
        self.send_header("X-Error-Code", code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output quiet."""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    yield
    server.shutdown()
    server.server_close()


def refusal(data: HotpotQA) -> str:
    with pytest.raises(AbstainError) as caught:
        data.load()
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.usefixtures("hub")
def test_an_unknown_revision_is_named() -> None:
    message = refusal(HotpotQA(hub="known/data", revision="v9"))
    assert message == "dataset.revision=v9: known/data has no such revision; main is the newest one"


@pytest.mark.usefixtures("hub")
def test_an_unknown_repository_is_named() -> None:
    assert refusal(HotpotQA(hub="un/known")).startswith("dataset.hub=un/known: the hub has no public data set")
    assert refusal(HotpotQA(hub="not/a/name")).startswith("dataset.hub=not/a/name: the hub has no public data set")


@pytest.mark.usefixtures("hub")
def test_a_hub_out_of_reach_names_the_local_path_as_the_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = "set dataset.path to a local copy"
    monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", "http://127.0.0.1:9")
    assert refusal(HotpotQA(hub="hotpotqa/hotpot_qa")).endswith(expected)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    assert refusal(HotpotQA(hub="hotpotqa/hotpot_qa")).endswith(expected)
