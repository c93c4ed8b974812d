import re
from html.parser import HTMLParser

import pytest

from abstain.report.page import Drawing, Section, write
from abstain.report.style import styled
from abstain.report.table import Column, Kind, Table, text

NASTY = '<script>alert("1")</script>&"\'{{ 7*7 }}'


@pytest.fixture
def page(tmp_path):
    from matplotlib.figure import Figure

    with styled():
        figure = Figure()
        figure.subplots().set_title(NASTY)
    columns = (text("model", NASTY), Column("x", "X", Kind.PERCENT))
    tables = [
        Table("full", NASTY, NASTY, columns, ((NASTY, 0.5), (NASTY, None))),
        Table("empty", "Empty", "", columns, (), needs="a run of " + NASTY),
    ]
    drawings = [Drawing("drawn", NASTY, NASTY, figure), Drawing("nothing", "Nothing", "", None)]
    return write(tmp_path, {"title": NASTY, "Experiment": NASTY}, [Section("s", NASTY, [NASTY], drawings, tables)])


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.links, self.text = [], [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data):
        self.text += data


def test_names_from_runs_are_text_and_never_markup(page):
    tags = Tags()
    tags.feed(page.read_text())
    assert "script" not in tags.tags
    assert tags.text.count('<script>alert("1")</script>&"\'{{ 7*7 }}') > 5


def test_the_page_stands_alone(page):
    tags = Tags()
    tags.feed(page.read_text())
    outside = [link for link in tags.links if not link.startswith(("#", "data:", "tables/", "figures/"))]
    assert outside == []
    assert "@import" not in page.read_text()
    for link in tags.links:
        if link.startswith("#"):
            assert f'id="{link[1:]}"' in page.read_text()
        if link.startswith(("tables/", "figures/")):
            assert (page.parent / link).stat().st_size > 0


def test_missing_values_and_missing_tables_are_visible(page):
    html = page.read_text()
    assert re.search(r"<td>—</td>", html)
    assert "Empty: a run of" in html
    assert not (page.parent / "tables" / "empty.csv").exists()


def test_every_table_and_figure_is_also_a_file_of_its_own(page):
    files = sorted(str(file.relative_to(page.parent)) for file in page.parent.rglob("*") if file.is_file())
    assert files == [
        "figures/drawn.png",
        "figures/drawn.svg",
        "index.html",
        "tables/full.csv",
        "tables/full.md",
        "tables/full.tex",
    ]


def test_what_an_earlier_report_left_is_removed_but_nothing_else(tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "old.csv").touch()
    (tmp_path / "notes.txt").touch()
    write(tmp_path, {"title": "t"}, [])
    assert not (tmp_path / "tables" / "old.csv").exists()
    assert (tmp_path / "notes.txt").exists()
