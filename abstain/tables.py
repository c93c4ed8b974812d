"""What a person sees at the end of a run or a sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from abstain.manifest import Job

_SHOWN = (
    ("answer_rate/q100", "answers q100"),
    ("em/q100", "EM q100"),
    ("fac/q100", "FAC q100"),
    ("fac/q50", "FAC q50"),
    ("hwsa/q0", "HwSA q0"),
    ("hwsa/qc", "HwSA qc"),
    ("hwsa/delta", "delta"),
    ("aurc", "AURC"),
    ("acc", "ACC"),
    ("r_acc", "R-Acc"),
    ("abstention/present", "abst. present"),
    ("abstention/absent", "abst. absent"),
    ("abstention/shift", "shift"),
    ("n/invalid", "invalid"),
    ("cost/generated", "generated"),
    ("cost/reused", "reused"),
)
"""The columns of a sweep's table, as far as any job has them; all the rest is in MLflow."""

_COUNTS = ("n/", "cost/")


def print_run(name: str, metrics: Mapping[str, float | None], ui_command: str) -> None:
    """Print the metrics of one run, intervals beside their estimate, and how to open the UI."""
    table = Table("metric", "value", "95% interval", title=Text(name), title_justify="left")
    for metric, value in metrics.items():
        if metric.endswith(("_low", "_high")):
            continue
        low, high = metrics.get(f"{metric}_low"), metrics.get(f"{metric}_high")
        interval = "" if low is None or high is None else f"{_format(metric, low)} to {_format(metric, high)}"
        table.add_row(metric, _format(metric, value), interval)
    console = Console()
    console.print(table)
    _print_ui(console, ui_command)


def print_sweep(jobs: Sequence[Job], summaries: Sequence[Mapping[str, Any]], ui_command: str) -> None:
    """Print one line a job, then the failures with their overrides, then how to open the UI."""
    shown = [(name, title) for name, title in _SHOWN if any(s["metrics"].get(name) is not None for s in summaries)]
    table = Table("job", "overrides", "status", *(title for _, title in shown), title="sweep", title_justify="left")
    for job, summary in zip(jobs, summaries, strict=True):
        values = [_format(name, summary["metrics"].get(name)) for name, _ in shown]
        table.add_row(str(job.number), Text(" ".join(_telling(job, jobs))), summary["status"], *values)
    # Off a terminal rich would fold the table at 80 columns.
    console = Console() if Console().is_terminal else Console(width=220)
    console.print(table)
    failed = [(job, summary) for job, summary in zip(jobs, summaries, strict=True) if summary["status"] != "FINISHED"]
    if failed:
        failures = Table("job", "overrides", "error", title="jobs that did not finish", title_justify="left")
        for job, summary in failed:
            failures.add_row(str(job.number), Text(" ".join(job.overrides)), Text(str(summary["error"])))
        console.print(failures)
    _print_ui(console, ui_command)


def _telling(job: Job, jobs: Sequence[Job]) -> list[str]:
    """The overrides of a job that not all jobs share; the job's own if it is alone."""
    common = set.intersection(*(set(other.overrides) for other in jobs)) if len(jobs) > 1 else set()
    return [override for override in job.overrides if override not in common]


def _format(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    if name.startswith(_COUNTS):
        return f"{value:.1f}" if "seconds" in name else f"{value:.0f}"
    return f"{value:.3f}"


def _print_ui(console: Console, ui_command: str) -> None:
    console.print("Compare runs in the MLflow UI:", style="bold")
    console.print(f"  {ui_command}", soft_wrap=True, highlight=False, markup=False)
