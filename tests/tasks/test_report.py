import csv
import random
from dataclasses import replace

import pytest
from hydra.utils import instantiate

from abstain.errors import AbstainError
from abstain.rows import Case, Decision, Question
from abstain.scoring.cell import cell_metrics
from abstain.scoring.outcome import score
from abstain.scoring.sweeps import SweepPoint
from abstain.tasks.report import Report
from abstain.tasks.responses import write_parquet
from abstain.tasks.result import Result
from abstain.tracking import Tracker

NASTY = "<img src=x onerror=alert(1)>|$x$"
CONDITIONS = ["q100", "q50", "q0", "qc", "closed"]
SWEEP = "2026-12-01/03-00-00"


def rows_of(seed):
    """Eight questions under all conditions, half of them eligible for qc, with random decisions."""
    rng = random.Random(seed)
    rows = []
    for index in range(8):
        question = Question(f"q{index}", index, "Who?", ("gold",), ("gold",))
        for condition in CONDITIONS:
            verdict, answer = rng.choice([("answer", "gold"), ("answer", "other"), ("abstain", "")])
            case = Case(question, condition, ("passage",))
            if condition != "qc" or index % 2 == 0:
                rows.append(score(case, Decision(verdict, answer, rng.randrange(101), "context_pass")))
    return rows


def result_of(seed, policy):
    rows = rows_of(seed)
    counts = {"truncated": 0, "context_cut": 0, "planted_cut": 0}
    metrics = cell_metrics(rows, {"q0", "q1"}, conditions=CONDITIONS, questions=8, resamples=50, **counts)
    records = [
        {
            "question_id": row.case.question.id,
            "condition": row.case.condition,
            "ineligible": None,
            "decision": row.decision.verdict,
            "exact_match": row.exact_match,
        }
        for row in rows
    ]
    points = [SweepPoint(threshold, metrics) for threshold in (0.0, 0.8)]
    return Result(metrics, records, {"sweep_f1": points} if policy == "p3" else {}, read={})


def log(tracker, folder, seed, dataset, policy, parent=None, construction="42", status="FINISHED"):
    """One run as task=run leaves it: tags, params, metrics, sweep curves and artifacts."""
    result = result_of(seed, policy)
    tags = {
        "benchmark": "grab_rag",
        "dataset": dataset,
        "model": NASTY,
        "policy": policy,
        "seed": construction,
        "sweep_id": SWEEP if parent else "",
        "config_sha256": f"{dataset} {policy} {construction}",
    }
    params = {"dataset.name": dataset, "model.name": NASTY, "policy.name": policy, "seed.value": construction}
    write_parquet(result.records, folder / "responses.parquet")
    result.write_sweeps(folder / "sweeps")
    try:
        with tracker.run("cell", tags, params, parent) as run:
            if status == "FAILED":
                raise RuntimeError
            run.log(result.metrics, result.steps, folder)
    except RuntimeError:
        pass
    return result.metrics


@pytest.fixture(scope="module")
def logged(tmp_path_factory):
    """A root with a finished sweep of four cells, an older double, a failed run and a run under another seed."""
    root = tmp_path_factory.mktemp("root")
    tracker = Tracker(f"sqlite:///{root}/mlruns/mlflow.db", f"{root}/mlruns/artifacts", "abstain")
    made = root / "made"
    made.mkdir()
    log(tracker, made, 99, "nq", "p1")
    parent = tracker.open_parent(SWEEP)
    metrics = {
        (dataset, policy): log(tracker, made, f"{dataset}{policy}", dataset, policy, parent)
        for dataset in ("nq", "hotpotqa")
        for policy in ("p1", "p3")
    }
    tracker.close_parent(parent, "FINISHED")
    log(tracker, made, 7, "nq", "p4", status="FAILED")
    log(tracker, made, 8, "nq", "p1", construction="43")
    return root, tracker, parent, metrics


def read(folder, name):
    with (folder / "tables" / f"{name}.csv").open() as file:
        return list(csv.DictReader(file))


