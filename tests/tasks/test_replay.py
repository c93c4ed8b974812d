"""Replaying recorded responses through a real MLflow database, without calling a model."""

import csv
import subprocess
import sys

import pytest

from abstain.tracking import Tracker


def abstain(root, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "abstain", f"paths.root={root}", *arguments], capture_output=True, text=True, cwd=root
    )


def cells(root):
    tracker = Tracker(f"sqlite:///{root}/mlruns/mlflow.db", str(root / "mlruns/artifacts"), "abstain")
    return {run.data.tags["model"]: run for run in tracker.runs("tags.kind = 'cell'")}, tracker


def test_the_published_outcomes_give_the_published_numbers(shared, tmp_path):
    done = abstain(tmp_path, "task=replay", f"task.path={shared.resolve()}/data/arctic_abstain/outcomes.csv")
    assert done.returncode == 0, done.stderr
    found, tracker = cells(tmp_path)
    with (shared / "data/arctic_abstain/published_metrics.csv").open() as file:
        published = {row["model"]: row for row in csv.DictReader(file)}
    assert found.keys() == published.keys()
    for model, row in published.items():
        metrics = found[model].data.metrics
        for code in ("N0", "N1", "N2", "N3", "N4", "N5"):
            assert metrics[f"n/{code}"] == int(row[code])
        for name in ("acc", "abstention_rate", "f1_abs", "r_acc"):
            assert metrics[name] == pytest.approx(float(row[name]), abs=6e-4)
            assert metrics[f"{name}_median"] == pytest.approx(float(row[f"{name}_median"]), abs=6e-4)
        assert metrics["abstention/shift"] == pytest.approx(float(row["shift"]), abs=1e-6)
        assert metrics["abstention/p"] == pytest.approx(float(row["exact_p"]), abs=1e-6)
        assert metrics["n/paired"] == int(row["questions_in_test"])
        assert "abstention/p_holm" in metrics
    (parent,) = tracker.runs("tags.kind = 'sweep'")
    assert 100 * parent.data.metrics["abstention/mean_shift"] == pytest.approx(5.05, abs=0.005)
    assert 100 * parent.data.metrics["abstention/mean_of_shifts"] == pytest.approx(5.06, abs=0.005)
    page = (tmp_path / "reports/replay/index.html").read_text()
    assert "pooled" in page and "median" in page


def test_the_rows_of_a_run_score_the_same_elsewhere(tmp_path):
    (tmp_path / "q.jsonl").write_text('{"id": "q", "question": "who", "answers": ["Ada"], "gold": ["Ada it was."]}\n')
    (tmp_path / "s.jsonl").write_text('{"decision": "answer", "answer": "Ada", "confidence": 80, "reasoning": ""}\n')
    ran = abstain(
        tmp_path, "dataset=jsonl", f"dataset.path={tmp_path}/q.jsonl", "model=scripted", "retriever=bm25",
        f"model.path={tmp_path}/s.jsonl", "condition.names=[q100,closed]", "policy=p1",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    found, tracker = cells(tmp_path)
    original = found["scripted"]
    responses = tracker.artifact(original.info.run_id, "responses.parquet", tmp_path)
    (tmp_path / "there").mkdir()
    done = abstain(tmp_path / "there", "task=replay", f"task.path={responses}")
    assert done.returncode == 0, done.stderr
    replayed = cells(tmp_path / "there")[0]["scripted"].data.metrics
    science = {name: value for name, value in original.data.metrics.items() if not name.startswith("cost/")}
    assert replayed == science
    assert science["em/q100"] == 1.0


def test_a_table_of_several_cells_is_refused(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    from abstain.errors import AbstainError
    from abstain.replay_rows import read_cell

    names = ["seed", "threshold_f1", "threshold_confidence", "question_id", "question", "answers", "condition"]
    names += ["ineligible", "capable", "planted", "finish", "context_cut", "planted_cut", "decision", "answer"]
    names += ["confidence", "cause", "dataset", "policy"]
    table = pa.table({"model": ["a", "b"], **{name: [1, 1] for name in names}})
    pq.write_table(table, tmp_path / "two.parquet")
    with pytest.raises(AbstainError, match=r"two\.parquet: holds 2 cells.*one file a cell"):
        read_cell(tmp_path / "two.parquet")


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("nowhere.csv", None, "nowhere.csv"),
        ("bad.csv", "item_id,model,condition,trial,outcome\nq,m,answer_present,1,N9\n", "bad.csv:2: outcome 'N9'"),
        ("bad.parquet", "not parquet", "bad.parquet"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_line_that_names_it(tmp_path, name, content, line):
    if content is not None:
        (tmp_path / name).write_text(content)
    done = abstain(tmp_path, "task=replay", f"task.path={tmp_path}/{name}")
    assert done.returncode != 0
    assert line in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "mlruns").exists()
