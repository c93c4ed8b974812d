import csv

import pytest

from abstain.report import arctic, formats
from abstain.report.table import Interval, Kind
from abstain.scoring.choice import ScoredChoice, choice_metrics


@pytest.fixture(scope="module")
def recorded(request):
    """The published outcomes of ArcticAbstain by model label, and the published values."""
    folder = request.config.rootpath / ".." / "shared" / "data" / "arctic_abstain"
    if not folder.exists():
        pytest.skip("../shared is not here")
    with (folder / "published_metrics.csv").open() as file:
        published = {row["model"]: row for row in csv.DictReader(file)}
    rows = {row["label"]: [] for row in published.values()}
    with (folder / "outcomes.csv").open() as file:
        for row in csv.DictReader(file):
            scored = ScoredChoice(row["item_id"], row["condition"], int(row["trial"]), row["outcome"])
            rows[published[row["model"]]["label"]].append(scored)
    metrics = {label: choice_metrics(choices) for label, choices in rows.items()}
    return rows, metrics, {row["label"]: row for row in published.values()}


@pytest.fixture
def grid(recorded, make_cell, make_grid):
    rows, metrics, _ = recorded
    return make_grid(
        *(
            make_cell(
                label,
                "arcticqa",
                "mcq",
                {name: value for name, value in metrics[label].items() if value is not None},
                choices=tuple(rows[label]),
                started=started,
            )
            for started, label in enumerate(rows)
        )
    )


def test_table_1_has_the_published_rates_and_shifts(grid, recorded):
    _, _, published = recorded
    rows = arctic.shift(grid).rows
    assert [row[0] for row in rows] == list(published)
    for row in rows:
        expected = published[row[0]]
        assert row[3] == pytest.approx(float(expected["present_abstention"]), abs=1e-6)
        assert row[4] == pytest.approx(float(expected["absent_abstention"]), abs=1e-6)
        assert row[5].value == pytest.approx(float(expected["shift"]), abs=1e-6)
        assert row[6] == pytest.approx(float(expected["exact_p"]), abs=1e-6)


def test_table_1_prints_as_in_the_paper(grid):
    fable = arctic.shift(grid).rows[2]
    shown = [formats.show(value, kind) for value, kind in zip(fable[3:5], [Kind.PERCENT] * 2, strict=True)]
    assert (fable[0], *shown) == ("Claude Fable 5.1", "36.1", "46.9")
    assert formats.show(fable[5].value, Kind.POINTS) == "+10.8"


def test_holm_is_over_the_models_of_the_table(grid):
    rows = arctic.shift(grid).rows
    exact = {row[0]: (row[6], row[7]) for row in rows}
    # The smallest of eight p-values is multiplied by eight, the largest stands.
    assert exact["Claude Fable 5.1"][1] == pytest.approx(8 * exact["Claude Fable 5.1"][0])
    assert exact["Claude Sonnet 5"][1] == pytest.approx(exact["Claude Sonnet 5"][0])


def test_table_2_has_pooled_values_and_medians_and_says_which(grid, recorded):
    _, _, published = recorded
    table = arctic.metrics(grid)
    names = [column.name for column in table.columns]
    for row in table.rows:
        for name in ("acc", "abstention_rate", "f1_abs", "r_acc", "acc_median", "f1_abs_median", "r_acc_median"):
            assert row[names.index(name)] == pytest.approx(float(published[row[0]][name]), abs=5.1e-4)
    assert [c.title for c in table.columns[3:]] == [
        *("ACC, pooled", "Abst. rate, pooled", "F1 abs, pooled", "R-Acc, pooled"),
        *("ACC, median", "Abst. rate, median", "F1 abs, median", "R-Acc, median"),
    ]


def test_the_mean_shift_has_its_two_meanings(grid):
    (row,) = arctic.overall(grid).rows
    # 5.05 pp over questions, 5.06 pp over models (shared/data/README.md).
    assert [round(100 * value, 2) for value in row[4:6]] == [5.05, 5.06]
    assert row[2] == 8


def test_models_of_different_data_sets_are_different_families(make_cell, make_grid):
    grid = make_grid(
        make_cell("a", "x", "mcq", {"abstention/p": 0.02}),
        make_cell("b", "x", "mcq", {"abstention/p": 0.03}),
        make_cell("c", "y", "mcq", {"abstention/p": 0.04}),
    )
    adjusted = {row[:2]: row[7] for row in arctic.shift(grid).rows}
    assert adjusted["a", "x"] == pytest.approx(0.04)
    assert adjusted["b", "x"] == pytest.approx(0.04)
    assert adjusted["c", "y"] == pytest.approx(0.04)
    assert adjusted["a", "y"] is None


def test_counts_are_shown_by_code(make_cell, make_grid):
    codes = {f"n/N{code}": float(code) for code in range(6)}
    ((*_, n0, n1, n2, n3, n4, n5, _, _, ssr),) = arctic.counts(make_grid(make_cell(metrics=codes | {"ssr": 0.5}))).rows
    assert (n0, n1, n2, n3, n4, n5, ssr) == (0, 1, 2, 3, 4, 5, 0.5)


def test_an_undefined_test_is_missing_and_not_in_the_family(make_cell, make_grid):
    grid = make_grid(
        make_cell("a", "x", "mcq", {"abstention/p": 0.02, "abstention/shift": 0.1}), make_cell("b", "x", "mcq", {})
    )
    a, b = arctic.shift(grid).rows
    assert (a[5], a[7]) == (Interval(0.1, None, None), pytest.approx(0.02))
    assert (b[5], b[6], b[7]) == (None, None, None)
