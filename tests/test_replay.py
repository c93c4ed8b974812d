"""Recorded responses: what is read, what is refused, what is left out and counted."""

import json

import pytest

from abstain.errors import AbstainError
from abstain.replay import read_recorded

HEADER = "item_id,model,condition,trial,outcome,valid\n"
PAIR = "q1,m,answer_present,1,N1,True\nq1,m,answer_absent,1,N5,True\n"


def csv_file(tmp_path, text):
    path = tmp_path / "recorded.csv"
    path.write_text(text, encoding="utf-8")
    return path


def jsonl_file(tmp_path, *rows):
    path = tmp_path / "recorded.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def choice_row(condition, choice, options, trial=1):
    return {"item_id": "q1", "model": "m", "condition": condition, "trial": trial, "choice": choice, "options": options}


PRESENT = ["distractor", "gold", "abstain", "distractor", "distractor"]
ABSENT = ["abstain", "distractor", "distractor", "distractor", "distractor"]


def test_models_come_apart_in_the_order_of_the_file(tmp_path):
    other = PAIR.replace(",m,", ",a,")
    first, second = read_recorded(csv_file(tmp_path, HEADER + PAIR + other))
    assert (first.model, second.model) == ("m", "a")
    assert [(row.item_id, row.condition, row.trial, row.code) for row in first.rows] == [
        ("q1", "answer_present", 1, "N1"),
        ("q1", "answer_absent", 1, "N5"),
    ]


def test_valid_is_optional_and_columns_may_stand_in_any_order(tmp_path):
    text = "outcome,trial,note,condition,model,item_id\nN0,1,x,answer_present,m,q1\nN4,1,,answer_absent,m,q1\n"
    (recorded,) = read_recorded(csv_file(tmp_path, text))
    assert [row.code for row in recorded.rows] == ["N0", "N4"]


@pytest.mark.parametrize(
    ("choice", "code"),
    [("B", "N1"), (" A\n", "N2"), ("C", "N3"), ("F", "N0"), ("AB", "N0"), ("", "N0"), (None, "N0"), ("b", "N0")],
)
def test_a_letter_is_scored_by_the_kind_it_stands_for(tmp_path, choice, code):
    rows = [choice_row("answer_present", choice, PRESENT), choice_row("answer_absent", "A", ABSENT)]
    (recorded,) = read_recorded(jsonl_file(tmp_path, *rows))
    assert [row.code for row in recorded.rows] == [code, "N5"]


def test_options_of_a_csv_are_separated_by_spaces(tmp_path):
    header = "item_id,model,condition,trial,choice,options\n"
    rows = f"q1,m,answer_present,1,B,{' '.join(PRESENT)}\nq1,m,answer_absent,1,E,{' '.join(ABSENT)}\n"
    (recorded,) = read_recorded(csv_file(tmp_path, header + rows))
    assert [row.code for row in recorded.rows] == ["N1", "N4"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("q1,m,answer_absent,1,N4,True", "recorded before"),
        ("q2,m,answer_absent,1,N6,True", "outcome 'N6' is unknown"),
        ("q2,m,answer_absent,1,N1,True", "is not one of answer_absent"),
        ("q2,m,answer_present,1,N5,True", "is not one of answer_present"),
        ("q2,m,q100,1,N1,True", "condition 'q100' is unknown"),
        ("q2,m,answer_present,,N1,True", "trial is missing"),
        ("q2,m,answer_present,0,N1,True", "trial '0'"),
        ("q2,m,answer_present,one,N1,True", "trial 'one'"),
        ("q2,,answer_present,1,N1,True", "model is missing"),
        ("q2,m,answer_present,1,N0,True", "valid=True"),
        ("q2,m,answer_present,1,N1,False", "valid=False"),
        ("q2,m,answer_present,1,N1,perhaps", "valid=perhaps"),
        ("q2,m,answer_present,1,,", "outcome"),
        ("q2,m,answer_present,1,N1,True,more", "more cells"),
    ],
)
def test_a_bad_row_is_one_line_with_file_and_line(tmp_path, row, message):
    path = csv_file(tmp_path, HEADER + PAIR + row + "\n")
    with pytest.raises(AbstainError, match=message) as error:
        read_recorded(path)
    assert str(error.value).startswith(f"{path}:4: ")
    assert "\n" not in str(error.value)


def test_a_repeated_response_names_both_lines(tmp_path):
    path = csv_file(tmp_path, HEADER + PAIR + "q1,m,answer_absent,1,N5,True\n")
    with pytest.raises(AbstainError) as error:
        read_recorded(path)
    assert f"{path}:4" in str(error.value)
    assert f"{path}:3" in str(error.value)


@pytest.mark.parametrize(
    ("condition", "options"),
    [
        ("answer_present", ABSENT),
        ("answer_absent", PRESENT),
        ("answer_present", ["gold", "abstain", "other"]),
        ("answer_absent", ["distractor"] * 4),
        ("answer_absent", ["abstain"] + ["distractor"] * 5),
        ("answer_absent", None),
    ],
)
def test_options_that_do_not_fit_their_condition_are_refused(tmp_path, condition, options):
    path = jsonl_file(tmp_path, choice_row(condition, "A", options))
    with pytest.raises(AbstainError, match="options"):
        read_recorded(path)


def test_a_question_with_a_missing_record_is_left_out_and_counted(tmp_path):
    unpaired = "q2,m,answer_present,1,N1,True\n"
    (recorded,) = read_recorded(csv_file(tmp_path, HEADER + unpaired + PAIR))
    assert {row.item_id for row in recorded.rows} == {"q1"}
    assert recorded.incomplete == ("q2",)


def test_a_question_with_a_missing_trial_is_left_out_and_counted(tmp_path):
    three = "".join(PAIR.replace(",1,", f",{trial},").replace("q1", "q2") for trial in (1, 2, 3))
    (recorded,) = read_recorded(csv_file(tmp_path, HEADER + PAIR + three))
    assert {row.item_id for row in recorded.rows} == {"q2"}
    assert recorded.incomplete == ("q1",)


def test_an_invalid_response_is_a_record(tmp_path):
    invalid = "q2,m,answer_present,1,N0,False\nq2,m,answer_absent,1,N4,True\n"
    (recorded,) = read_recorded(csv_file(tmp_path, HEADER + PAIR + invalid))
    assert recorded.incomplete == ()
    assert len(recorded.rows) == 4


def test_a_model_with_one_condition_only_is_refused(tmp_path):
    with pytest.raises(AbstainError, match="no question of m"):
        read_recorded(csv_file(tmp_path, HEADER + "q1,m,answer_present,1,N1,True\n"))


@pytest.mark.parametrize("name", ["nowhere.csv", "nowhere.jsonl"])
def test_a_missing_file_names_the_key(tmp_path, name):
    with pytest.raises(AbstainError, match=r"task\.path=.*no such file"):
        read_recorded(tmp_path / name)


def test_other_files_and_empty_ones_are_refused(tmp_path):
    (tmp_path / "recorded.txt").write_text("x")
    with pytest.raises(AbstainError, match=r"\.csv, \.jsonl or \.parquet"):
        read_recorded(tmp_path / "recorded.txt")
    with pytest.raises(AbstainError, match="no recorded responses"):
        read_recorded(csv_file(tmp_path, HEADER))
