"""The wheel carries the configuration, the package data and the sweeper, and works away from the checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_an_installed_wheel_composes_and_knows_its_demo(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # The wheel comes first on the path, so that the checkout's own package is not the one under test.
    probe = (
        "import sys, abstain; from abstain.datasets.demo import Demo; from abstain.__main__ import CONF, main;"
        "print(abstain.__file__, CONF, len(Demo().load().questions)); sys.argv = ['abstain', '--cfg', 'job']; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    first, *config = done.stdout.splitlines()
    assert first.split()[:2] == [str(site / "abstain/__init__.py"), str(site / "abstain/conf")]
    assert int(first.split()[2]) >= 58
    assert "dataset:" in config
    assert (site / "hydra_plugins/abstain_sweeper.py").exists()
    assert (site / "abstain/policies/mcq_prompt.txt").exists()
