"""The prompts and the grammar of GRAB-RAG, character for character (paper, Appendix B).

The strings of this module are the benchmark; they are the only text in the project that is not its own.
"""

from __future__ import annotations

from collections.abc import Callable

from abstain.errors import AbstainError
from abstain.rows import Case, Prompt

SYSTEM_CONTEXT = """\
You are a helpful question-answering assistant.
Answer the question using ONLY the provided context.
Always respond with valid JSON."""

SYSTEM_CLOSED = """\
You are a helpful question-answering assistant.
Always respond with valid JSON."""

_FORMAT = """\
Respond ONLY with a JSON object in this exact format:
{"decision": "answer" or "abstain",
"answer": "your answer or empty string",
"confidence": 0-100,
"reasoning": "brief reasoning"}
Start with { immediately.
Keep reasoning brief.
Do not use backslashes."""

INSTRUCTIONS = {
    "p0": "",
    "p1": (
        "If the context does not contain enough information to answer the question, "
        'set decision to "abstain" and leave the answer empty.'
    ),
    "p2": (
        "First, analyze whether the context contains sufficient information to answer the question. "
        "Reason step by step. Then either answer the question or state that the context is insufficient "
        'by setting decision to "abstain".'
    ),
}

CLOSED_INSTRUCTION = """\
Answer from your own knowledge.
If you do not know the answer, set decision to "abstain" and leave the answer empty."""

GRAMMAR = r"""root ::= "{" ws "\"decision\":" ws decision "," ws "\"answer\":" ws str "," ws "\"confidence\":" ws confidence "," ws "\"reasoning\":" ws str ws "}"
ws ::= [ \t\n]*
str ::= "\"" [^"\\]* "\""
decision ::= "\"answer\"" | "\"abstain\""
confidence ::= "0" | [1-9] | [1-9][0-9] | "100"
"""  # noqa: E501


def context_text(passages: tuple[str, ...]) -> str:
    """The passages as the prompt shows them: ``[k] text`` with k from 1, one blank line between."""
    return "\n\n".join(f"[{k}] {text}" for k, text in enumerate(passages, start=1))


def context_prompt(name: str, case: Case, truncate: Callable[[str, int], str], context_tokens: int) -> Prompt:
    """The prompt of p0, p1 or p2 over a case, its context capped at `context_tokens` from the tail.

    `truncate` is the model's own (text, tokens) -> head of the text.
    """
    if name not in INSTRUCTIONS:
        raise AbstainError(f"policy.prompt={name!r} is not a context prompt; it is one of {', '.join(INSTRUCTIONS)}")
    full = context_text(case.passages)
    context = truncate(full, context_tokens)
    head = f"Context:\n{context}\n\nQuestion: {case.question.text}"
    instruction = f"{INSTRUCTIONS[name]}\n\n" if INSTRUCTIONS[name] else ""
    return Prompt(
        name=name,
        question_id=case.question.id,
        condition=case.condition,
        trial=0,
        system=SYSTEM_CONTEXT,
        user=f"{head}\n\n{instruction}{_FORMAT}",
        cut=len(head),
        grammar=GRAMMAR,
        reply="json",
        shown=_as_shown(case.passages, len(context)),
        context_cut=len(context) < len(full),
    )


def closed_prompt(question_id: str, question: str) -> Prompt:
    """The closed-book prompt: the question alone, answered from the model's own knowledge."""
    head = f"Question: {question}"
    return Prompt(
        name="closed",
        question_id=question_id,
        condition="closed",
        trial=0,
        system=SYSTEM_CLOSED,
        user=f"{head}\n\n{CLOSED_INSTRUCTION}\n\n{_FORMAT}",
        cut=len(head),
        grammar=GRAMMAR,
        reply="json",
    )


def _as_shown(passages: tuple[str, ...], budget: int) -> tuple[str, ...]:
    """What is left of each passage when the numbered context is cut after `budget` characters."""
    shown = []
    position = 0
    for k, text in enumerate(passages, start=1):
        start = position + len(f"[{k}] ")
        if start < budget:
            shown.append(text[: budget - start])
        position = start + len(text) + len("\n\n")
    return tuple(shown)
