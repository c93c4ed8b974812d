"""A report's table on the terminal."""

from __future__ import annotations

from rich.table import Table as RichTable
from rich.text import Text

from abstain.report.formats import printed_rows
from abstain.report.table import Kind, Table


def rich_table(table: Table) -> RichTable:
    """The table as rich draws it, its caption below; what models and data say is never read as markup."""
    shown = RichTable(title=table.title, title_justify="left", caption=Text(table.caption), caption_justify="left")
    for column in table.columns:
        shown.add_column(Text(column.title), justify="left" if column.kind is Kind.TEXT else "right")
    for row in printed_rows(table):
        shown.add_row(*(Text(cell) for cell in row.cells))
    return shown
