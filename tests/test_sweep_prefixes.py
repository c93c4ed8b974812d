"""A sweep over policies, as real processes: the first job makes what shares its prefixes, the others find it."""

import json
import os
import subprocess
import sys

import pytest

from abstain.tracking import Tracker

LEADERS = {"Oak": "Ada", "Elm": "Bob", "Ash": "Cyd", "Fir": "Dan", "Yew": "Eve", "Bay": "Fay", "Box": "Gus"}
QUESTIONS = len(LEADERS)
ROWS = 2 * QUESTIONS  # q100 and q0
CLOSED = QUESTIONS
POLICIES = ("p0", "p1", "p2")

PREFIXED = '''
"""A scripted model whose prefix is the question, as a backend with tokens has it."""
from dataclasses import replace
from abstain.models.scripted import Scripted


class Prefixed(Scripted):
    def prepare(self, prompts):
        prepared = super().prepare(prompts)
        return [
            replace(request, prefix=tuple(request.prompt.user[: request.prompt.cut].encode())) for request in prepared
        ]
'''


def reply(answer, **selectors):
    said = {"decision": "answer" if answer else "abstain", "answer": answer or "", "confidence": 90, "reasoning": ""}
    return selectors | said


SCRIPT = [
    reply(None, prompt="p2", condition="q0"),  # the policies must differ, or equal metrics would say little
    reply(None, prompt="p1", condition="q0", question="Oak"),
    *(reply(leader, condition="q100", question=clan) for clan, leader in LEADERS.items()),
    reply("Ada"),
]


def prepared(root):
    root.mkdir()
    entries = [
        {"id": clan, "question": f"who leads clan {clan}", "answers": [who], "gold": [f"{who} leads clan {clan}."]}
        for clan, who in LEADERS.items()
    ]
    (root / "q.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    (root / "script.jsonl").write_text("".join(json.dumps(line) + "\n" for line in SCRIPT))
    (root / "mine.py").write_text(PREFIXED)
    return root


def abstain(root, *arguments):
    flags = [argument for argument in arguments if argument.startswith("-")]
    command = [
        sys.executable, "-m", "abstain", *flags, f"paths.root={root}", "dataset=jsonl",
        f"dataset.path={root}/q.jsonl", "model=scripted", "model._target_=mine.Prefixed", "allow_targets=[mine]",
        f"model.path={root}/script.jsonl", "retriever=bm25", "condition.names=[q100,q0,closed]",
        *(argument for argument in arguments if not argument.startswith("-")),
    ]  # fmt: skip
    environment = os.environ | {"PYTHONPATH": str(root)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


def by_policy(root):
    tracker = Tracker(f"sqlite:///{root}/mlruns/mlflow.db", str(root / "mlruns/artifacts"), "abstain")
    return tracker, {run.data.tags["policy"]: run for run in tracker.runs("tags.kind = 'cell'")}


def metrics(root):
    return {policy: run.data.metrics for policy, run in by_policy(root)[1].items()}


def science(values):
    return {name: value for name, value in values.items() if not name.startswith("cost/")}


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    root = prepared(tmp_path_factory.mktemp("sweep") / "swept")
    abstain(root, "-m", f"policy={','.join(POLICIES)}")
    return root


def test_the_first_job_makes_the_prompts_of_its_siblings_and_the_others_generate_nothing(swept):
    found = metrics(swept)
    assert found["p0"]["cost/generated"] == len(POLICIES) * ROWS + CLOSED
    assert found["p0"]["cost/reused"] == 0
    assert [found[policy]["cost/generated"] for policy in ("p1", "p2")] == [0, 0]
    # Each reads its own rows and the closed book; p2 also p1 at q100, the anchor of the capability set.
    assert found["p1"]["cost/reused"] == ROWS + CLOSED
    assert found["p2"]["cost/reused"] == ROWS + QUESTIONS + CLOSED


def test_each_prefix_is_evaluated_once_for_all_policies(swept, tmp_path):
    import pyarrow.parquet as pq

    tracker, runs = by_policy(swept)
    table = pq.read_table(tracker.artifact(runs["p0"].info.run_id, "responses.parquet", tmp_path)).to_pylist()
    prefixes = []
    for row in table:
        if row["condition"] != "closed":
            asked = f"Question: {row['question']}"
            prefixes.append(row["prompt"][: row["prompt"].index(asked) + len(asked)])
    assert len(set(prefixes)) == ROWS
    saved = (len(POLICIES) - 1) * sum(len(prefix.encode()) for prefix in prefixes)
    assert runs["p0"].data.metrics["cost/prefix_tokens_saved"] == saved
    assert runs["p1"].data.metrics["cost/prefix_tokens_saved"] == 0


def test_a_job_alone_makes_only_its_own_and_has_the_metrics_of_the_sweep(swept, tmp_path):
    own = {"p0": ROWS + QUESTIONS + CLOSED, "p1": ROWS + CLOSED, "p2": ROWS + QUESTIONS + CLOSED}
    together = metrics(swept)
    assert len({values["answer_rate/q0"] for values in together.values()}) == len(POLICIES)
    for policy in POLICIES:
        root = prepared(tmp_path / policy)
        abstain(root, f"policy={policy}")
        alone = metrics(root)[policy]
        assert (alone["cost/generated"], alone["cost/reused"]) == (own[policy], 0)
        assert science(alone) == science(together[policy])
