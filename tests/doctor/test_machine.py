import os
import shutil
from collections import namedtuple
from importlib import metadata

import pytest

from abstain.doctor import machine
from abstain.doctor.finding import Verdict

Usage = namedtuple("Usage", "total used free")


def test_the_installed_packages_are_what_this_one_asks_for():
    (found,) = machine.packages()
    assert found.verdict is Verdict.OK
    assert "extras:" in found.found


def test_a_package_older_than_the_one_asked_for_is_named_with_its_mend(monkeypatch):
    installed = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "0.1" if name == "numpy" else installed(name))
    (found,) = machine.packages()
    assert found.verdict is Verdict.FAIL
    assert found.todo.startswith("pip install 'numpy")


def test_a_busy_machine_is_told_to_give_the_model_fewer_threads(monkeypatch):
    monkeypatch.setattr(os, "getloadavg", lambda: (99.0, 99.0, 99.0))
    (found,) = machine.processors()
    assert found.verdict is Verdict.NOTE
    assert "model.n_threads=1" in found.todo


@pytest.mark.parametrize(("free", "verdict"), [(2**20, Verdict.FAIL), (2**30, Verdict.NOTE), (10 * 2**30, Verdict.OK)])
def test_a_disk_fails_when_full_and_is_noted_when_nearly_so(monkeypatch, tmp_path, free, verdict):
    monkeypatch.setattr(shutil, "disk_usage", lambda place: Usage(0, 0, free))
    assert {found.verdict for found in machine.disk(tmp_path)} == {verdict}
