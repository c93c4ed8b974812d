"""Logged runs as the report sees them: cells, and grids of cells that may be compared with each other.

Two cells belong in one table only when they differ in nothing but model, data set and policy. So cells are grouped by
their setting (conditions, thresholds, seed, retriever, NER, NLI, and what `abstain.report.names` found beside these).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from abstain.manifest import IDENTITY
from abstain.report.responses import Facts
from abstain.report.table import Interval
from abstain.scoring.choice import ScoredChoice

AXES = ("model", "dataset", "policy")
SETTING = tuple(group for group in IDENTITY if group not in AXES)
"""The config groups that cells of one table share."""

NOT_RECORDED = "not recorded"
"""The setting of recorded responses, whose config nobody knows."""

Curve = Mapping[float, Mapping[str, float]]
"""Threshold -> metric -> value."""

Setting = tuple[tuple[str, str], ...]
"""Config keys and values, sorted by key."""


@dataclass(frozen=True, eq=False)
class Cell:
    """One run: what it was, its metrics as fractions, its sweep curves and the counts over its rows."""

    run_id: str
    sweep_id: str
    identity: str
    """Hash of the cell's full config; empty where the run has none."""
    started: int
    """Milliseconds since 1970."""
    benchmark: str
    model: str
    dataset: str
    policy: str
    params: Mapping[str, str]
    """Config keys of the cell's identity."""
    metrics: Mapping[str, float]
    """Defined metrics only."""
    curves: Mapping[str, Curve] = field(default_factory=dict)
    """By sweep: ``sweep_f1``, ``sweep_confidence``."""
    facts: Facts = field(default_factory=Facts)
    """Counts over the cell's rows; empty when they were not read."""
    choices: tuple[ScoredChoice, ...] = ()
    """ArcticAbstain: the cell's scored responses."""
    apart: Setting = ()
    """What else sets it apart from most cells of its names, such as a smaller ``dataset.limit``."""
    lost: str = ""
    """The artifact that the run should have but has not."""

    def get(self, metric: str) -> float | None:
        """A metric, None where it is undefined."""
        return self.metrics.get(metric)

    def interval(self, metric: str) -> Interval | None:
        """A metric with its interval, None where it is undefined."""
        value = self.get(metric)
        return None if value is None else Interval(value, self.get(f"{metric}_low"), self.get(f"{metric}_high"))

    def count(self, metric: str) -> int | None:
        """A metric that is a number of things."""
        value = self.get(metric)
        return None if value is None else round(value)

    @property
    def setting(self) -> Setting:
        """All of the cell's identity but its model, data set and policy; empty where its run recorded none."""
        return tuple(sorted(recorded(self, SETTING) + self.apart))


@dataclass(frozen=True)
class Grid:
    """The cells under one setting by model, data set and policy; a slot without a cell is a missing cell."""

    setting: Setting
    models: tuple[str, ...]
    datasets: tuple[str, ...]
    policies: tuple[str, ...]
    cells: Mapping[tuple[str, str, str], Cell]

    def at(self, model: str, dataset: str, policy: str) -> Cell | None:
        """The cell of a slot, None when it is missing."""
        return self.cells.get((model, dataset, policy))

    def slots(self) -> Iterator[tuple[tuple[str, str, str], Cell | None]]:
        """Every (model, dataset, policy) with its cell, in the order of the tables."""
        for slot in itertools.product(self.models, self.datasets, self.policies):
            yield slot, self.cells.get(slot)

    def of_policy(self, policy: str) -> list[Cell | None]:
        """The cells of one policy over all models and data sets."""
        return [self.at(model, dataset, policy) for model, dataset in itertools.product(self.models, self.datasets)]

    def values(self, policy: str, metric: str) -> list[float | None]:
        """One metric over the cells of a policy."""
        return [get(cell, metric) for cell in self.of_policy(policy)]

    @property
    def missing(self) -> list[tuple[str, str, str]]:
        """The slots without a cell."""
        return [slot for slot, cell in self.slots() if cell is None]


def get(cell: Cell | None, metric: str) -> float | None:
    """A metric of a cell that may be missing."""
    return None if cell is None else cell.get(metric)


def grids(cells: Iterable[Cell], preferred: Mapping[str, str] | None = None) -> list[Grid]:
    """One grid a setting, of named cells: the main one first, which has the most cells.

    Of equally large ones the one that agrees most with `preferred`, config keys and values, is the main one, and of
    equally agreeing ones the newest. Models and data sets keep the order in which they were first run, policies are
    sorted. Of two cells in one slot the newer stands.
    """
    liked = (preferred or {}).items()
    by_setting: dict[Setting, list[Cell]] = {}
    for cell in sorted(cells, key=lambda cell: cell.started):
        by_setting.setdefault(cell.setting, []).append(cell)
    groups = sorted(
        by_setting.items(),
        key=lambda group: (len(group[1]), len(liked & set(group[0])), group[1][-1].started),
        reverse=True,
    )
    return [
        Grid(
            setting,
            tuple(dict.fromkeys(cell.model for cell in group)),
            tuple(dict.fromkeys(cell.dataset for cell in group)),
            tuple(sorted({cell.policy for cell in group})),
            {(cell.model, cell.dataset, cell.policy): cell for cell in group},
        )
        for setting, group in groups
    ]


def difference(setting: Setting, main: Setting) -> str:
    """What sets a setting apart from the main one, as overrides; ``main`` where nothing does."""
    if setting == main:
        return "main"
    if not setting:
        return NOT_RECORDED
    changed = [pair for pair in setting if pair not in main]
    lacking = [f"~{key}" for key, _ in main if key not in dict(setting)]
    return _overrides(changed, setting) or " ".join([*(f"{key}={value}" for key, value in changed), *lacking])


def description(setting: Setting) -> str:
    """A setting as overrides for a reader."""
    return _overrides(setting, setting) or NOT_RECORDED


def recorded(cell: Cell, groups: Sequence[str]) -> Setting:
    """What the cell's run recorded of some config groups."""
    return tuple(sorted((key, value) for key, value in cell.params.items() if key.split(".")[0] in groups))


def _overrides(pairs: Iterable[tuple[str, str]], setting: Setting) -> str:
    """Classes by name, without what is unset and encoders that the setting does not use."""
    used = dict(setting).get("retriever.encoder")
    shown = []
    for key, value in pairs:
        unused = key.startswith("retriever.encoders.") and not key.startswith(f"retriever.encoders.{used}.")
        if unused or value == "None":
            continue
        group, _, last = key.rpartition(".")
        shown.append(f"{group}={value.rpartition('.')[2]}" if last == "_target_" else f"{key}={value}")
    return " ".join(shown)
