"""The figures: abstention by condition, safety against utility, threshold curves, ArcticAbstain's paired segments.

Each takes a grid and gives a matplotlib figure, or None where the grid has nothing to draw. They use no global state
and run without a display.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np

from abstain.report.cells import Cell, Grid, get
from abstain.report.formats import show
from abstain.report.grab_rag import CONDITIONS
from abstain.report.responses import Share
from abstain.report.sensitivity import CURVE_METRICS, CURVES, THRESHOLDS, macro_curve
from abstain.report.style import COLOURS, looks, percent_axes
from abstain.report.table import Kind, Mean, mean, present

_RESAMPLES = 10_000
_PANELS_IN_A_ROW = 3
_APART = 0.05
"""Between the points of two policies at one condition; conditions are 1 apart."""


def abstention(grid: Grid) -> Any | None:
    """Abstention rate by condition, a line a policy and a panel a model, averaged over data sets (Figure 2)."""
    lines = {
        (model, policy): points
        for model in grid.models
        for policy in grid.policies
        if (points := _abstention_points(grid, model, policy))
    }
    models = [model for model in grid.models if any(name == model for name, _ in lines)]
    if not models:
        return None
    figure, panels = _panels(models)
    style = looks(grid.policies)
    for model, axes in zip(models, panels, strict=True):
        axes.axvspan(1.5, 3.5, color="#f9dede", zorder=0, lw=0)
        for place, policy in enumerate(grid.policies):
            points = lines.get((model, policy), {})
            # Policies often abstain at the same rate, and lines on top of each other look like one.
            x = np.array(list(points)) + _APART * (place - (len(grid.policies) - 1) / 2)
            rates, lows, highs = (np.array([point[part] for point in points.values()]) * 100 for part in range(3))
            axes.fill_between(x, lows, highs, color=style[policy]["color"], alpha=0.18, lw=0)
            axes.plot(x, rates, label=policy, lw=1.8, ms=5.5, **style[policy])
        axes.set(title=_wrapped(model), xlabel="Context condition", xlim=(-0.3, 3.5))
        axes.set_xticks(range(len(CONDITIONS)), CONDITIONS)
        percent_axes(axes)
    _y_label(panels, "Abstention rate (%)")
    _legend(figure, panels)
    return figure


def _abstention_points(grid: Grid, model: str, policy: str) -> dict[int, tuple[float, float, float]]:
    """Place of the condition -> mean abstention over the model's data sets, with its interval."""
    datasets = [d for d in grid.datasets if any(grid.at(model, d, p) for p in grid.policies)]
    cells = [grid.at(model, dataset, policy) for dataset in datasets]
    points = {}
    for at, condition in enumerate(CONDITIONS):
        shares = [cell.facts.abstained.get(condition) for cell in cells if cell]
        known = [share for share in present(shares) if share.n]
        # A mean over other data sets than its neighbours' would be no point of the same line.
        if known and len(known) == len(datasets):
            points[at] = mean_with_interval(known)
    return points


def mean_with_interval(shares: Sequence[Share]) -> tuple[float, float, float]:
    """The mean of the shares of independent samples with its 95% percentile bootstrap interval.

    Resampling n rows with replacement from a sample with k hits gives a binomial count, so it is drawn as one.
    """
    generator = np.random.default_rng(0)
    rates = [share.hits / share.n for share in shares]
    draws = [generator.binomial(s.n, rate, _RESAMPLES) / s.n for s, rate in zip(shares, rates, strict=True)]
    low, high = np.percentile(np.mean(draws, axis=0), [2.5, 97.5])
    return float(np.mean(rates)), float(low), float(high)


