"""The entrypoint: compose the configuration, construct the task, run it; nothing else."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from types import FrameType

import hydra
from hydra.utils import instantiate
from omegaconf import DictConfig

from abstain import schema
from abstain.checks import check
from abstain.roots import check_root

_PACKAGE = Path(__file__).parent
CONF = next(folder for folder in (_PACKAGE / "conf", _PACKAGE.parent / "conf") if folder.is_dir())
"""Inside an installed wheel, else beside the package in a checkout."""


@hydra.main(version_base="1.3", config_path=str(CONF), config_name="config")
def _job(config: DictConfig) -> None:
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _terminate)  # a launcher's worker never ran `main`, and submitit's ignores it
    check(config)
    check_root(config.paths.root)
    instantiate(config.task)(config)


def main() -> None:
    """Run the command line `abstain`."""
    schema.register()
    signal.signal(signal.SIGTERM, _terminate)
    try:
        _job()
    except KeyboardInterrupt as interrupt:
        code = int(interrupt.args[0]) if interrupt.args else 128 + signal.SIGINT
        name = signal.Signals(code - 128).name
        print(f"stopped by {name}; what was finished is kept: the same command goes on from there", file=sys.stderr)
        sys.exit(code)


def _terminate(number: int, _: FrameType | None) -> None:
    """End like Ctrl-C, so that open runs are closed as KILLED and a sweep stops instead of going on."""
    raise KeyboardInterrupt(128 + number)


if __name__ == "__main__":
    main()
