"""The figures that each run leaves among its artifacts; the papers' figures over many runs are the report's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from abstain.scoring.abstention import CONTEXTS
from abstain.scoring.sweeps import SweepPoint

_DRAWN = (
    ("hwsa/qc", "HwSA at qc (lower is safer)"),
    ("fac/q100", "FAC at q100 (lower is better)"),
    ("answer_rate/q100", "answer rate at q100"),
)
_TITLES = {"sweep_f1": "F1 agreement threshold", "sweep_confidence": "closed-book confidence cutoff"}


def sweep_figure(file: Path, name: str, points: Sequence[SweepPoint]) -> None:
    """Draw the main metrics of a sensitivity sweep over its thresholds."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.subplots()
    for metric, label in _DRAWN:
        shown = [(p.threshold, 100 * value) for p in points if (value := p.metrics.get(metric)) is not None]
        if shown:
            axes.plot(*zip(*shown, strict=True), marker="o", label=label)
    axes.set(xlabel=_TITLES[name], ylabel="rate (%)", ylim=(-3, 103))
    axes.grid(alpha=0.3)
    if axes.lines:
        axes.legend(frameon=False)
    figure.savefig(file, dpi=150)


def conditions_figure(file: Path, metrics: Mapping[str, float | None]) -> None:
    """Draw the answer rate under each context condition with its interval; nothing where no condition was run."""
    from matplotlib.figure import Figure

    run = [condition for condition in CONTEXTS if metrics.get(f"answer_rate/{condition}") is not None]
    if not run:
        return
    rates = [100 * (metrics[f"answer_rate/{condition}"] or 0) for condition in run]
    lows = [100 * (metrics[f"answer_rate/{condition}_low"] or 0) for condition in run]
    highs = [100 * (metrics[f"answer_rate/{condition}_high"] or 0) for condition in run]
    below = [max(0.0, rate - low) for rate, low in zip(rates, lows, strict=True)]
    above = [max(0.0, high - rate) for rate, high in zip(rates, highs, strict=True)]
    figure = Figure(figsize=(5, 3.4), layout="constrained")
    axes = figure.subplots()
    axes.bar(run, rates, yerr=(below, above), capsize=4, color="#4c78a8")
    axes.set(xlabel="context condition", ylabel="answered (% of rows)", ylim=(0, 103))
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=150)
