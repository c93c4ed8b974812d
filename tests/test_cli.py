"""The command line from the outside, as real processes with a real MLflow database; the model is scripted."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from abstain.tracking import Tracker

QUESTIONS = [
    {"id": f"q{i}", "question": f"who leads clan {name}", "answers": [leader], "gold": [f"{leader} leads clan {name}."]}
    for i, (name, leader) in enumerate(
        [("Oak", "Ada"), ("Elm", "Bob"), ("Ash", "Cyd"), ("Fir", "Dan"), ("Yew", "Eve"), ("Bay", "Fay"), ("Box", "Gus")]
    )
]
ANSWER = {"prompt": "*", "question": "*", "condition": "*"}


def answers(**said):
    return ANSWER | {"decision": "answer", "answer": "Ada", "confidence": 90, "reasoning": "so"} | said


@pytest.fixture
def place(tmp_path):
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(q) + "\n" for q in QUESTIONS))
    (tmp_path / "script.jsonl").write_text(json.dumps(answers()) + "\n")
    return tmp_path


def command(place, *arguments):
    base = [
        f"paths.root={place}",
        "dataset=jsonl",
        f"dataset.path={place}/q.jsonl",
        "model=scripted",
        f"model.path={place}/script.jsonl",
        "retriever=bm25",
        "condition.names=[q100,q0,closed]",
    ]
    flags = [argument for argument in arguments if argument.startswith("-")]
    overrides = [argument for argument in arguments if not argument.startswith("-")]
    return [sys.executable, "-m", "abstain", *flags, *base, *overrides]


def abstain(place, *arguments, code=0):
    done = subprocess.run(command(place, *arguments), capture_output=True, text=True, cwd=place)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def runs(place, kind="cell"):
    found = Tracker(f"sqlite:///{place}/mlruns/mlflow.db", str(place / "mlruns/artifacts"), "abstain").runs()
    return [run for run in found if run.data.tags["kind"] == kind]


def science(run):
    return {name: value for name, value in run.data.metrics.items() if not name.startswith("cost/")}


def test_a_sweep_is_one_parent_with_a_finished_child_a_cell_and_generates_nothing_twice(place):
    first = abstain(place, "-m", "policy=p0,p1,p2")
    (parent,) = runs(place, "sweep")
    children = runs(place)
    assert parent.info.status == "FINISHED"
    assert sorted(run.data.tags["policy"] for run in children) == ["p0", "p1", "p2"]
    assert {run.info.status for run in children} == {"FINISHED"}
    assert {run.data.tags["mlflow.parentRunId"] for run in children} == {parent.info.run_id}
    # 7 questions: p0, p1, p2 at q100 and q0, and 7 closed-book prompts; scripted models have no prefix to share.
    assert sum(run.data.metrics["cost/generated"] for run in children) == 7 * 2 * 3 + 7
    assert "mlflow ui --backend-store-uri" in first.stdout
    abstain(place, "-m", "policy=p0,p1,p2")
    again = runs(place)[:3]
    assert [run.data.metrics["cost/generated"] for run in again] == [0, 0, 0]
    before = {run.data.tags["policy"]: science(run) for run in children}
    assert {run.data.tags["policy"]: science(run) for run in again} == before


def test_the_metrics_and_artifacts_of_a_run_are_those_of_its_rows(place, tmp_path):
    abstain(place, "policy=p1")
    (run,) = runs(place)
    # Everyone is said to be led by Ada, which is right for clan Oak alone.
    assert run.data.metrics["answer_rate/q0"] == 1.0
    assert run.data.metrics["em/q100"] == pytest.approx(1 / 7)
    assert run.data.metrics["n/capable"] == 1
    assert run.data.metrics["fac/q100"] == 0.0
    assert "hwsa/qc" not in run.data.metrics
    source = hashlib.sha256((place / "q.jsonl").read_bytes()).hexdigest()
    assert run.data.tags["dataset.source"] == f"sha256:{source}"
    tracker = Tracker(f"sqlite:///{place}/mlruns/mlflow.db", str(place / "mlruns/artifacts"), "abstain")
    logged = json.loads(tracker.artifact(run.info.run_id, "metrics.json", tmp_path).read_text())
    assert logged["hwsa/qc"] is None
    import pyarrow.parquet as pq

    table = pq.read_table(tracker.artifact(run.info.run_id, "responses.parquet", tmp_path)).to_pylist()
    assert len(table) == 21
    assert {row["outcome"] for row in table if row["condition"] == "q100"} == {"correct", "wrong"}
    assert all("Question: who leads clan" in row["prompt"] for row in table)


def test_a_smaller_limit_reuses_all_its_rows(place):
    abstain(place, "policy=p1")
    abstain(place, "policy=p1", "dataset.limit=3")
    newest = runs(place)[0]
    assert newest.data.metrics["cost/generated"] == 0
    assert newest.data.metrics["n/q100"] == 3


def test_a_job_that_fails_leaves_the_others_alone_and_is_named_in_a_table(place):
    done = abstain(place, "-m", "policy=p1", "thresholds.f1=0.5,7", code=1)
    assert sorted(run.info.status for run in runs(place)) == ["FAILED", "FINISHED"]
    assert runs(place, "sweep")[0].info.status == "FAILED"
    assert "jobs that did not finish" in done.stdout
    assert "thresholds.f1: 7.0 is not between 0 and 1" in done.stdout
    assert "Traceback" not in done.stderr


EXITING = """
from abstain.models.scripted import Scripted
class Exits(Scripted):
    def generate(self, requests):
        raise SystemExit(3)