def test_a_report_is_made_from_logged_runs_from_end_to_end(logged, composed, capsys):
    folder, _, _, metrics = logged
    audit = folder / "audit.csv"
    audit.write_text("dataset,question_id,tier\nnq,q0,fluent\nnq,q2,broken\nhotpotqa,q4,borderline\n")
    config = composed("task=report", f"paths.root={folder}", "task.name=first", f"task.audit={audit}")
    instantiate(config.task)(config)

    report = folder / "reports" / "first"
    assert str(report / "index.html") in capsys.readouterr().out.replace("\n", "")
    cells = read(report, "hwsa")
    assert len(cells) == 4
    for row in cells:
        expected = metrics[row["dataset"], row["policy"]]
        assert row["model"] == NASTY
        # The newest run of the cell, with all of its digits; the older double and the failed run are not here.
        assert float(row["hwsa_qc"]) == expected["hwsa/qc"]
        assert float(row["delta_low"]) == expected["hwsa/delta_low"]
    (p1, _) = read(report, "policies")
    mean = (metrics["nq", "p1"]["hwsa/qc"] + metrics["hotpotqa", "p1"]["hwsa/qc"]) / 2
    assert float(p1["hwsa_qc"]) == pytest.approx(mean)
    assert [row["threshold"] for row in read(report, "sweep_f1")] == ["0", "0.8"]
    assert {row["n_kept"] for row in read(report, "audited")[:4]} == {"1"}
    assert [(row["seed_42"] != "", row["seed_43"] != "") for row in read(report, "seeds")] == [(True, True)] * 2
    assert len(read(report, "grab_rag_runs")) == 5
    for name in ("abstention", "safety_utility", "sweep_f1"):
        assert (report / "figures" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert b"<svg" in (report / "figures" / f"{name}.svg").read_bytes()
    page = (report / "index.html").read_text()
    assert "<img src=x" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;|$x$" in page
    assert "Other settings" in page and "seed.value=43 (1 cell)" in page


def test_the_report_on_one_sweep_is_an_artifact_of_the_run_above_it(logged, composed):
    folder, tracker, parent, _ = logged
    config = composed("task=report", f"paths.root={folder}", f"task.sweep_id={SWEEP}")
    instantiate(config.task)(config)
    page = tracker.artifact(parent, "index.html", folder / "made")
    assert page.read_text() == (folder / "reports" / "latest" / "index.html").read_text()
    assert tracker.artifact(parent, "tables/policies.csv", folder / "made").exists()


def test_tags_choose_the_runs(logged, composed):
    folder, *_ = logged
    config = composed("task=report", f"paths.root={folder}", "+task.tags.seed=43")
    instantiate(config.task)(config)
    assert [row["policy"] for row in read(folder / "reports" / "latest", "hwsa")] == ["p1"]


def test_a_run_that_lost_its_responses_is_reported_with_its_rows_missing(logged, composed):
    folder, tracker, *_ = logged
    elsewhere = replace(tracker, experiment="elsewhere")
    for policy in ("p0", "p1", "p2"):
        log(elsewhere, folder / "made", 3, "nq", policy)
    (lost,) = elsewhere.runs("tags.policy = 'p0'")
    (cut,) = elsewhere.runs("tags.policy = 'p2'")
    gone, torn = (
        folder / "mlruns" / "artifacts" / run.info.run_id / "artifacts" / "responses.parquet" for run in (lost, cut)
    )
    gone.unlink()
    torn.write_bytes(torn.read_bytes()[:200])
    config = composed("task=report", f"paths.root={folder}", "task.experiment=elsewhere", "task.name=lost")
    instantiate(config.task)(config)
    report = folder / "reports" / "lost"
    page = (report / "index.html").read_text()
    assert f"run {lost.info.run_id} has no artifact responses.parquet" in page
    assert f"responses.parquet of run {cut.info.run_id} (" in page
    gaps = {row["policy"]: row["gap"] for row in read(report, "qc_eligibility")[:3]}
    assert gaps["p0"] == gaps["p2"] == ""
    assert gaps["p1"] != ""
    assert all(row["hwsa_qc"] for row in read(report, "hwsa"))


@pytest.mark.parametrize("name", ["../else", "a/b", "", ".."])
def test_a_report_stays_in_its_folder(name):
    with pytest.raises(AbstainError, match=r"task\.name="):
        Report(name=name)