def safety_utility(grid: Grid) -> Any | None:
    """HwSA at qc against the answer rate at q100: the macro average of each policy over its cells."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.6, 5.2), layout="constrained")
    axes = figure.subplots()
    for policy, style in looks(grid.policies).items():
        pairs = [(get(cell, "answer_rate/q100"), get(cell, "hwsa/qc")) for cell in grid.of_policy(policy)]
        known = [(100 * answers, 100 * hwsa) for answers, hwsa in pairs if answers is not None and hwsa is not None]
        if known:
            axes.scatter([x for x, _ in known], [y for _, y in known], s=22, alpha=0.35, lw=0, **style)
            x, y = np.mean(known, axis=0)
            label = policy if len(known) == len(pairs) else f"{policy} ({len(known)}/{len(pairs)})"
            axes.scatter(x, y, s=130, edgecolors="white", lw=1.2, label=label, zorder=3, **style)
    if not axes.collections:
        return None
    percent_axes(axes, x=True)
    axes.set(
        xlabel="Answer rate at q100 (%), more useful to the right",
        ylabel="HwSA at qc (%), safer below",
    )
    _legend(figure, [axes])
    return figure


def thresholds(grid: Grid, name: str) -> Any | None:
    """HwSA, FAC and answer rate over a threshold, a panel a verifier policy, averaged over its cells (Table 12)."""
    curves = {policy: curve for policy in grid.policies if (curve := macro_curve(grid, name, policy))}
    if not curves:
        return None
    figure, panels = _panels(list(curves))
    chosen = dict(grid.setting).get(THRESHOLDS[name])
    for (policy, curve), axes in zip(curves.items(), panels, strict=True):
        for (metric, title), style in zip(CURVE_METRICS.items(), looks(tuple(CURVE_METRICS)).values(), strict=True):
            means = {threshold: mean(values[metric]) for threshold, values in curve.items()}
            known = {at: 100 * found.value for at, found in means.items() if found.value is not None}
            label = f"{title}{_share_of_cells(list(means.values()))}"
            axes.plot(list(known), list(known.values()), label=label, lw=1.8, ms=5.5, **style)
        if chosen is not None:
            axes.axvline(float(chosen), color="#666666", lw=1, ls="--", label=f"used: {float(chosen):g}")
        axes.set(title=_wrapped(policy), xlabel=CURVES[name][:1].upper() + CURVES[name][1:])
        percent_axes(axes)
    _y_label(panels, "Rate (%)")
    _legend(figure, panels)
    return figure


def _share_of_cells(means: Sequence[Mean]) -> str:
    """What a legend says of a line that does not stand for all cells."""
    cells, of = min(found.cells for found in means), means[0].of
    return "" if cells == of else f" ({cells}/{of})" if cells else " (undefined)"


def paired_segments(grid: Grid) -> Any | None:
    """A segment for each model from its present to its absent abstention rate, labelled with the shift (Figure 1)."""
    from matplotlib.figure import Figure

    rows = [(_row_name(grid, slot), rates) for slot, cell in grid.slots() if cell and (rates := _paired(cell))]
    if not rows:
        return None
    figure = Figure(figsize=(8, 1.6 + 0.4 * len(rows)), layout="constrained")
    axes = figure.subplots()
    places = np.arange(len(rows))
    start, end, shifts = (np.array([rates[part] for _, rates in rows]) * 100 for part in range(3))
    axes.hlines(places, start, end, color="#999999", lw=3, zorder=1)
    axes.scatter(start, places, s=62, fc="white", ec=COLOURS[0], lw=2, zorder=2, label="Answer present")
    axes.scatter(end, places, s=62, color=COLOURS[1], zorder=3, label="Answer absent")
    ends = np.maximum(start, end)
    for place, right, shift in zip(places, ends, shifts, strict=True):
        axes.annotate(
            f"{show(shift / 100, Kind.POINTS)} pp",
            (right, place),
            xytext=(9, 0),
            textcoords="offset points",
            va="center",
        )
    axes.set_yticks(places, [name for name, _ in rows])
    axes.set(xlabel="Abstention rate (%)", xticks=range(0, 101, 20), ylim=(len(rows) - 0.4, -0.6))
    # A label takes about a sixth of the width; setting the ticks has widened the limits to 0..100.
    axes.set_xlim(-3, max(20.0, ends.max() / 0.83))
    axes.grid(axis="y", visible=False)
    _legend(figure, [axes])
    return figure


def _paired(cell: Cell) -> tuple[float, float, float] | None:
    rates = [cell.get(f"abstention/{name}") for name in ("present", "absent", "shift")]
    known = present(rates)
    return (known[0], known[1], known[2]) if len(known) == len(rates) else None


def _row_name(grid: Grid, slot: tuple[str, str, str]) -> str:
    """The model, with data set and policy where there are several."""
    model, dataset, policy = slot
    parts = [model] + [dataset] * (len(grid.datasets) > 1) + [policy] * (len(grid.policies) > 1)
    return textwrap.fill(", ".join(parts), 40)


def _panels(titles: Sequence[str]) -> tuple[Any, list[Any]]:
    """A figure with a panel a title, three in a row, all with one y axis."""
    from matplotlib.figure import Figure

    columns = min(len(titles), _PANELS_IN_A_ROW)
    rows = -(-len(titles) // columns)
    figure = Figure(figsize=(max(6.6, 3.3 * columns), 0.6 + 3.3 * rows), layout="constrained")
    panels = figure.subplots(rows, columns, sharey=True, squeeze=False).ravel()
    for unused in panels[len(titles) :]:
        unused.remove()
    return figure, list(panels[: len(titles)])


def _y_label(panels: Sequence[Any], label: str) -> None:
    """Beside the first panel of each row."""
    for axes in panels[::_PANELS_IN_A_ROW]:
        axes.set_ylabel(label)


def _wrapped(name: str) -> str:
    return textwrap.fill(name, 34)


def _legend(figure: Any, panels: Sequence[Any]) -> None:
    """A legend above the panels, in one row if its labels fit, else in rows of equal length."""
    pairs = [zip(*axes.get_legend_handles_labels(), strict=True) for axes in panels]
    by_label = {label: handle for handle, label in reversed([pair for panel in pairs for pair in panel])}
    labels, handles = list(reversed(by_label)), list(reversed(by_label.values()))
    inches = sum(0.65 + 0.083 * len(label) for label in labels)
    rows = math.ceil(inches / figure.get_figwidth())
    figure.legend(handles, labels, loc="outside upper center", ncols=math.ceil(len(labels) / rows))