"""


def test_a_component_that_exits_fails_its_own_job_only(place):
    (place / "mine.py").write_text(EXITING)
    (place / "conf/model").mkdir(parents=True)
    (place / "conf/model/exits.yaml").write_text("defaults: [scripted]\n_target_: mine.Exits\nname: exits\n")
    done = subprocess.run(
        [
            *command(place, "-m", "model=exits,scripted", "allow_targets=[mine]"),
            f"hydra.searchpath=[file://{place}/conf]",
        ],
        capture_output=True,
        text=True,
        cwd=place,
        env=os.environ | {"PYTHONPATH": str(place)},
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "a component called sys.exit(3)" in done.stdout
    assert sorted(run.info.status for run in runs(place)) == ["FAILED", "FINISHED"]


def test_a_server_that_is_not_there_fails_the_run_instead_of_scoring_errors(place):
    arguments = ["model=openai", "model.base_url=http://127.0.0.1:9/v1", "model.name=m", "model.max_retries=0"]
    base = [argument for argument in command(place) if "model" not in argument]
    done = subprocess.run([*base, *arguments], capture_output=True, text=True, cwd=place)
    assert done.returncode != 0
    assert "21 of 21 prompts got no reply from m" in done.stderr
    assert [run.info.status for run in runs(place)] == ["FAILED"]


SLOW = """
import time
from abstain.models.scripted import Scripted
class Slow(Scripted):
    def generate(self, requests):
        for response in super().generate(requests):
            time.sleep(0.3)
            yield response
"""


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, "KILLED"), (signal.SIGKILL, "RUNNING")])
def test_a_killed_run_goes_on_where_it_was_with_the_same_metrics(place, number, status):
    (place / "mine.py").write_text(SLOW)
    arguments = ["model._target_=mine.Slow", "allow_targets=[mine]"]
    environment = os.environ | {"PYTHONPATH": str(place)}
    started = subprocess.Popen(command(place, *arguments), cwd=place, env=environment, stderr=subprocess.PIPE)
    store = place / ".abstain" / "responses.db"
    _wait(lambda: store.exists() and _stored(store) >= 3)
    started.send_signal(number)
    _, errors = started.communicate()
    assert started.returncode in (143, -9)
    assert (b"stopped by SIGTERM; what was finished is kept" in errors) == (number == signal.SIGTERM)
    kept = _stored(store)
    assert [run.info.status for run in runs(place)] == [status]
    subprocess.run(command(place, *arguments), cwd=place, env=environment, check=True, capture_output=True)
    resumed = runs(place)[0]
    assert resumed.info.status == "FINISHED"
    assert resumed.data.metrics["cost/generated"] == 21 - kept
    (place / "elsewhere").mkdir()
    whole = subprocess.run(
        command(place, f"paths.root={place}/elsewhere", *arguments), cwd=place, env=environment, capture_output=True
    )
    assert whole.returncode == 0
    assert science(runs(place / "elsewhere")[0]) == science(resumed)


def _stored(file):
    import sqlite3

    try:
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as connection:
            return connection.execute("select count(*) from responses").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def _wait(reached):
    deadline = time.monotonic() + 120
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["dataset.path=nowhere.jsonl"], "nowhere.jsonl"),
        (["model.path=nowhere.jsonl"], "nowhere.jsonl"),
        (["policy=p9"], "Could not find 'policy/p9'"),
        (["policy.promt=p1"], "policy.promt"),
        (["tracking.uri=./mlruns"], "sqlite:////absolute/path"),
        (["model=gguf", "model.path=script.jsonl"], "GGUF"),
        (["model=gguf"], "model.path"),
    ],
)
def test_bad_input_is_a_clear_line_and_a_bad_exit_code(place, arguments, line):
    base = [argument for argument in command(place) if not arguments[0].startswith("model=") or "model" not in argument]
    done = subprocess.run([*base, *arguments], capture_output=True, text=True, cwd=place)
    assert done.returncode != 0
    assert line in done.stderr
    assert "Traceback" not in done.stderr


def test_showing_the_config_imports_nothing_heavy():
    probe = (
        "import sys; from abstain.__main__ import main; sys.argv = ['abstain', '--cfg', 'job']; main();"
        "heavy = {'torch', 'transformers', 'llama_cpp', 'gliner', 'mlflow', 'spacy', 'sentence_transformers',"
        " 'pandas', 'datasets'} & set(sys.modules); assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, cwd=Path(__file__).parents[1])
    assert done.returncode == 0, done.stderr
    assert "policy:\n  _target_: abstain.policies.single_pass.SinglePass" in done.stdout
