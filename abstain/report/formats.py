"""How a table is printed: CSV with every digit, Markdown and LaTeX and HTML as the papers print numbers."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from abstain.report.table import Column, Interval, Kind, Mean, Table, Value

MISSING = "—"

_PRINTED: dict[Kind, Callable[[float], str]] = {
    Kind.COUNT: lambda value: f"{value:,.0f}",
    Kind.PERCENT: lambda value: f"{100 * value:.1f}",
    Kind.POINTS: lambda value: f"{100 * value:+.1f}",
    Kind.FINE_PERCENT: lambda value: f"{100 * value:.2f}",
    Kind.NUMBER: lambda value: f"{value:.3f}",
    Kind.P_VALUE: lambda value: _p_value(value),
    Kind.CONFIDENCE: lambda value: f"{value:.1f}",
}

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    # At the start of a row it would be the argument of the line break before.
    "[": "{[}",
    "−": "$-$",
    "—": "---",
    "Δ": r"$\Delta$",
    "≥": r"$\geq$",
    "×": r"$\times$",
    "↓": r"$\downarrow$",
    "↑": r"$\uparrow$",
}


def show(value: Value, kind: Kind) -> str:
    """A value as people read it, with a typographic minus; a mean over fewer cells than there should be says so."""
    if value is None:
        return MISSING
    if isinstance(value, str):
        return value
    if isinstance(value, Interval):
        shown = show(value.value, kind)
        if value.low is None or value.high is None:
            return shown
        return f"{shown} [{show(value.low, kind)}, {show(value.high, kind)}]"
    if isinstance(value, Mean):
        shown = show(value.value, kind)
        return shown if value.cells in (0, value.of) else f"{shown} ({value.cells}/{value.of})"
    return _signed_zero(_PRINTED[kind](value)).replace("-", "−")


def to_csv(table: Table) -> str:
    """All digits, fractions instead of percent, empty fields for what is missing."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([name for column in table.columns for name in _csv_names(column)])
    for row in table.rows + table.summary:
        writer.writerow(
            [field for column, value in zip(table.columns, row, strict=True) for field in _csv_fields(column, value)]
        )
    return buffer.getvalue()


def to_markdown(table: Table) -> str:
    """A pipe table under its title, the caption below."""
    heads = [_markdown(column.title) for column in table.columns]
    rules = [":---" if column.kind is Kind.TEXT else "---:" for column in table.columns]
    body = [[_markdown(show(value, c.kind)) for value, c in _pairs(table, row)] for row in table.rows + table.summary]
    lines = [f"| {' | '.join(cells)} |" for cells in [heads, rules, *body]]
    return "\n".join([f"### {table.title}", "", *lines, "", table.caption, ""])


def to_latex(table: Table) -> str:
    """A table environment that needs the package booktabs."""
    spec = "".join("l" if column.kind is Kind.TEXT else "r" for column in table.columns)
    lines = [r"\begin{table}", r"\centering", rf"\begin{{tabular}}{{{spec}}}", r"\toprule"]
    lines += [_latex_row([column.title for column in table.columns]), r"\midrule"]
    for printed in printed_rows(table):
        if printed.opens and printed.number > 0:
            lines.append(r"\midrule" if printed.summary else r"\addlinespace")
        lines.append(_latex_row(printed.cells))
    lines += [r"\bottomrule", r"\end{tabular}", rf"\caption{{{_latex(f'{table.title}. {table.caption}')}}}"]
    lines += [rf"\label{{tab:{table.name}}}", r"\end{table}", ""]
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row as it is shown: labels that repeat the row above are left blank, as in the papers."""

    number: int
    cells: tuple[str, ...]
    opens: bool
    """Whether a new group of rows begins here."""
    summary: bool


def printed_rows(table: Table) -> Iterator[PrintedRow]:
    """The rows of a table, its summary last."""
    above: tuple[str, ...] = ()
    firsts = [row[0] for row in table.rows]
    grouped = table.labels > 1 and any(label == before for before, label in pairwise(firsts))
    for number, row in enumerate(table.rows + table.summary):
        cells = tuple(show(value, column.kind) for value, column in _pairs(table, row))
        summary = number >= len(table.rows)
        opens = number == len(table.rows) if summary or not grouped else cells[:1] != above[:1]
        repeats = 0 if summary else _repeats(cells[: table.labels - 1], above)
        yield PrintedRow(number, ("",) * repeats + cells[repeats:], opens, summary)
        above = cells


def _repeats(labels: Sequence[str], above: Sequence[str]) -> int:
    count = 0
    for label, before in zip(labels, above, strict=False):
        if label != before:
            break
        count += 1
    return count


def _pairs(table: Table, row: Sequence[Value]) -> Iterator[tuple[Value, Column]]:
    return zip(row, table.columns, strict=True)


def _csv_names(column: Column) -> list[str]:
    if column.shape is Interval:
        return [column.name, f"{column.name}_low", f"{column.name}_high"]
    if column.shape is Mean:
        return [column.name, f"{column.name}_cells"]
    return [column.name]


def _csv_fields(column: Column, value: Value) -> Sequence[object]:
    if isinstance(value, Interval):
        return [value.value, value.low, value.high]
    if isinstance(value, Mean):
        return [value.value, value.cells]
    return [value, *(None for _ in _csv_names(column)[1:])]


def _p_value(value: float) -> str:
    """Three decimals, and for small values two digits without an exponent."""
    if value >= 0.001:
        return f"{value:.3f}"
    if value < 1e-6:
        return "<0.000001"
    return f"{value:.{1 - math.floor(math.log10(value))}f}"


def _signed_zero(shown: str) -> str:
    """Zero has no sign: -0.0 and +0.0 are printed as 0.0."""
    return shown.lstrip("+-") if not shown.strip("+-0.") else shown


def _markdown(shown: str) -> str:
    for character, escaped in (("\\", "\\\\"), ("|", "\\|"), ("<", "&lt;"), ("`", "\\`"), ("\n", " ")):
        shown = shown.replace(character, escaped)
    return shown


def _latex(shown: str) -> str:
    return "".join(_LATEX.get(character, character) for character in " ".join(shown.split()))


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(_latex(cell) for cell in cells) + r" \\"
