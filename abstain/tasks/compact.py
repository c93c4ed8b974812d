"""task=compact: what the store holds of which model, less of it on request, and no more room than that takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from omegaconf import DictConfig
from rich.console import Console
from rich.table import Table
from rich.text import Text

from abstain.assemble import construct
from abstain.errors import AbstainError
from abstain.store import Holding, Store


@dataclass(frozen=True)
class Compact:
    """Remove the responses of `drop_models` from the store and give free room back to the disk.

    What is removed is generated again when a run asks for it. The runs in MLflow stay as they are.
    """

    drop_models: Sequence[str] = field(default_factory=list)
    tracked: bool = False

    def __call__(self, config: DictConfig) -> None:
        """Print each model's responses, drop, compact, print the sizes."""
        store: Store = construct(config.store)
        holdings = store.holdings()
        if unknown := sorted(set(self.drop_models) - {held.model for held in holdings}):
            known = ", ".join(held.model for held in holdings) or "none"
            raise AbstainError(f"task.drop_models={unknown[0]}: the store has no response of it; it has: {known}")
        before = store.size()
        for model in self.drop_models:
            store.drop(model)
        store.compact()
        self._print(holdings, before, store.size())

    def _print(self, holdings: Sequence[Holding], before: int, after: int) -> None:
        table = Table("model", "responses", "hours of model time", "")
        for held in holdings:
            dropped = "dropped" if held.model in self.drop_models else ""
            table.add_row(Text(held.model), str(held.responses), f"{held.seconds / 3600:.2f}", dropped)
        console = Console()
        console.print(table)
        console.print(f"{before / 2**20:.1f} MiB before, {after / 2**20:.1f} MiB now")
