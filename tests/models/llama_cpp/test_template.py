from __future__ import annotations

import pytest

from abstain.errors import AbstainError
from abstain.models.llama_cpp.template import ChatTemplate

PLAIN = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}<|assistant|>"
NO_SYSTEM = (
    "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "<|{{ m.role }}|>{{ m.content | trim }}<|end|>{% endfor %}<|assistant|>"
)


def render(source: str, user: str = "Question: who?\n\nReply.", cut: int = 14, system: str = "Be brief.") -> str:
    rendered = ChatTemplate(source, bos="<s>", eos="</s>").render(system, user, cut)
    assert all(rendered.text[start:end].strip() for start, end in rendered.literal)
    return rendered.text[: rendered.cut] + "|CUT|" + rendered.text[rendered.cut :]


def test_the_cut_of_the_user_text_is_found_in_the_rendered_prompt() -> None:
    assert render(PLAIN) == ("<|system|>Be brief.<|end|><|user|>Question: who?|CUT|\n\nReply.<|end|><|assistant|>")


def test_a_template_that_refuses_the_system_role_gets_it_in_the_user_turn() -> None:
    assert render(NO_SYSTEM) == "<|user|>Be brief.\n\nQuestion: who?|CUT|\n\nReply.<|end|><|assistant|>"


def test_a_template_that_leaves_the_system_text_out_gets_it_in_the_user_turn() -> None:
    silent = PLAIN.replace("messages", "messages if m.role == 'user'")
    assert render(silent).startswith("<|user|>Be brief.\n\nQuestion: who?|CUT|")


def test_a_template_that_strips_its_texts_moves_the_cut_with_them() -> None:
    trimming = PLAIN.replace("m.content", "m.content | trim")
    assert "<|user|>Question: who?|CUT|\n\nReply.<|end|>" in render(trimming, "  Question: who?\n\nReply.\n", cut=16)


def test_no_system_text_means_no_system_turn() -> None:
    assert render(PLAIN, system="").startswith("<|user|>")


def test_dates_are_pinned() -> None:
    # 26 Jul 2024 is what Llama 3 templates print when they are given no clock.
    assert render("{{ strftime_now('%d %b %Y') }}\n" + PLAIN).startswith("26 Jul 2024")


def test_bos_and_loop_controls_and_json_are_as_templates_expect() -> None:
    source = "{{ bos_token }}{{ ['<é>'] | tojson }}{% for m in messages %}{{ m.content }}{% continue %}{% endfor %}"
    assert render(source).startswith('<s>["<é>"]Be brief.')


def test_the_callers_text_is_never_read_as_a_template() -> None:
    assert "<|user|>{{ 7 * 7 }} {% raw %}|CUT|<|end|>" in render(PLAIN, "{{ 7 * 7 }} {% raw %}", cut=21)


def test_a_template_that_is_broken_or_hides_the_user_text_is_named() -> None:
    with pytest.raises(AbstainError, match="chat template is not valid"):
        render("{% for %}")
    with pytest.raises(AbstainError, match="does not show the user text"):
        render("{% for m in messages %}{{ m.content | upper }}{% endfor %}")
    with pytest.raises(AbstainError, match="does not show the user text"):
        render("{{ raise_exception('nothing is supported') }}")
