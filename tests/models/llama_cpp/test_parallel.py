from __future__ import annotations

from collections.abc import Callable

from abstain.models.llama_cpp import LlamaCpp
from abstain.rows import Prompt


def test_rows_decoded_together_are_all_answered(
    load: Callable[..., LlamaCpp], prompts: list[Prompt], closed: Prompt
) -> None:
    model = load(parallel=3)
    requests = model.prepare([*prompts, closed])
    responses = list(model.generate(requests))
    assert sorted(response.key for response in responses) == sorted(request.key for request in requests)
    assert all(response.finish in ("complete", "length") and response.seconds > 0 for response in responses)
    # Two groups of two: each group's prefix is evaluated once, and shared with the other row's slot.
    assert model.prefix_tokens_saved == len(requests[0].prefix) + len(requests[2].prefix)


def test_one_row_in_many_slots_says_what_it_says_in_one(load: Callable[..., LlamaCpp], closed: Prompt) -> None:
    # A single live sequence is the same batch of one token, so even its bits agree here.
    alone, wide = load(max_tokens=4), load(max_tokens=4, parallel=4)
    (expected,) = alone.generate(alone.prepare([closed]))
    (response,) = wide.generate(wide.prepare([closed]))
    assert (response.raw, response.finish) == (expected.raw, expected.finish)
    assert response.key != expected.key


def test_a_run_that_is_not_read_to_its_end_leaves_the_next_one_clean(
    load: Callable[..., LlamaCpp], prompts: list[Prompt]
) -> None:
    model = load(parallel=2, max_tokens=2)
    requests = model.prepare(prompts)
    broken = model.generate(requests)
    next(broken)
    broken.close()
    assert len(list(model.generate(requests))) == len(requests)
