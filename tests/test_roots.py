import os
import subprocess

import pytest

from abstain.errors import AbstainError
from abstain.roots import check_root, outputs


def test_what_jobs_leave_is_below_the_root(tmp_path):
    check_root(f"{tmp_path}/new")
    assert outputs(f"{tmp_path}/new") == f"{tmp_path}/new/multirun"


def test_a_file_is_no_root_and_hydra_is_given_another_folder(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(AbstainError, match=r"paths\.root=.*file: cannot be written \(Not a directory\); give another"):
        check_root(f"{tmp_path}/file")
    assert not outputs(f"{tmp_path}/file").startswith(str(tmp_path))


@pytest.mark.parametrize("name", ["a?b=1", "a%20b"])
def test_a_folder_that_a_url_cannot_name_is_refused(tmp_path, name):
    with pytest.raises(AbstainError, match="a database's URL reads"):
        check_root(f"{tmp_path}/{name}")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a disk")
def test_a_read_only_disk_is_refused_even_where_the_folder_exists(tmp_path):
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", tmp_path], check=True)
    try:
        (tmp_path / "multirun").mkdir()
        subprocess.run(["mount", "-o", "remount,ro", tmp_path], check=True)
        with pytest.raises(AbstainError, match="cannot be written"):
            check_root(str(tmp_path))
    finally:
        subprocess.run(["umount", tmp_path], check=True)
