"""A table of the report: raw values and what they mean, nothing about how they are printed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

T = TypeVar("T")


class Kind(StrEnum):
    """What a number in a column is, hence how people read it."""

    TEXT = "text"
    COUNT = "count"
    PERCENT = "percent"
    """A fraction, printed as percent."""
    POINTS = "points"
    """A difference of two fractions, printed as signed percentage points."""
    FINE_PERCENT = "fine_percent"
    """A fraction or difference, as percent with two decimals and no plus sign, where the papers print it so."""
    NUMBER = "number"
    """A score in 0..1 that the papers print with three decimals."""
    P_VALUE = "p_value"
    CONFIDENCE = "confidence"
    """On the models' own scale from 0 to 100."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95% interval; the bounds are None where only the estimate is known."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Mean:
    """A plain mean over cells, and over how many of the cells that there should be."""

    value: float | None
    cells: int
    of: int


Value = str | int | float | Interval | Mean | None
"""None is a missing or undefined value: it is shown as such and never becomes zero. "" is no value at all, such as a
mean of counts."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name in CSV, its heading elsewhere, and what its values are."""

    name: str
    title: str
    kind: Kind
    shape: type[Interval] | type[Mean] | None = None
    """Whether the values are intervals or means; CSV then has columns for their parts."""


@dataclass(frozen=True)
class Table:
    """Rows of raw values under columns, with a caption that says what is pooled, averaged or a median."""

    name: str
    """Stem of the files."""
    title: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    summary: tuple[tuple[Value, ...], ...] = ()
    """Rows below the line: means and totals."""
    needs: str = ""
    """What to run to get this table, said where it has no rows."""

    @property
    def labels(self) -> int:
        """How many leading columns name the row."""
        kinds = [column.kind is Kind.TEXT for column in self.columns]
        return kinds.index(False) if False in kinds else len(kinds)


def mean(values: Iterable[float | None]) -> Mean:
    """The plain mean of the values that are there."""
    listed = list(values)
    there = present(listed)
    return Mean(math.fsum(there) / len(there) if there else None, len(there), len(listed))


def present(values: Iterable[T | None]) -> list[T]:
    """What is not missing."""
    return [value for value in values if value is not None]


def text(name: str, title: str) -> Column:
    """A column that names rows."""
    return Column(name, title, Kind.TEXT)
