"""What cells are called, and what sets those of one name apart.

One name can stand for several things. What says which thing it is (another file, another repository) goes into the
label, so that two files called `nq` are two data sets. What says how much of it is used or how (`limit`, `max_tokens`)
is a matter of setting instead: a data set must not be averaged with the first questions of itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from abstain.report.cells import AXES, Cell, Setting, recorded

_WHICH = frozenset(
    {
        *("_target_", "path", "package", "package_file"),
        *("hub", "hub_config", "hub_file", "hub_repo", "revision", "split", "base_url"),
    }
)
"""Keys that say which data set or model stands behind a name."""


def named(cells: Sequence[Cell]) -> list[Cell]:
    """The cells with labels that tell different things apart, and with what else sets each apart from its namesakes.

    Cells without a recorded config keep their names.
    """
    known = [cell for cell in cells if cell.params]
    labels = {axis: _labels(axis, known) for axis in AXES}
    apart = {axis: _apart(axis, known, labels[axis]) for axis in AXES}
    return [
        replace(
            cell,
            **{axis: labels[axis].get(cell, getattr(cell, axis)) for axis in AXES},
            apart=tuple(pair for axis in AXES for pair in apart[axis].get(cell, ())),
        )
        for cell in cells
    ]


def _labels(axis: str, cells: Iterable[Cell]) -> dict[Cell, str]:
    labels = {}
    for name, group in _grouped((getattr(cell, axis), cell) for cell in cells).items():
        for cell, pairs in _telling(axis, group).items():
            which = [f"{key.removeprefix(axis + '.')}={value}" for key, value in pairs if _says_which(key)]
            labels[cell] = f"{name} ({', '.join(which)})" if which else name
    return labels


def _apart(axis: str, cells: Iterable[Cell], labels: dict[Cell, str]) -> dict[Cell, Setting]:
    """What a cell has that the usual ones of its label lack: the most of them, and of equally many the newest."""
    apart: dict[Cell, Setting] = {}
    for group in _grouped((labels[cell], cell) for cell in cells).values():
        variants = {
            cell: tuple(pair for pair in pairs if not _says_which(pair[0]))
            for cell, pairs in _telling(axis, group).items()
        }
        counts = Counter(variants.values())
        usual = variants[max(group, key=lambda cell: (counts[variants[cell]], cell.started))]
        apart |= {cell: tuple(pair for pair in variant if pair not in usual) for cell, variant in variants.items()}
    return apart


def _telling(axis: str, group: Sequence[Cell]) -> dict[Cell, Setting]:
    """The config of each cell under one axis, as far as not all of the group share it."""
    held = Counter(pair for cell in group for pair in recorded(cell, [axis]))
    return {cell: tuple(pair for pair in recorded(cell, [axis]) if held[pair] < len(group)) for cell in group}


def _says_which(key: str) -> bool:
    return key.rpartition(".")[2] in _WHICH


def _grouped(pairs: Iterable[tuple[str, Cell]]) -> dict[str, list[Cell]]:
    groups: dict[str, list[Cell]] = defaultdict(list)
    for name, cell in pairs:
        groups[name].append(cell)
    return groups
