"""What the framework itself costs a row: a scripted run, and a plan over a large store. Prints JSON.

python benchmarks/framework.py
"""

from __future__ import annotations

import json
import resource
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from sqlalchemy import create_engine

from abstain.generate import complete, plan
from abstain.models.scripted import Scripted
from abstain.policies.prompts import closed_prompt
from abstain.rows import Prompt, Response
from abstain.store import Store

PROMPTS = 500
STORED = 100_000


def scripted_ms_per_prompt(folder: Path) -> float:
    """Milliseconds a prompt from its text to its stored response, through a model that costs nothing."""
    script = folder / "script.jsonl"
    script.write_text('{"decision": "answer", "answer": "x", "confidence": 50, "reasoning": ""}\n', encoding="utf-8")
    model, store = Scripted(str(script)), Store(f"sqlite:///{folder}/small.db")
    store.known([])  # the schema is made once a project, not once a run
    started = time.perf_counter()
    done = complete(model, store, plan(model, store, prompts(PROMPTS)), lambda: None)
    assert done.generated == PROMPTS
    return 1000 * (time.perf_counter() - started) / PROMPTS


def plan_seconds(folder: Path) -> float:
    """Seconds to plan 100,000 prompts against a store that holds all their responses."""
    model, store = Scripted(str(folder / "script.jsonl")), Store(f"sqlite:///{folder}/large.db")
    fill(store, [request.key for request in model.prepare(prompts(STORED))])
    started = time.perf_counter()
    known = store.known(request.key for request in model.prepare(prompts(STORED)))
    assert len(known) == STORED
    return time.perf_counter() - started


def fill(store: Store, keys: list[str]) -> None:
    """Put a response under each key in few transactions: making them is not what is measured."""
    store.known([])
    response = Response("", True, "answer", "x", 50, "", '{"decision":"answer"}' * 5, "complete", 700, 30, 1.0)
    store.keep(replace(response, key="template"), "m")
    engine = create_engine(store.url)
    with engine.begin() as connection:
        columns = [column[1] for column in connection.exec_driver_sql("pragma table_info(responses)")]
        others = ", ".join(column for column in columns if column != "key")
        connection.exec_driver_sql(
            f"insert into responses (key, {others}) select ?, {others} from responses where key = 'template'",
            [(key,) for key in keys],
        )


def prompts(count: int) -> list[Prompt]:
    """Distinct closed-book prompts."""
    return [closed_prompt(f"q{number}", f"what is the number {number}") for number in range(count)]


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        result = {
            "scripted_ms_per_prompt": scripted_ms_per_prompt(Path(folder)),
            "stored": STORED,
            "plan_seconds": plan_seconds(Path(folder)),
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }
    print(json.dumps({name: round(value, 3) for name, value in result.items()}))


if __name__ == "__main__":
    main()
