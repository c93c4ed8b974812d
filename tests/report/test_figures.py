import numpy as np
import pytest

from abstain.report import figures
from abstain.report.responses import Facts, Share
from abstain.report.style import styled


@pytest.fixture
def grid(make_cell, make_grid):
    facts = Facts({"q100": Share(1, 10), "q50": Share(2, 10), "q0": Share(10, 10), "qc": Share(4, 8)})
    metrics = {"answer_rate/q100": 0.9, "hwsa/qc": 0.5}
    curves = {"sweep_f1": {0.0: metrics, 0.8: {"hwsa/qc": 0.25}}}
    return make_grid(
        *(
            make_cell(model, dataset, policy, metrics, facts=facts, curves=curves if policy == "p3" else {})
            for model in ("m$x_1$", "n")
            for dataset in ("nq", "h")
            for policy in ("p1", "p3")
        )
    )


def test_abstention_has_a_panel_a_model_and_a_line_with_a_band_a_policy(grid):
    with styled():
        figure = figures.abstention(grid)
        panels = figure.axes
        assert [axes.get_title() for axes in panels] == ["m$x_1$", "n"]
        # A dollar sign in a name is a dollar sign, not a formula.
        assert not panels[0].title.get_parse_math()
        assert [label.get_text() for label in panels[0].get_xticklabels()] == ["q100", "q50", "q0", "qc"]
        assert panels[0].get_ylabel() == "Abstention rate (%)"
        assert len(panels[0].lines) == 2
        assert panels[0].lines[0].get_ydata() == pytest.approx([10, 20, 100, 50])
        assert len(panels[0].collections) == 2


def test_a_condition_that_one_data_set_lacks_has_no_point(make_cell, make_grid):
    grid = make_grid(
        make_cell("m", "nq", "p1", facts=Facts({"q0": Share(1, 2), "qc": Share(1, 2)})),
        make_cell("m", "h", "p1", facts=Facts({"q0": Share(1, 2)})),
    )
    with styled():
        (axes,) = figures.abstention(grid).axes
        assert list(axes.lines[0].get_xdata()) == [2]


def test_the_interval_of_a_mean_is_that_of_resampled_rows():
    shares = [Share(30, 100), Share(10, 50)]
    value, low, high = figures.mean_with_interval(shares)
    rng = np.random.default_rng(5)
    rows = [np.repeat([1.0, 0.0], [s.hits, s.n - s.hits]) for s in shares]
    resampled = [np.mean([rng.choice(r, len(r)).mean() for r in rows]) for _ in range(4000)]
    assert value == pytest.approx(0.25)
    assert (low, high) == pytest.approx(np.percentile(resampled, [2.5, 97.5]), abs=0.01)


def test_the_interval_of_a_certain_rate_has_no_width():
    assert figures.mean_with_interval([Share(7, 7), Share(3, 3)]) == (1.0, 1.0, 1.0)


def test_safety_and_utility_are_in_percent_with_units_on_both_axes(grid):
    with styled():
        (axes,) = figures.safety_utility(grid).axes
        assert "(%)" in axes.get_xlabel() and "(%)" in axes.get_ylabel()
        assert axes.collections[1].get_offsets().data.tolist() == [[pytest.approx(90), pytest.approx(50)]]


def test_threshold_curves_mark_the_value_in_use(grid):
    with styled():
        (axes,) = figures.thresholds(grid, "sweep_f1").axes
        hwsa, _, _, used = axes.lines
        assert list(hwsa.get_xdata()) == [0.0, 0.8]
        assert hwsa.get_ydata() == pytest.approx([50, 25])
        assert list(used.get_xdata()) == [0.8, 0.8]
        assert axes.get_xlabel() == "F1 agreement threshold"


def test_the_legend_says_which_curves_do_not_stand_for_all_cells(make_cell, make_grid):
    curves = [{0.8: {"hwsa/qc": 0.2, "answer_rate/q100": 0.5}}, {0.8: {"hwsa/qc": 0.4}}]
    cells = [make_cell(m, "nq", "p3", curves={"sweep_f1": curve}) for m, curve in zip("ab", curves, strict=True)]
    with styled():
        figure = figures.thresholds(make_grid(*cells), "sweep_f1")
        assert [text.get_text() for text in figure.legends[0].get_texts()] == [
            "HwSA qc ↓",
            "FAC q100 ↓ (undefined)",
            "Answers q100 ↑ (1/2)",
            "used: 0.8",
        ]


def test_segments_are_labelled_with_the_shift(make_cell, make_grid):
    rates = {"abstention/present": 0.4, "abstention/absent": 0.375, "abstention/shift": -0.025}
    grid = make_grid(make_cell("m", "x", "mcq", rates), make_cell("n", "x", "mcq", {}))
    with styled():
        (axes,) = figures.paired_segments(grid).axes
        assert [text.get_text() for text in axes.texts] == ["−2.5 pp"]
        assert [label.get_text() for label in axes.get_yticklabels()] == ["m"]
        assert axes.get_xlabel() == "Abstention rate (%)"


def test_there_is_no_figure_of_nothing(make_cell, make_grid):
    empty = make_grid(make_cell())
    with styled():
        assert figures.abstention(empty) is None
        assert figures.safety_utility(empty) is None
        assert figures.thresholds(empty, "sweep_f1") is None
        assert figures.paired_segments(empty) is None
