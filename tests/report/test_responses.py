import pytest

from abstain.errors import AbstainError
from abstain.report.responses import Share, facts, read_tiers


def row(question, condition, decision, exact_match=False, ineligible=None):
    return {
        "question_id": question,
        "condition": condition,
        "ineligible": ineligible,
        "decision": decision,
        "exact_match": exact_match,
    }


ROWS = [
    row("a", "q100", "answer", True),
    row("a", "q0", "answer"),
    row("a", "qc", "answer"),
    row("b", "q100", "answer", False),
    row("b", "q0", "abstain"),
    row("b", "qc", "abstain"),
    row("c", "q100", "abstain"),
    row("c", "q0", "invalid"),
    # No clean swap: never asked, so it has neither decision nor exact match.
    row("c", "qc", None, None, "no_swap"),
]


def test_abstentions_are_counted_by_condition_among_the_rows_that_were_asked():
    assert facts(ROWS, {}).abstained == {"q100": Share(1, 3), "q0": Share(1, 3), "qc": Share(1, 2)}


def test_exact_match_is_split_by_whether_the_question_has_a_qc_case():
    found = facts(ROWS, {})
    assert (found.exact_eligible, found.exact_other) == (Share(1, 2), Share(0, 1))


def test_without_qc_no_question_counts_as_eligible_or_not():
    found = facts([r for r in ROWS if r["condition"] != "qc"], {})
    assert (found.exact_eligible, found.exact_other) == (Share(0, 0), Share(0, 0))


def test_only_fluent_and_borderline_questions_are_kept_in_both_conditions():
    found = facts(ROWS, {"a": "fluent", "b": "broken", "c": "borderline"})
    assert found.kept == {"q0": Share(1, 1), "qc": Share(1, 1)}


def test_a_share_of_nothing_is_undefined():
    assert Share(0, 0).rate is None
    assert Share(0, 4).rate == 0.0


def test_an_audit_is_read_by_data_set_and_unfilled_rows_are_left_out(tmp_path):
    file = tmp_path / "audit.csv"
    file.write_text("dataset,question_id,tier,note\nnq,1, Fluent ,x\nnq,2,,\nhotpotqa,1,broken,\n")
    assert read_tiers(str(file)) == {"nq": {"1": "fluent"}, "hotpotqa": {"1": "broken"}}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("dataset,question_id,tier\nnq,1,fluent\nnq,2,good\n", r"audit\.csv:3: tier 'good' is not one of fluent"),
        ("dataset,question_id\nnq,1\n", r"audit\.csv:1: no column tier"),
        ("", r"audit\.csv:1: no column dataset, question_id, tier"),
        (
            "dataset,question_id,tier\nnq,1,fluent\nnq,1,broken\n",
            r"audit\.csv:3: question .1. stands also at .*audit\.csv:2",
        ),
    ],
)
def test_a_broken_audit_is_refused_with_its_line(tmp_path, content, message):
    file = tmp_path / "audit.csv"
    file.write_text(content)
    with pytest.raises(AbstainError, match=message):
        read_tiers(str(file))


def test_an_absent_audit_is_refused_by_its_key(tmp_path):
    with pytest.raises(AbstainError, match=r"task\.audit=.*none\.csv"):
        read_tiers(str(tmp_path / "none.csv"))
