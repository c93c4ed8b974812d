from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from abstain.errors import AbstainError
from abstain.policies import prompts
from abstain.policies.prompts import closed_prompt, context_prompt, context_text
from abstain.rows import Case, Question

SPEC = Path(__file__).parents[2] / ".." / "shared" / "spec" / "grab_rag_prompts.yaml"
QUESTION = Question("q1", 0, "who was first", ("Ada",), ("Ada was first.",))
CASE = Case(QUESTION, "q100", ("Ada was first.", "Bob was second."))


def whole(text, tokens):
    return text


def words(text, tokens):
    return " ".join(text.split(" ")[:tokens])


@pytest.fixture(scope="module")
def spec():
    if not SPEC.exists():
        pytest.skip("../shared/spec is not here")
    return yaml.safe_load(SPEC.read_text(encoding="utf-8"))


@pytest.mark.parametrize("policy", ["p0", "p1", "p2"])
def test_context_prompts_are_those_of_the_paper_to_the_character(spec, policy):
    instruction = spec["instructions"][policy]
    context = "\n\n".join(spec["passage"].format(k=k, text=text) for k, text in enumerate(CASE.passages, 1))
    expected = (
        spec["user_context"]
        .replace("{context}", context)
        .replace("{question}", QUESTION.text)
        .replace("{instruction_block}", f"{instruction}\n\n" if instruction else "")
    )
    prompt = context_prompt(policy, CASE, whole, 1500)
    assert prompt.user == expected
    assert prompt.system == spec["system_context"]
    assert prompt.grammar == spec["grammar"]


def test_the_closed_book_prompt_is_that_of_the_paper_to_the_character(spec):
    prompt = closed_prompt("q1", QUESTION.text)
    assert prompt.user == spec["user_closed"].replace("{question}", QUESTION.text)
    assert prompt.system == spec["system_closed"]


def test_the_policies_of_a_case_agree_up_to_the_end_of_the_question():
    made = [context_prompt(name, CASE, whole, 1500) for name in prompts.INSTRUCTIONS]
    heads = {prompt.user[: prompt.cut] for prompt in made}
    assert heads == {"Context:\n[1] Ada was first.\n\n[2] Bob was second.\n\nQuestion: who was first"}
    assert len({prompt.user for prompt in made}) == 3


def test_a_context_over_the_cap_loses_its_tail_and_says_so():
    prompt = context_prompt("p1", CASE, words, 5)
    assert prompt.context_cut
    assert "[1] Ada was first.\n\n[2] Bob\n\nQuestion:" in prompt.user
    assert prompt.shown == ("Ada was first.", "Bob")


def test_a_context_under_the_cap_is_shown_whole():
    prompt = context_prompt("p1", CASE, words, 1500)
    assert not prompt.context_cut
    assert prompt.shown == CASE.passages


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=5), st.integers(0, 80))
def test_what_is_shown_is_what_the_cut_context_holds(passages, budget):
    case = Case(QUESTION, "q0", tuple(passages))
    prompt = context_prompt("p0", case, lambda text, tokens: text[:tokens], budget)
    context = context_text(case.passages)[:budget]
    rebuilt = context_text(prompt.shown)
    assert context.startswith(rebuilt)
    # Nothing but a number or blank lines can be missing from what is said to be shown.
    assert context[len(rebuilt) :].strip("\n[]0123456789 ") == ""


def test_an_unknown_prompt_is_refused_with_those_there_are():
    with pytest.raises(AbstainError, match="p0, p1, p2"):
        context_prompt("p9", CASE, whole, 1500)
