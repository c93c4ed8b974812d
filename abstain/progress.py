"""A progress bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

_EVERY = 30.0
"""Seconds between two lines where there is no terminal."""


class _Speed(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Rows a second."""
        return Text(f"{task.speed:.2f} rows/s" if task.speed else "- rows/s")


@contextmanager
def progress(label: str, total: int, reused: int) -> Iterator[Callable[[], None]]:
    """Show `total` rows being made beside `reused` ones; yields what to call after each row."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines(console, label, total, reused)
        return
    columns = [
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(f"made, {reused} reused"),
        _Speed(),
        TimeRemainingColumn(),
    ]
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(label, total=total)
        yield lambda: bar.advance(task)


def _lines(console: Console, label: str, total: int, reused: int) -> Callable[[], None]:
    start = last = time.monotonic()
    done = 0
    console.print(f"{label}: {total} to make, {reused} reused", markup=False)

    def advance() -> None:
        nonlocal last, done
        done += 1
        now = time.monotonic()
        if now - last >= _EVERY or done == total:
            last = now
            speed = done / max(now - start, 1e-9)
            left = (total - done) / speed
            shown = f"{label}: {done}/{total} made, {reused} reused, {speed:.2f} rows/s, {left:.0f} s left"
            console.print(shown, markup=False)

    return advance
