"""Compaction of a real store, called as a user calls it."""

import subprocess
import sys

from abstain.store import Store
from tests.test_store import response


def compact(root, *overrides):
    command = [sys.executable, "-m", "abstain", "task=compact", f"paths.root={root}", *overrides]
    return subprocess.run(command, capture_output=True, text=True, cwd=root)


def filled(root):
    store = Store(f"sqlite:///{root}/.abstain/responses.db")
    for number in range(200):
        store.keep(response(f"old{number}", "a long answer " * 200), "old")
    store.keep(response("new"), "new")
    return store


def used(root):
    """Bytes on the disk, SQLite's log beside the file included."""
    return sum(file.stat().st_size for file in (root / ".abstain").glob("responses.db*"))


def test_without_models_to_drop_it_says_what_there_is_and_keeps_it(tmp_path):
    store = filled(tmp_path)
    done = compact(tmp_path)
    assert done.returncode == 0, done.stderr
    assert [held.model for held in store.holdings()] == ["new", "old"]
    assert [line.split()[1:4:2] for line in done.stdout.splitlines() if line.startswith("│")] == [
        ["new", "1"],
        ["old", "200"],
    ]


def test_a_dropped_model_is_gone_its_room_too_and_the_rest_stays(tmp_path):
    store = filled(tmp_path)
    before = used(tmp_path)
    done = compact(tmp_path, "task.drop_models=[old]")
    assert done.returncode == 0, done.stderr
    assert store.find(["new", "old0"]) == {"new": response("new")}
    assert used(tmp_path) < before / 2


def test_a_model_that_the_store_does_not_know_is_an_error_that_lists_those_it_knows(tmp_path):
    filled(tmp_path)
    done = compact(tmp_path, "task.drop_models=[old,odl]")
    assert done.returncode == 1
    assert "task.drop_models=odl: the store has no response of it; it has: new, old" in done.stderr
    assert len(Store(f"sqlite:///{tmp_path}/.abstain/responses.db").known(["old0", "new"])) == 2
