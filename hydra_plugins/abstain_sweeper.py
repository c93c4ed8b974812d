"""Hydra finds sweepers in this namespace only; the work is done in abstain.sweep."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any

from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from omegaconf import DictConfig, OmegaConf

from abstain.errors import AbstainError


class AbstainSweeper(BasicSweeper):
    """The basic sweeper, which also tells each job of the others, and reports on all of them at the end."""

    def sweep(self, arguments: list[str]) -> Any:
        """Run the sweep inside a parent run; the table at the end stands also when jobs failed."""
        from abstain.sweep import Sweep

        if self.max_batch_size is not None:
            raise AbstainError(
                "hydra.sweeper.max_batch_size: a batch that fails would end the sweep and hide later jobs from earlier "
                "ones; leave it null"
            )
        assert self.config is not None
        self._sweep = Sweep(Path(self.config.hydra.sweep.dir).resolve(), self.config.hydra.launcher)
        try:
            with self._sweep:
                return super().sweep(arguments)
        except BrokenExecutor as error:
            raise AbstainError(
                "a worker process died (killed, or out of memory) and joblib ended the sweep with it; every finished "
                "row is kept: run the same command again, with a smaller hydra.launcher.n_jobs if memory ran out"
            ) from error

    def validate_batch_is_legal(self, batch: Sequence[Sequence[str]]) -> None:
        """Compose every job before the first one starts, and keep what was composed."""
        assert self.config is not None
        assert self.hydra_context is not None
        for overrides in batch:
            config = self.hydra_context.config_loader.load_sweep_config(self.config, list(overrides))
            self._sweep.add(list(overrides), _without_hydra(config))
        self._sweep.start()


def _without_hydra(config: DictConfig) -> DictConfig:
    task = OmegaConf.masked_copy(config, [str(key) for key in config if key != "hydra"])
    OmegaConf.set_readonly(task, None)
    return task
