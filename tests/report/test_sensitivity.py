import csv

import pytest

from abstain.report import sensitivity
from abstain.report.cells import grids
from abstain.report.table import Mean


def test_a_sweep_is_averaged_over_the_cells_that_have_it(make_cell, make_grid):
    curves = [{0.0: {"hwsa/qc": 0.4}, 0.8: {"hwsa/qc": 0.2}}, {0.0: {"hwsa/qc": 0.6}}]
    grid = make_grid(
        *(make_cell(model, "nq", "p3", curves={"sweep_f1": curve}) for model, curve in zip("ab", curves, strict=True)),
        make_cell("a", "nq", "p1"),
    )
    rows = sensitivity.sweep(grid, "sweep_f1").rows
    assert [row[:3] for row in rows] == [("p3", "0", Mean(0.5, 2, 2)), ("p3", "0.8", Mean(0.2, 1, 2))]
    assert rows[0][3] == Mean(None, 0, 2)


def test_without_a_verifier_run_there_is_no_sweep(make_cell, make_grid):
    table = sensitivity.sweep(make_grid(make_cell()), "sweep_confidence")
    assert (table.rows, table.needs) == ((), "a run of p3 or p4")


def test_table_12_has_the_papers_rows(shared, make_cell, make_grid):
    with (shared / "data" / "grab_rag" / "table12_f1_sweep.csv").open() as file:
        published = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    names = {"hwsa/qc": "hwsa_qc", "fac/q100": "fac_q100", "answer_rate/q100": "answer_rate_q100"}
    curve = {row["f1_threshold"]: {metric: row[name] / 100 for metric, name in names.items()} for row in published}
    table = sensitivity.sweep(make_grid(make_cell(policy="p3", curves={"sweep_f1": curve})), "sweep_f1")
    assert [row[1] for row in table.rows] == ["0", "0.2", "0.4", "0.6", "0.7", "0.8", "0.9", "1"]
    assert [round(100 * mean.value, 1) for mean in table.rows[5][2:]] == [13.3, 49.8, 33.4]


def test_table_13_compares_two_seeds(shared, make_cell):
    with (shared / "data" / "grab_rag" / "table13_seed.csv").open() as file:
        published = list(csv.DictReader(file))
    metric = {"Q0": "answer_rate/q0", "QC": "hwsa/qc"}
    cells = [
        make_cell(
            "Llama",
            "NQ",
            policy,
            # q0 is about all questions: hwsa/q0, which is about the eligible ones, must not be taken for it.
            {metric[row["condition"]]: float(row[f"seed_{seed}"]) / 100 for row in published if row["policy"] == policy}
            | {"hwsa/q0": 0.5},
            {"seed.value": seed},
        )
        for seed in ("42", "43")
        for policy in ("P0", "P1", "P2", "P3", "P4")
    ]
    table = sensitivity.seeds(grids(cells))
    assert [column.title for column in table.columns[4:]] == ["Seed 42 (%)", "Seed 43 (%)", "|Δ| (pp)"]
    assert len(table.rows) == 10
    for row, expected in zip(table.rows, published, strict=True):
        assert row[2:4] == (expected["policy"], expected["condition"].lower())
        assert 100 * row[-1] == pytest.approx(float(expected["abs_difference"]))


def test_seeds_are_compared_only_where_all_else_is_equal(make_cell):
    cells = [
        make_cell(metrics={"hwsa/qc": 0.1}, params={"seed.value": "42"}),
        make_cell(policy="p2", metrics={"hwsa/qc": 0.2}, params={"seed.value": "42"}),
        make_cell(metrics={"hwsa/qc": 0.3}, params={"seed.value": "43", "thresholds.f1": "0.4"}),
    ]
    assert sensitivity.seeds(grids(cells)).rows == ()


def test_the_caption_of_a_sweep_says_where_the_other_threshold_is_held(make_cell, make_grid):
    curves = {name: {0.8: {"hwsa/qc": 0.2}} for name in sensitivity.CURVES}
    grid = make_grid(make_cell(policy="p3", curves=curves))
    assert "the closed-book confidence cutoff held at 50." in sensitivity.sweep(grid, "sweep_f1").caption
    assert "the F1 agreement threshold held at 0.8." in sensitivity.sweep(grid, "sweep_confidence").caption
