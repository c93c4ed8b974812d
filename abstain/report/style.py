"""One look for all figures: colours that colour-blind people can tell apart, a marker for each colour, plain names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

# Okabe and Ito's palette without its yellow, which is too light for lines on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

_RC: dict[Any, Any] = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    # Ids in SVG files are random without a salt, and names must never be read as formulas.
    "svg.hashsalt": "abstain",
    "text.parse_math": False,
}


def looks(names: Sequence[str]) -> Mapping[str, dict[str, Any]]:
    """A colour and a marker for each name, in order; they repeat after seven names with other markers."""
    return {
        name: {"color": COLOURS[at % len(COLOURS)], "marker": MARKERS[(at + at // len(COLOURS)) % len(MARKERS)]}
        for at, name in enumerate(names)
    }


def styled() -> AbstractContextManager[None]:
    """The context in which figures are made and saved."""
    from matplotlib import rc_context

    context: AbstractContextManager[None] = rc_context(_RC)
    return context


def percent_axes(axes: Any, x: bool = False) -> None:
    """Set the y axis (and the x axis) to 0..100 %, with room for markers at the ends."""
    ticks = range(0, 101, 20)
    axes.set(ylim=(-3, 103), yticks=ticks)
    if x:
        axes.set(xlim=(-3, 103), xticks=ticks)
