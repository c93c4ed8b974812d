"""The audit's page: one self-contained HTML file with the counts and the swaps to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from abstain.audit.judged import TIERS
from abstain.audit.marks import pieces
from abstain.audit.sample import Item
from abstain.audit.survey import Survey
from abstain.report.formats import printed_rows
from abstain.report.table import Table


def write_page(
    file: Path, heading: Mapping[str, str], survey: Survey, tables: Sequence[Table], items: Sequence[Item]
) -> None:
    """Write the page; `heading` holds its ``title`` and what was audited. Everything is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page = environment.get_template("page.html.j2").render(
        heading=heading,
        survey=survey,
        tables=tables,
        items=items,
        suggested=suggested(items),
        pieces=pieces,
        printed_rows=printed_rows,
    )
    file.write_text(page, encoding="utf-8")


def suggested(items: Sequence[Item]) -> dict[str, int]:
    """How many items the checks would put in each tier."""
    counts = Counter(item.suggestion.tier for item in items)
    return {tier: counts[tier] for tier in TIERS}
