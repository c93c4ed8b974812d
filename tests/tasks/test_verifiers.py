"""p3 and p4 end to end over one scripted store: thresholds decide again, and nothing is generated for them."""

import json
import subprocess
import sys

import pytest

from abstain.tracking import Tracker

LEADERS = {
    "Oak": "Ada Berg",
    "Elm": "Bob Clay",
    "Ash": "Cyd Dorn",
    "Fir": "Dan Elm",
    "Yew": "Eve Fox",
    "Bay": "Fay Gray",
}
CLOSED = {
    # What the model says without context, chosen so that each rule of p3 decides somewhere.
    "Oak": ("answer", "Ada Berg", 90),  # agrees
    "Elm": ("answer", "Bob", 90),  # F1 2/3: agrees at 0.4, conflicts at 0.8
    "Ash": ("answer", "Someone Else", 90),  # conflicts above 0
    "Fir": ("answer", "Someone Else", 30),  # unreliable at a cutoff of 50
    "Yew": ("abstain", "", 90),  # unreliable at any cutoff
    "Bay": ("answer", "Fay Gray", 90),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    root = tmp_path_factory.mktemp("verifiers")
    questions, script = [], []
    for clan, leader in LEADERS.items():
        questions.append(
            {
                "id": clan,
                "question": f"who leads clan {clan}",
                "answers": [leader],
                "gold": [f"{leader} leads clan {clan}."],
            }
        )
        decision, answer, confidence = CLOSED[clan]
        said = {"decision": decision, "answer": answer, "confidence": confidence, "reasoning": ""}
        script.append({"question": clan, "prompt": "closed", **said})
        # Bay's context pass abstains; the others answer rightly at q100 and wrongly at q0.
        verdict = "abstain" if clan == "Bay" else "answer"
        for condition, text in (("q100", leader), ("q0", "Nobody Known")):
            context = {
                "decision": verdict,
                "answer": "" if verdict == "abstain" else text,
                "confidence": 80,
                "reasoning": "",
            }
            script.append({"question": clan, "condition": condition, "prompt": "p1", **context})
    claim = "The answer to who leads clan Ash is Someone Else."
    script.append({"question": claim, "prompt": "nli", "raw": "contradiction"})
    script.append({"prompt": "nli", "raw": "neutral"})
    (root / "q.jsonl").write_text("".join(json.dumps(q) + "\n" for q in questions))
    (root / "s.jsonl").write_text("".join(json.dumps(line) + "\n" for line in script))
    run(root, "policy=p1")
    return root


def run(root, *arguments):
    flags = [argument for argument in arguments if argument.startswith("-")]
    overrides = [
        f"paths.root={root}",
        "dataset=jsonl",
        f"dataset.path={root}/q.jsonl",
        "model=scripted",
        f"model.path={root}/s.jsonl",
        "retriever=bm25",
        "condition.names=[q100,q0,closed]",
        *(argument for argument in arguments if not argument.startswith("-")),
    ]
    command = [sys.executable, "-m", "abstain", *flags, *overrides]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr


def runs(root, policy):
    tracker = Tracker(f"sqlite:///{root}/mlruns/mlflow.db", str(root / "mlruns/artifacts"), "abstain")
    return tracker, tracker.runs(f"tags.kind = 'cell' and tags.policy = '{policy}'")


def rows(tracker, found, tmp_path):
    import pyarrow.parquet as pq

    (tmp_path / found.info.run_id).mkdir()
    table = pq.read_table(tracker.artifact(found.info.run_id, "responses.parquet", tmp_path / found.info.run_id))
    return {(row["question_id"], row["condition"]): row for row in table.to_pylist()}


def test_thresholds_decide_again_from_what_is_stored_and_agree_with_the_sweep_inside_a_run(place, tmp_path):
    run(place, "-m", "policy=p3", "thresholds.f1=0.0,0.4,0.8,1.0")
    tracker, found = runs(place, "p3")
    by_threshold = {float(each.data.tags["thresholds.f1"]): each for each in found}
    assert [each.data.metrics["cost/generated"] for each in found] == [0] * 4
    answered = {threshold: each.data.metrics["answer_rate/q100"] for threshold, each in by_threshold.items()}
    # At 0 everyone but Bay answers, as under p1; above it Ash conflicts, and above 2/3 Elm does too.
    assert answered == {0.0: 5 / 6, 0.4: 4 / 6, 0.8: 3 / 6, 1.0: 3 / 6}
    fac = {threshold: each.data.metrics["fac/q100"] for threshold, each in by_threshold.items()}
    # The capability set is the five that p1 answers rightly.
    assert fac == {0.0: 0.0, 0.4: 1 / 5, 0.8: 2 / 5, 1.0: 2 / 5}
    for threshold, each in by_threshold.items():
        history = tracker._client.get_metric_history(found[0].info.run_id, "sweep_f1/fac/q100")
        assert {point.step: point.value for point in history}[round(100 * threshold)] == each.data.metrics["fac/q100"]


def test_p3_at_threshold_zero_has_the_decisions_of_p1(place, tmp_path):
    run(place, "policy=p3", "thresholds.f1=0.0")
    tracker, found = runs(place, "p3")
    ours = rows(tracker, found[0], tmp_path)
    _, p1 = runs(place, "p1")
    theirs = rows(tracker, p1[0], tmp_path)
    assert ours.keys() == theirs.keys()
    for key, row in ours.items():
        assert (row["decision"], row["answer"]) == (theirs[key]["decision"], theirs[key]["answer"])
        inherited = row["condition"] != "closed" and row["decision"] == "abstain"
        assert row["confidence"] == (0 if inherited else theirs[key]["confidence"])


def test_p4_abstains_where_a_passage_contradicts_and_asks_each_pair_once(place, tmp_path):
    run(place, "policy=p4")
    tracker, found = runs(place, "p4")
    row = rows(tracker, found[0], tmp_path)
    assert row["Ash", "q100"]["cause"] == "contradiction"
    assert row["Oak", "q100"]["cause"] == "not_contradicted"
    assert row["Fir", "q100"]["cause"] == "closed_book_unreliable"
    assert row["Yew", "q0"]["cause"] == "closed_book_unreliable"
    assert row["Bay", "q100"]["cause"] == "context_pass"
    assert found[0].data.metrics["cost/generated"] == 0
    assert found[0].data.metrics["cost/nli"] > 0
    run(place, "policy=p4", "thresholds.confidence=20")
    again = runs(place, "p4")[1][0]
    # Every row where both passes answer was judged, so another cutoff needs no verdict that is not there.
    assert again.data.metrics["cost/nli"] == 0
    assert rows(tracker, again, tmp_path)["Fir", "q100"]["cause"] == "not_contradicted"
