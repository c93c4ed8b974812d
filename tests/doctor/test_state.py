import subprocess
import sys

from abstain.doctor import state
from abstain.doctor.finding import Verdict
from abstain.store import Store
from abstain.tracking import Tracker
from tests.test_store import response

_DIES = """
import os, signal, sys
from abstain.tracking import Tracker
root = sys.argv[1]
with Tracker(f"sqlite:///{root}/mlflow.db", f"{root}/artifacts", "abstain").run("cell", {}, {}, None):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def tracker(root):
    return Tracker(f"sqlite:///{root}/mlflow.db", f"{root}/artifacts", "abstain")


def test_looking_for_a_store_and_for_runs_makes_neither(tmp_path):
    findings = [*state.store(Store(f"sqlite:///{tmp_path}/r.db")), *state.tracking(tracker(tmp_path))]
    assert {found.verdict for found in findings} == {Verdict.OK}
    assert list(tmp_path.iterdir()) == []


def test_a_store_says_what_it_holds(tmp_path):
    store = Store(f"sqlite:///{tmp_path}/r.db")
    store.keep(response("k1"), "m")
    (found,) = state.store(store)
    assert (found.verdict, found.found) == (Verdict.OK, f"1 responses of 1 models at {tmp_path}/r.db")


def test_a_store_on_a_server_says_what_it_holds_without_its_password(postgres):
    url = postgres.database()
    Store(url).keep(response("k1"), "m")
    (found,) = state.store(Store(url))
    assert found.verdict is Verdict.OK
    assert found.found.startswith("1 responses of 1 models at postgresql+psycopg://tester:***@127.0.0.1:")


def test_a_damaged_store_is_a_failure(tmp_path):
    store = Store(f"sqlite:///{tmp_path}/r.db")
    for number in range(300):
        store.keep(response(f"k{number}", "a long answer " * 100), "m")
    store.compact()
    whole = (tmp_path / "r.db").read_bytes()
    (tmp_path / "torn.db").write_bytes(whole[:8192] + b"\xff" * 40_000 + whole[48_192:])
    (found,) = state.store(Store(f"sqlite:///{tmp_path}/torn.db"))
    assert (found.verdict, found.found) == (Verdict.FAIL, f"sqlite:///{tmp_path}/torn.db is damaged")
    assert found.todo.startswith("move it away or put a copy back")


def test_runs_whose_process_died_are_ended_and_told(tmp_path):
    subprocess.run([sys.executable, "-c", _DIES, str(tmp_path)], check=False)
    counted, told = state.tracking(tracker(tmp_path))
    assert counted.found == f"1 KILLED in abstain at sqlite:///{tmp_path}/mlflow.db"
    assert told.verdict is Verdict.NOTE
    assert [run.info.status for run in tracker(tmp_path).runs()] == ["KILLED"]


def test_a_database_on_a_network_disk_is_noted(monkeypatch, tmp_path):
    Store(f"sqlite:///{tmp_path}/r.db").keep(response("k1"), "m")
    monkeypatch.setattr(state, "_filesystem", lambda file: "nfs4")
    found = state.store(Store(f"sqlite:///{tmp_path}/r.db"))[-1]
    assert (found.what, found.verdict) == ("store.url", Verdict.NOTE)
    assert "PostgreSQL" in found.todo
