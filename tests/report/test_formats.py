import csv
import io

import pytest

from abstain.report.formats import printed_rows, show, to_csv, to_latex, to_markdown
from abstain.report.table import Column, Interval, Kind, Mean, Table, text

TABLE = Table(
    "name",
    "Title",
    "What it says, in 100% of the cases.",
    (text("model", "Model"), text("dataset", "Data set"), Column("rate", "Rate (%)", Kind.PERCENT, Interval)),
    (
        ("a_1|<b>", "d", Interval(1 / 3, 0.25, 0.5)),
        ("a_1|<b>", "e", None),
        ("[c]", "e", Interval(0.0, None, None)),
    ),
    (("Mean", "", Interval(0.1, None, None)),),
)


@pytest.mark.parametrize(
    ("value", "kind", "shown"),
    [
        (0.5818, Kind.PERCENT, "58.2"),
        (0.0, Kind.PERCENT, "0.0"),
        (1.0, Kind.PERCENT, "100.0"),
        (0.55, Kind.POINTS, "+55.0"),
        (-0.021, Kind.POINTS, "−2.1"),
        (-0.0001, Kind.POINTS, "0.0"),
        (0.0226, Kind.FINE_PERCENT, "2.26"),
        (0.4512, Kind.NUMBER, "0.451"),
        (2350, Kind.COUNT, "2,350"),
        (0.0374, Kind.P_VALUE, "0.037"),
        (0.000056, Kind.P_VALUE, "0.000056"),
        (0.00045, Kind.P_VALUE, "0.00045"),
        (1e-9, Kind.P_VALUE, "<0.000001"),
        (91.44, Kind.CONFIDENCE, "91.4"),
        (None, Kind.PERCENT, "—"),
        ("", Kind.COUNT, ""),
        (Interval(0.55, 0.475, 0.619), Kind.POINTS, "+55.0 [+47.5, +61.9]"),
        (Interval(0.55, None, None), Kind.PERCENT, "55.0"),
        (Mean(0.5, 6, 6), Kind.PERCENT, "50.0"),
        (Mean(0.5, 5, 6), Kind.PERCENT, "50.0 (5/6)"),
        (Mean(None, 0, 6), Kind.PERCENT, "—"),
    ],
)
def test_values_are_printed_as_in_the_papers(value, kind, shown):
    assert show(value, kind) == shown


def test_csv_holds_every_digit_as_a_fraction_and_leaves_missing_values_empty():
    rows = list(csv.DictReader(io.StringIO(to_csv(TABLE))))
    assert float(rows[0]["rate"]) == 1 / 3
    assert (rows[0]["rate_low"], rows[0]["rate_high"]) == ("0.25", "0.5")
    assert (rows[1]["model"], rows[1]["rate"], rows[1]["rate_low"]) == ("a_1|<b>", "", "")
    assert rows[2]["rate"] == "0.0"


def test_csv_says_over_how_many_cells_a_mean_is():
    table = Table("t", "T", "", (text("p", "P"), Column("x", "X", Kind.PERCENT, Mean)), (("p1", Mean(0.5, 5, 6)),))
    assert to_csv(table) == "p,x,x_cells\np1,0.5,5\n"


def test_markdown_escapes_what_would_break_the_table_or_be_html():
    lines = to_markdown(TABLE).splitlines()
    assert lines[0] == "### Title"
    assert lines[3] == "| :--- | :--- | ---: |"
    assert lines[4] == r"| a_1\|&lt;b> | d | 33.3 [25.0, 50.0] |"
    assert lines[5].endswith("| — |")
    assert lines[-1] == "What it says, in 100% of the cases."


def test_latex_escapes_special_characters_and_has_balanced_environments():
    latex = to_latex(TABLE)
    assert r"a\_1\textbar{}\textless{}b\textgreater{} & d & 33.3 {[}25.0, 50.0] \\" in latex
    assert r"\caption{Title. What it says, in 100\% of the cases.}" in latex
    # A row that began with a bracket would be read as the argument of the line break before it.
    assert "\n{[}c] & e & 0.0 \\\\" in latex
    for environment in ("table", "tabular"):
        assert latex.count(f"\\begin{{{environment}}}") == latex.count(f"\\end{{{environment}}}") == 1


def test_labels_that_repeat_the_row_above_are_left_blank_when_printed():
    rows = list(printed_rows(TABLE))
    assert [row.cells[:2] for row in rows] == [("a_1|<b>", "d"), ("", "e"), ("[c]", "e"), ("Mean", "")]
    assert [row.opens for row in rows] == [True, False, True, True]
    assert [row.summary for row in rows] == [False, False, False, True]
