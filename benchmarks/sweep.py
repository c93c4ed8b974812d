"""A whole sweep beside the engine's own time and beside the naive loop, on the same prompts.

    python benchmarks/sweep.py --data ../shared/data/nq_open_oracle.jsonl.gz --questions 12

Runs `abstain -m policy=p0,p1,p2` without reasoning as a user would, its contexts built beforehand (embeddings and
swaps are kept between sweeps). Then: the sweep's wall time to the model time of the responses that it stored (the
engine's own time for the union of the prompts), and to the naive loop that asks every policy's passes anew, its
grammar ending at the confidence. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from hydra import compose, initialize_config_dir

from abstain import schema
from abstain.__main__ import CONF
from abstain.assemble import Parts, assemble
from abstain.cpus import available_cpus
from abstain.models.llama_cpp.source import Source
from abstain.rows import Prompt
from abstain.tasks.grab_rag import GrabRag
from benchmarks.engine import EMBEDDED, run_naive

REASONING = r""" "," ws "\"reasoning\":" ws str"""
"""The part of the paper's grammar that neither way writes here."""


def parts_of(overrides: list[str]) -> Parts:
    """The parts that the command line would construct."""
    schema.register()
    with initialize_config_dir(str(CONF), version_base="1.3", job_name="abstain"):
        return assemble(compose("config", overrides=overrides))


def prompts_of(overrides: list[str], policy: str) -> list[Prompt]:
    """What the naive loop asks for one policy: its rows in all conditions, the closed book included."""
    cell = GrabRag.build(parts_of([*overrides, f"policy={policy}"]))
    prompts = cell.prompts(cell.parts.policy.prompt, closed=True)
    return [prompts[cell.own_pass(case)] for case in cell.rows]


def timed_sweep(overrides: list[str], policies: list[str]) -> float:
    """Wall seconds of the sweep, start-up and MLflow included."""
    command = [sys.executable, "-m", "abstain", "-m", f"policy={','.join(policies)}", *overrides]
    started = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - started


def measure(overrides: list[str], policies: list[str], model: str | None, threads: int) -> dict[str, float]:
    """Run the sweep, read the engine's time from its store, then run the naive loop."""
    parts = parts_of(overrides)
    prompts = [prompt for policy in policies for prompt in prompts_of(overrides, policy)]
    keys = {request.key for request in parts.model.prepare(prompts)}
    sweep = timed_sweep(overrides, policies)
    stored = parts.store.find(keys)
    if stored.keys() != keys:
        raise SystemExit(f"the sweep stored {len(stored)} of {len(keys)} responses")
    engine = sum(response.seconds for response in stored.values())
    path = str(Source(path=model).locate() if model else Source(**EMBEDDED).locate())
    grammar = prompts[0].grammar.replace(REASONING, "")
    naive = run_naive(path, threads, prompts, range(len(prompts)), grammar).seconds
    return {
        "rows": len(prompts),
        "distinct": len(keys),
        "threads": threads,
        "sweep_seconds": sweep,
        "engine_seconds": engine,
        "naive_seconds": naive,
        "sweep_to_engine": sweep / engine,
        "sweep_to_naive": sweep / naive,
    }


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="a GGUF file; else the embedded model")
    parser.add_argument("--data", type=Path, default=Path("../shared/data/nq_open_oracle.jsonl.gz"))
    parser.add_argument("--questions", type=int, default=12)
    parser.add_argument("--policies", nargs="+", default=["p0", "p1", "p2"])
    parser.add_argument("--threads", type=int, default=available_cpus(), help="for both ways alike")
    options = parser.parse_args()
    chosen = [f"model.path={Path(options.model).absolute()}", "model=gguf"] if options.model else ["model=smollm2_135m"]
    with tempfile.TemporaryDirectory() as root:
        overrides = [
            f"paths.root={root}",
            "dataset=nq",
            f"dataset.path={options.data.absolute()}",
            f"dataset.limit={options.questions}",
            f"model.n_threads={options.threads}",
            "model.keep_reasoning=false",
            *chosen,
        ]
        result = measure(overrides, options.policies, options.model, options.threads)
    print(json.dumps({name: round(value, 3) for name, value in result.items()}))


if __name__ == "__main__":
    main()
