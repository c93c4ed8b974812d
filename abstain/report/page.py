"""The report on disk: one self-contained page, and each table and figure as files of their own."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from abstain.report.formats import printed_rows, to_csv, to_latex, to_markdown
from abstain.report.style import styled
from abstain.report.table import Table

_FORMATS = {"csv": to_csv, "md": to_markdown, "tex": to_latex}
_DPI = 150


@dataclass(frozen=True)
class Drawing:
    """A figure with its file name and what it shows; `figure` is None where there is nothing to draw."""

    name: str
    title: str
    caption: str
    figure: Any | None


@dataclass(frozen=True)
class Section:
    """One benchmark's part of the page."""

    name: str
    title: str
    facts: Sequence[str]
    """Sentences about what is in the section and what is missing."""
    drawings: Sequence[Drawing]
    tables: Sequence[Table]


def write(folder: Path, heading: Mapping[str, str], sections: Sequence[Section]) -> Path:
    """Write the page, its tables (csv, md, tex) and figures (png, svg) into the folder; returns the page."""
    _clear(folder)
    for table in (table for section in sections for table in section.tables if table.rows):
        for ending, form in _FORMATS.items():
            (folder / "tables" / f"{table.name}.{ending}").write_text(form(table), encoding="utf-8")
    images = {}
    for drawing in (drawing for section in sections for drawing in section.drawings if drawing.figure is not None):
        images[drawing.name] = _save(drawing, folder / "figures")
    page = folder / "index.html"
    page.write_text(_render(heading, sections, images), encoding="utf-8")
    return page


def _clear(folder: Path) -> None:
    """Make the folders and remove what an earlier report of this name left in them."""
    for name, endings in (("tables", _FORMATS), ("figures", ("png", "svg"))):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for ending in endings:
            for old in (folder / name).glob(f"*.{ending}"):
                old.unlink()


def _save(drawing: Drawing, folder: Path) -> str:
    """Save a figure as PNG and SVG; returns the SVG as a data URI, which keeps its ids apart from other figures'."""
    assert drawing.figure is not None
    with styled():
        drawing.figure.savefig(folder / f"{drawing.name}.png", dpi=_DPI)
        svg = io.BytesIO()
        drawing.figure.savefig(svg, format="svg", metadata={"Date": None})
    (folder / f"{drawing.name}.svg").write_bytes(svg.getvalue())
    return "data:image/svg+xml;base64," + base64.b64encode(svg.getvalue()).decode("ascii")


def _render(heading: Mapping[str, str], sections: Sequence[Section], images: Mapping[str, str]) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = environment.get_template("page.html.j2")
    return template.render(heading=heading, sections=sections, images=images, printed_rows=printed_rows)
