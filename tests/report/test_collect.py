import sqlite3
from dataclasses import replace

import pytest

from abstain.errors import AbstainError
from abstain.report.collect import Selection, newest, parent_of, select
from abstain.tracking import Tracker

TAGS = {"benchmark": "grab_rag", "dataset": "nq", "model": "m", "policy": "p1"}


@pytest.fixture(scope="module")
def tracker(tmp_path_factory):
    root = tmp_path_factory.mktemp("mlruns")
    return Tracker(f"sqlite:///{root}/mlflow.db", str(root / "artifacts"), "abstain")


def log(tracker, tmp_path, tags, metrics=None, params=None, parent=None):
    with tracker.run("cell", TAGS | tags, params or {}, parent) as run:
        run.log(metrics or {}, [], tmp_path)
    return run.run_id


def test_the_newest_run_of_each_identity_stands(make_cell):
    old, new, other = (
        make_cell(run_id=name, identity=identity, started=at)
        for at, (name, identity) in enumerate((("old", "1"), ("new", "1"), ("other", "2")))
    )
    assert {cell.run_id for cell in newest([new, old, other])} == {"new", "other"}


def test_replayed_models_share_a_config_but_are_different_cells(make_cell):
    assert len(newest([make_cell("a", identity="1"), make_cell("b", identity="1")])) == 2


def test_runs_without_an_identity_stand_for_themselves(make_cell):
    assert len(newest([make_cell(run_id="1"), make_cell(run_id="2")])) == 2


def test_unfinished_runs_and_runs_above_sweeps_are_no_cells(tracker, tmp_path):
    kept = log(
        tracker, tmp_path, {"config_sha256": "a", "seed": "42"}, {"hwsa/qc": 0.5, "aurc": None}, {"seed.value": 42}
    )
    with pytest.raises(ZeroDivisionError), tracker.run("cell", TAGS | {"seed": "42"}, {}, None):
        1 / 0  # noqa: B018
    tracker.close_parent(tracker.open_parent("day/time"), "FINISHED")
    (cell,) = select(tracker, Selection(tags={"seed": "42"}))
    assert (cell.run_id, cell.get("hwsa/qc"), cell.get("aurc")) == (kept, 0.5, None)
    assert (cell.model, cell.policy, cell.setting, cell.identity) == ("m", "p1", (("seed.value", "42"),), "a")


def test_runs_are_selected_by_sweep_and_by_tags(tracker, tmp_path):
    parent = tracker.open_parent("it's/1")
    inside = log(tracker, tmp_path, {"sweep_id": "it's/1", "config_sha256": "b", "thresholds.f1": "0.4"}, parent=parent)
    log(tracker, tmp_path, {"sweep_id": "2", "config_sha256": "c", "thresholds.f1": "0.4"})
    cells = select(tracker, Selection(sweep_id="it's/1"))
    assert [cell.run_id for cell in cells] == [inside]
    assert parent_of(tracker, cells) == parent
    both = select(tracker, Selection(tags={"thresholds.f1": "0.4"}))
    assert len(both) == 2
    assert parent_of(tracker, both) is None


def test_nothing_selected_is_an_error_that_says_what_was_asked_for(tracker):
    with pytest.raises(AbstainError, match="no FINISHED run with sweep_id=none, seed=7 in the experiment 'abstain'"):
        select(tracker, Selection("none", {"seed": "7"}))


def test_an_experiment_that_is_not_there_is_not_made_by_asking_for_it(tracker):
    misspelled = replace(tracker, experiment="abstian")
    with pytest.raises(AbstainError, match=r"in the experiment 'abstian' .*task.experiment= one of .*abstain"):
        select(misspelled, Selection())
    assert "abstian" not in tracker.experiments()


def test_more_than_a_thousand_runs_are_all_found(tracker, tmp_path):
    # One real run, copied inside the database: making a thousand through the client takes minutes.
    run_id = log(tracker, tmp_path, {"many": "yes", "config_sha256": "many-0"}, {"hwsa/qc": 0.25})
    with sqlite3.connect(tracker.uri.removeprefix("sqlite:///")) as database:
        for table in ("runs", "tags", "latest_metrics", "metrics"):
            copy(database, table, run_id, 1000)
        database.execute(
            "UPDATE tags SET value = 'many-' || run_uuid WHERE key = 'config_sha256' AND run_uuid LIKE 'copy-%'"
        )
    cells = select(tracker, Selection(tags={"many": "yes"}))
    assert len(cells) == 1001
    assert {cell.get("hwsa/qc") for cell in cells} == {0.25}


def copy(database, table, run_id, times):
    columns = [name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")]
    at = columns.index("run_uuid")
    for row in database.execute(f"SELECT * FROM {table} WHERE run_uuid = ?", (run_id,)).fetchall():
        copies = [(*row[:at], f"copy-{number:027d}", *row[at + 1 :]) for number in range(times)]
        database.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(columns))})", copies)
