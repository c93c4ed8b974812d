import pytest

from abstain.report import misleading
from abstain.report.responses import Facts, Share
from abstain.report.table import Mean


def qc(n, answered, echo, hallucinated, correct):
    return {"n/qc": n, "hwsa/qc": answered, "qc/echo": echo, "qc/hallucinated": hallucinated, "qc/correct": correct}


def test_sources_are_pooled_over_rows_and_not_averaged_over_cells(make_cell, make_grid):
    # 8 answers with 8 echoes and 2 with none: 8 of 10 echoes, where the mean of the shares would be a half.
    grid = make_grid(
        make_cell("a", "nq", "p1", qc(10, 0.8, 1.0, 0.0, 0.0)), make_cell("a", "h", "p1", qc(10, 0.2, 0.0, 0.5, 0.5))
    )
    table = misleading.sources_by_model(grid)
    assert table.rows == (("a", "2 of 2", 10, 0.8, 0.1, 0.1),)
    assert table.summary == (("All", "2 of 2", 10, 0.8, 0.1, 0.1),)


def test_pooling_says_how_many_cells_there_were_and_takes_a_silent_cell_as_no_answers(make_cell, make_grid):
    silent = {"n/qc": 10, "hwsa/qc": 0.0}
    grid = make_grid(
        make_cell("a", "nq", "p1", qc(10, 0.5, 0.6, 0.4, 0.0)),
        make_cell("a", "h", "p1", silent),
        make_cell("b", "nq", "p1", {}),
    )
    rows = misleading.sources_by_model(grid).rows
    assert rows[0] == ("a", "2 of 2", 5, 0.6, 0.4, 0.0)
    assert rows[1] == ("b", "0 of 2", None, None, None, None)


def test_table_3_follows_from_tables_7_and_9(published):
    table = misleading.sources_by_model(published)
    # The paper's Table 3: answers; echoes, hallucinations and correct overrides in percent.
    expected = {
        "Phi": (682, 59.4, 36.5, 4.1),
        "Llama": (896, 56.9, 39.1, 4.0),
        "Qwen": (772, 62.8, 32.5, 4.7),
        "All": (2350, 59.6, 36.2, 4.3),
    }
    found = {row[0]: (row[2], *(round(100 * share, 1) for share in row[3:])) for row in table.rows + table.summary}
    assert found == expected


def test_table_9_has_the_answered_share_of_table_7(published):
    rows = misleading.sources(published).rows
    assert len(rows) == 30
    assert rows[0][:4] == ("Phi", "NQ", "p0", 202)
    assert rows[0][4:] == pytest.approx((0.817, 0.655, 0.291, 0.055))


def test_normalised_hwsa_has_the_values_of_section_6(published):
    rows = {row[0]: row for row in misleading.normalised(published).rows}
    # Section 6: 61.6, 71.6, 69.3 % answered at q100; 48.7, 51.1, 48.0 % after normalisation.
    for model, answers, ratio in (("Phi", 61.6, 48.7), ("Llama", 71.6, 51.1), ("Qwen", 69.3, 48.0)):
        assert 100 * rows[model][1].value == pytest.approx(answers, abs=0.06)
        assert 100 * rows[model][-1].value == pytest.approx(ratio, abs=0.1)


def test_qc_abstention_by_data_set_has_the_values_of_section_6(published):
    (everything,) = misleading.abstention_by_dataset(published).summary
    assert [100 * mean.value for mean in everything[1:]] == pytest.approx([52.4, 81.7], abs=0.06)
    assert [(mean.cells, mean.of) for mean in everything[1:]] == [(15, 15), (15, 15)]


def test_an_invalid_row_is_no_abstention(make_cell, make_grid):
    # 2 of 4 rows abstain, 1 answers, 1 is invalid: abstention is a half, not the three quarters that do not answer.
    grid = make_grid(make_cell("a", "nq", "p1", {"hwsa/qc": 0.25}, facts=Facts({"qc": Share(2, 4)})))
    assert misleading.abstention_by_dataset(grid).rows == (("a", Mean(0.5, 1, 1)),)


def test_eligible_and_other_questions_are_compared_at_q100(make_cell, make_grid):
    grid = make_grid(make_cell("a", "nq", "p0", facts=Facts(exact_eligible=Share(3, 4), exact_other=Share(1, 2))))
    table = misleading.eligibility(grid)
    assert table.rows == (("a", "nq", "p0", 4, 0.75, 2, 0.5, 0.25),)
    assert table.summary == (("Mean", "nq", *("",) * 5, Mean(0.25, 1, 1)),)


def test_audited_subset_stands_beside_the_full_set(make_cell, make_grid):
    full = {"n/qc": 10, "hwsa/qc": 0.5, "hwsa/delta": 0.4}
    kept = Facts(kept={"q0": Share(0, 4), "qc": Share(3, 4)})
    turned = Facts(kept={"q0": Share(2, 4), "qc": Share(1, 4)})
    grid = make_grid(
        make_cell("a", "nq", "p1", full, facts=kept),
        make_cell("a", "nq", "p2", full, facts=turned),
        make_cell("a", "nq", "p3", full, facts=Facts(kept={"q0": Share(0, 0), "qc": Share(0, 0)})),
    )
    table = misleading.audited(grid)
    assert table.rows == (
        ("a", "nq", "p1", 10, 0.5, 4, 0.75, 0.25, 1),
        ("a", "nq", "p2", 10, 0.5, 4, 0.25, -0.25, 0),
        ("a", "nq", "p3", 10, 0.5, None, None, None, None),
    )
    assert table.summary[0][6] == Mean(0.5, 2, 3)
    assert table.summary[0][-1] == 1


def test_without_an_audit_there_is_no_such_table_and_it_says_what_it_needs(make_cell, make_grid):
    table = misleading.audited(make_grid(make_cell(metrics={"hwsa/qc": 0.5})))
    assert (table.rows, table.summary) == ((), ())
    assert "task.audit=" in table.needs
