"""`paths.root`, the folder of all that is made: looked at before Hydra writes there."""

from __future__ import annotations

import errno
import getpass
import os
import tempfile
from pathlib import Path

from abstain.errors import AbstainError

_READ_AS_URL = "?%"


def outputs(root: str) -> str:
    """The folder of what jobs leave, for Hydra.

    Where nothing can be written below `root` it is a temporary one: Hydra makes the folder before any code of ours
    runs, and would end with a traceback where `check_root` says the same in a line.
    """
    try:
        return str(_made(root))
    except OSError:
        return str(Path(tempfile.gettempdir()) / f"abstain-{getpass.getuser()}" / "multirun")


def check_root(root: str) -> None:
    """Raise AbstainError when nothing can be written below `root`, or when its name cannot be part of a URL."""
    if wrong := set(_READ_AS_URL) & set(str(Path(root).absolute())):
        raise AbstainError(
            f"paths.root={root}: a database's URL reads {' and '.join(sorted(wrong))} as something else; "
            "give a folder without it"
        )
    try:
        _made(root)
    except OSError as error:
        raise AbstainError(f"paths.root={root}: cannot be written ({error.strerror}); give another FOLDER") from error


def _made(root: str) -> Path:
    folder = Path(root).absolute() / "multirun"
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return folder
