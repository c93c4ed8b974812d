"""The plan of a job: what is made once, what is reused, and what is made early because its prefix is at hand."""

import json
from dataclasses import replace

import pytest

from abstain.errors import AbstainError
from abstain.generate import Turn, complete, plan, prefix_tokens_saved
from abstain.models.base import Request
from abstain.models.scripted import Scripted
from abstain.policies.prompts import closed_prompt
from abstain.store import Store


@pytest.fixture
def store(tmp_path):
    return Store(f"sqlite:///{tmp_path}/responses.db")


@pytest.fixture
def model(tmp_path):
    (tmp_path / "script.jsonl").write_text(
        json.dumps({"decision": "answer", "answer": "Ada", "confidence": 90, "reasoning": ""}) + "\n"
    )
    return Scripted(str(tmp_path / "script.jsonl"))


def prompts(*names):
    return [closed_prompt(name, f"who is {name}") for name in names]


def advance():
    pass


def test_equal_prompts_are_generated_once(model, store):
    work = plan(model, store, prompts("a", "b", "a"))
    assert len(work.own) == 3
    assert len(work.missing) == 2
    done = complete(model, store, work, advance)
    assert (done.generated, done.reused) == (2, 0)
    assert {request.key for request in work.own} == set(done.responses)


def test_what_the_store_holds_is_not_generated_again(model, store):
    complete(model, store, plan(model, store, prompts("a")), advance)
    work = plan(model, store, prompts("a", "b"))
    assert [request.prompt.question_id for request in work.missing] == ["b"]
    done = complete(model, store, work, advance)
    assert (done.generated, done.reused) == (1, 1)
    assert len(done.responses) == 2


def test_the_progress_moves_once_a_response(model, store):
    calls = []
    complete(model, store, plan(model, store, prompts("a", "b")), lambda: calls.append(1))
    assert len(calls) == 2


class Prefixed(Scripted):
    """A scripted model whose prefix is the question, as a backend with tokens has it."""

    def prepare(self, prompts):
        prepared = super().prepare(prompts)
        return [
            replace(request, prefix=tuple(request.prompt.user[: request.prompt.cut].encode())) for request in prepared
        ]


def test_a_sibling_is_made_early_only_if_its_prefix_is_needed_anyway(tmp_path, model, store):
    model = Prefixed(str(tmp_path / "script.jsonl"))
    own = prompts("a", "b")
    siblings = [replace(prompt, user=prompt.user + " Think.") for prompt in prompts("a", "c")]
    work = plan(model, store, own, siblings)
    assert [(r.prompt.question_id, r.prompt.user.endswith("Think.")) for r in work.missing] == [
        ("a", False),
        ("a", True),
        ("b", False),
    ]
    done = complete(model, store, work, advance)
    assert done.generated == 3
    assert done.prefix_tokens_saved == len(b"Question: who is a")
    # The sibling's own job finds it in the store.
    assert plan(model, store, siblings[:1]).missing == ()


def test_a_sibling_without_tokens_is_left_to_its_own_job(model, store):
    assert len(plan(model, store, prompts("a"), prompts("a", "b")).missing) == 1


class Failing(Scripted):
    """A server that gives up on all but the first row."""

    def generate(self, requests):
        for response in super().generate(requests):
            broken = replace(response, finish="error", valid=False, decision="", raw="APITimeoutError")
            yield response if response.key == requests[0].key else broken


def test_an_error_fails_the_job_keeps_the_other_rows_and_is_asked_again(tmp_path, model, store):
    failing = Failing(str(tmp_path / "script.jsonl"))
    with pytest.raises(AbstainError, match=r"1 of 2 prompts got no reply from scripted .* run the same"):
        complete(failing, store, plan(failing, store, prompts("a", "b")), advance)
    assert [request.prompt.question_id for request in plan(model, store, prompts("a", "b")).missing] == ["b"]


def test_saved_prefix_tokens_count_neighbours_with_the_same_prefix():
    def request(*prefix):
        return Request("k", prompts("a")[0], "", prefix, (9,), 0)

    assert prefix_tokens_saved([request(1, 2), request(1, 2), request(3), request(1, 2)]) == 2
    assert prefix_tokens_saved([]) == 0


class Recorded(Prefixed):
    """Remembers what it was asked."""

    asked = ()

    def generate(self, requests):
        self.asked += tuple(request.prompt.question_id for request in requests)
        yield from super().generate(requests)


def test_jobs_that_run_at_once_start_apart_and_leave_out_what_the_other_has_made(tmp_path, model, store):
    first, second = (Recorded(str(tmp_path / "script.jsonl")) for _ in range(2))
    wanted = prompts("a", "b", "c", "d")
    # Both plan before either has made anything; then the second does all its work before the first begins.
    works = [plan(each, store, wanted) for each in (first, second)]
    done = complete(second, store, works[1], advance, Turn(1, 2))
    assert (second.asked, done.generated, done.reused) == (("c", "d", "a", "b"), 4, 0)
    calls = []
    done = complete(first, store, works[0], lambda: calls.append(1), Turn(0, 2))
    assert (first.asked, done.generated, done.reused, len(calls)) == ((), 0, 4, 4)
    assert len(done.responses) == 4
