import pytest

from abstain.report import grab_rag
from abstain.report.cells import grids
from abstain.report.responses import Facts, Share
from abstain.report.table import Interval, Mean


def column(table, name):
    return [column.name for column in table.columns].index(name)


def test_policies_are_plain_means_over_cells_and_say_over_how_many(make_cell, make_grid):
    # (0.2 + 0.4) / 2; one of the four slots has no cell, one cell has no qc.
    grid = make_grid(
        make_cell("a", "nq", "p1", {"hwsa/qc": 0.2}),
        make_cell("a", "h", "p1", {"hwsa/qc": 0.4}),
        make_cell("b", "nq", "p1", {}),
    )
    ((policy, hwsa, *_),) = grab_rag.policies(grid).rows
    assert (policy, hwsa.value, hwsa.cells, hwsa.of) == ("p1", pytest.approx(0.3), 2, 4)


def test_a_missing_cell_keeps_its_row(make_cell, make_grid):
    whole = {
        "hwsa/q0": 0.1,
        "hwsa/qc": 0.5,
        "hwsa/delta": 0.4,
        "hwsa/delta_low": 0.3,
        "hwsa/delta_high": 0.5,
        "n/qc": 9,
    }
    grid = make_grid(make_cell("a", "nq", "p1", whole), make_cell("b", "h", "p1", whole))
    rows = grab_rag.hwsa(grid).rows
    assert rows[0] == (
        "a",
        "nq",
        "p1",
        9,
        Interval(0.1, None, None),
        Interval(0.5, None, None),
        Interval(0.4, 0.3, 0.5),
    )
    assert rows[1] == ("a", "h", "p1", None, None, None, None)
    assert len(rows) == 4
    assert grab_rag.fac(grid).rows[1] == ("a", "h", "p1", *(None,) * 5)


def test_table_7_has_the_papers_30_rows(published):
    rows = grab_rag.hwsa(published).rows
    assert len(rows) == 30
    assert rows[0][:4] == ("Phi", "NQ", "p0", 202)
    assert rows[0][6] == Interval(0.55, 0.475, 0.619)
    assert rows[-1][:4] == ("Qwen", "HPQA", "p4", 330)


def test_table_2_follows_from_tables_7_and_8(published):
    table = grab_rag.policies(published)
    # The paper's Table 2, in percent.
    expected = {
        "hwsa_qc": (58.2, 41.6, 37.8, 13.3, 14.0),
        "fac_q100": (0.2, 0.0, 5.3, 49.8, 31.0),
        "answer_rate_q100": (91.7, 79.3, 78.5, 33.4, 54.7),
        "fac_q50": (2.2, 8.7, 11.5, 55.7, 51.4),
        "answer_rate_q50": (91.4, 79.0, 76.0, 32.9, 41.3),
    }
    for name, values in expected.items():
        means = [row[column(table, name)] for row in table.rows]
        assert [round(100 * mean.value, 1) for mean in means] == list(values)
        assert {(mean.cells, mean.of) for mean in means} == {(6, 6)}


def test_table_10_means_follow_from_its_cells(published):
    (means,) = grab_rag.aurc(published).summary
    # The cells are printed with three decimals, so a mean may be off by half a digit more than its own rounding.
    assert [mean.value for mean in means[2:]] == pytest.approx([0.451, 0.434, 0.430, 0.451, 0.452], abs=0.001)


def test_table_11_is_printed_by_policy_and_condition(published):
    rows = grab_rag.ece(published).rows
    assert [row[0] for row in rows] == ["p0", "p1", "p2", "p3", "p4"]
    assert [mean.value for mean in rows[3][1:5]] == pytest.approx([0.141, 0.142, 0.950, 0.948])
    assert rows[3][5] == Mean(None, 0, 6)  # The paper has no ECE against the mean confidence.


def test_closed_book_rows_are_counted_once_though_every_policy_has_them(make_cell, make_grid):
    facts = Facts({"closed": Share(3, 4)})
    metrics = {"closed/em": 0.25, "closed/mean_confidence": 90.0}
    grid = make_grid(
        make_cell("a", "nq", "p0", {}),
        *(make_cell("a", "nq", policy, metrics, facts=facts) for policy in ("p1", "p3")),
        make_cell("a", "h", "p1", {}),
    )
    table = grab_rag.closed_book(grid)
    assert table.rows == (("a", "nq", 0.75, 0.25, 90.0), ("a", "h", None, None, None))
    assert table.summary[0][2] == Mean(0.75, 1, 2)


def test_settings_are_listed_only_when_there_are_several(make_cell):
    one = make_cell("a", "nq", "p3", {"hwsa/qc": 0.2})
    two = make_cell("a", "nq", "p3", {"hwsa/qc": 0.4}, {"thresholds.f1": "0.4"}, started=-1)
    assert grab_rag.settings(grids([one])).rows == ()
    rows = grab_rag.settings(grids([one, two])).rows
    assert [(row[0], row[1], row[2].value) for row in rows] == [("main", "p3", 0.2), ("thresholds.f1=0.4", "p3", 0.4)]
