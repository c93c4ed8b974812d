import math
import os
import socket
import subprocess
import sys

import pytest

from abstain.errors import AbstainError
from abstain.tracking import StepMetric, Tracker, finite


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def tracker(request, tmp_path_factory):
    root = tmp_path_factory.mktemp("mlruns")
    uri = f"sqlite:///{root}/mlflow.db"
    if request.param == "postgresql":
        uri = request.getfixturevalue("postgres").database()
    return Tracker(uri, str(root / "artifacts"), "abstain")


@pytest.mark.parametrize("uri", ["mlruns", "./mlruns", "file:///tmp/mlruns", "/tmp/mlruns"])
def test_a_folder_as_tracking_uri_is_refused_with_the_form_that_works(uri):
    with pytest.raises(AbstainError, match="sqlite:////absolute/path"):
        Tracker(uri, "artifacts", "abstain")


def test_a_run_is_stored_under_its_parent_with_metrics_steps_and_artifacts(tracker, tmp_path):
    (tmp_path / "metrics.json").write_text("{}")
    parent = tracker.open_parent("day/time")
    with tracker.run("cell", {"policy": "p1"}, {"policy.name": "p1", "long": "x" * 9000}, parent) as run:
        run.log({"hwsa/qc": 0.5, "aurc": None}, [StepMetric("sweep_f1/hwsa/qc", 0.25, 80)], tmp_path)
    tracker.close_parent(parent, "FINISHED")
    (found,) = tracker.runs("tags.policy = 'p1'")
    assert found.info.status == "FINISHED"
    assert found.data.metrics == {"hwsa/qc": 0.5, "sweep_f1/hwsa/qc": 0.25}
    assert found.data.params == {"policy.name": "p1"}
    assert found.data.tags["mlflow.parentRunId"] == parent
    assert tracker.artifact(found.info.run_id, "metrics.json", tmp_path / "..").read_text() == "{}"


def test_an_exception_ends_the_run_as_failed_with_its_traceback(tracker, tmp_path):
    with pytest.raises(ZeroDivisionError), tracker.run("broken", {"policy": "px"}, {}, None):
        1 / 0  # noqa: B018
    (found,) = tracker.runs("tags.policy = 'px'")
    assert found.info.status == "FAILED"
    assert found.data.tags["error"] == "ZeroDivisionError: division by zero"
    assert "1 / 0" in tracker.artifact(found.info.run_id, "traceback.txt", tmp_path).read_text()


def test_an_interrupt_ends_the_run_as_killed(tracker):
    with pytest.raises(KeyboardInterrupt), tracker.run("stopped", {"policy": "pk"}, {}, None):
        raise KeyboardInterrupt
    (found,) = tracker.runs("tags.policy = 'pk'")
    assert found.info.status == "KILLED"


_DIES = """
import os, signal, sys
from abstain.tracking import Tracker
root = sys.argv[1]
tracker = Tracker(f"sqlite:///{root}/mlflow.db", f"{root}/artifacts", "abstain")
tracker.open_parent("dead/sweep")
with tracker.run("dead", {"policy": "dead"}, {}, None):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_run_whose_process_was_killed_is_marked_when_the_next_one_starts(tmp_path):
    tracker = Tracker(f"sqlite:///{tmp_path}/mlflow.db", str(tmp_path / "artifacts"), "abstain")
    with tracker.run("alive", {"policy": "alive"}, {}, None):
        subprocess.run([sys.executable, "-c", _DIES, str(tmp_path)], check=False)
        assert {run.info.status for run in tracker.runs("tags.policy = 'dead'")} == {"RUNNING"}
        with tracker.run("next", {"policy": "next"}, {}, None):
            pass
        assert {run.info.status for run in tracker.runs("tags.policy = 'dead'")} == {"KILLED"}
        assert {run.info.status for run in tracker.runs("tags.kind = 'sweep'")} == {"KILLED"}
        assert {run.info.status for run in tracker.runs("tags.policy = 'alive'")} == {"RUNNING"}


def test_a_run_of_another_machine_is_never_called_dead(tracker):
    elsewhere = {"policy": "far", "host": "another-machine", "pid": "1"}
    run_id = tracker.open_parent("far/sweep")
    for key, value in elsewhere.items():
        tracker._client.set_tag(run_id, key, value)
    assert run_id not in tracker.end_dead_runs()
    tracker.close_parent(run_id, "FINISHED")


def test_nan_and_infinity_become_undefined():
    assert finite({"a": math.nan, "b": math.inf, "c": None, "d": 1}) == {"a": None, "b": None, "c": None, "d": 1.0}


_CHILD = """
import sys
import time
from abstain.tracking import Tracker
with Tracker(sys.argv[1], sys.argv[2], "abstain").run("r", {}, {}, None):
    pass
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_processes_that_start_together_on_a_fresh_database_all_finish(request, tmp_path, kind):
    # Without the lock MLflow's migrations race and most of the processes crash (PITFALLS A1).
    uri = f"sqlite:///{tmp_path}/mlflow.db"
    if kind == "postgresql":
        uri = request.getfixturevalue("postgres").database()
    artifacts = str(tmp_path / "artifacts")
    children = [subprocess.Popen([sys.executable, "-c", _CHILD, uri, artifacts]) for _ in range(4)]
    assert [child.wait() for child in children] == [0] * 4
    runs = Tracker(uri, artifacts, "abstain").runs()
    assert [run.info.status for run in runs] == ["FINISHED"] * 4


def test_a_tracking_server_that_does_not_answer_is_named_at_once(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: connections are refused
        uri = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(
            AbstainError,
            match=rf"^tracking\.uri={uri}.*nothing answers there; start the server, or correct the address$",
        ):
            Tracker(uri, str(tmp_path), "abstain").open_parent("day/time")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda file: file.write_bytes(b"noise" * 4000), "file is not a database.*; move the file away"),
        (lambda file: os.truncate(file, 50_000), "database disk image is malformed.*; the file is damaged"),
    ],
)
def test_a_damaged_database_of_runs_is_one_line_with_the_mend(tmp_path, damage, said):
    place = ("sqlite:///" + str(tmp_path / "mlflow.db"), str(tmp_path / "artifacts"), "abstain")
    with Tracker(*place).run("cell", {}, {}, None):
        pass
    damage(tmp_path / "mlflow.db")
    with pytest.raises(AbstainError, match=f"tracking.uri=sqlite.*{said}"), Tracker(*place).run("cell", {}, {}, None):
        pass


def test_a_database_server_that_is_not_there_is_one_line_without_the_password(tmp_path):
    pytest.importorskip("psycopg", reason="psycopg is not installed (extra `cluster`)")
    gone = Tracker("postgresql+psycopg://me:s3cret@127.0.0.1:1/db", str(tmp_path), "abstain")
    with pytest.raises(AbstainError, match=r"//me:\*\*\*@127.*start the server, or correct the host and port"):
        gone.runs()
