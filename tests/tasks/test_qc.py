"""The misleading condition end to end: real entities and swaps, scripted replies, metrics worked out by hand."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from abstain.conditions.swap import find_swaps
from abstain.datasets.jsonl import JsonLines
from abstain.ner.spacy import SpacyNer
from abstain.tasks.responses import REPLY_COLUMNS
from abstain.tracking import Tracker

FACTS = {
    "museum": ("Who founded the museum", "John Miller", "The museum was founded by John Miller after the long war."),
    "sea": ("Who led the expedition", "Peter Schmidt", "The expedition was led by Peter Schmidt in the frozen sea."),
    "light": ("Who built the lighthouse", "Mary Johnson", "The lighthouse was built by Mary Johnson on the shore."),
    "opera": ("Who wrote the opera", "David Brown", "The opera was written by David Brown in a rainy summer."),
    "bridge": ("Who drew the bridge", "Robert Wilson", "The bridge was drawn by Robert Wilson in his last years."),
    "school": ("Who opened the school", "James Taylor", "The school was opened by James Taylor in the old mill."),
    "gate": ("Which colour has the gate", "blue", "The gate of the old garden was painted blue many years ago."),
    "wall": ("Which colour has the wall", "green", "The wall behind the small pond was painted green last week."),
}
ELIGIBLE = ("museum", "sea", "light", "opera", "bridge", "school")  # colours are no entities
SAID_AT_QC = {
    "museum": "echo",
    "sea": "echo",
    "light": "correct_override",
    "opera": "hallucination",
    "bridge": "right_abstention",
    "school": "right_abstention",
}
ANSWERED_AT_Q0 = ("museum", "gate", "wall")
CONTEXT_TOKENS = 30  # words; five passages are about sixty, so some planted answers are cut and some are not


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    root = tmp_path_factory.mktemp("qc")
    entries = [{"id": id, "question": q, "answers": [a], "gold": [gold]} for id, (q, a, gold) in FACTS.items()]
    (root / "q.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    (root / "script.jsonl").write_text("".join(json.dumps(line) + "\n" for line in script(swaps(root))))
    abstain(
        root, "dataset=jsonl", f"dataset.path={root}/q.jsonl", "model=scripted", f"model.path={root}/script.jsonl",
        f"model.context_tokens={CONTEXT_TOKENS}", "retriever=bm25", "condition=grab_rag", "policy=p1",
    )  # fmt: skip
    return root


def swaps(root):
    """What the run will plant, read beforehand through a cache of its own."""
    cache = root / "beforehand"
    cache.mkdir(exist_ok=True)
    return find_swaps(JsonLines(str(root / "q.jsonl")).load(), SpacyNer(), 42, cache)


def script(found):
    for id, outcome in SAID_AT_QC.items():
        answers = {"echo": found[id].planted, "correct_override": FACTS[id][1], "hallucination": "Nobody Known"}
        yield reply(answers.get(outcome), question=id, condition="qc")
    for id in ANSWERED_AT_Q0:
        yield reply("Nobody Known", question=id, condition="q0")
    yield reply(None, condition="q0")
    for id, (_, answer, _) in FACTS.items():
        yield reply(answer, question=id)


def reply(answer, **selectors):
    said = {"decision": "answer" if answer else "abstain", "answer": answer or "", "confidence": 80, "reasoning": ""}
    return selectors | said


def abstain(root, *arguments):
    command = [sys.executable, "-m", "abstain", f"paths.root={root}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr


def cell(root):
    tracker = Tracker(f"sqlite:///{root}/mlruns/mlflow.db", str(root / "mlruns/artifacts"), "abstain")
    (run,) = tracker.runs("tags.kind = 'cell'")
    return tracker, run


def responses(root, folder):
    tracker, run = cell(root)
    return Path(tracker.artifact(run.info.run_id, "responses.parquet", folder))


def qc_rows(root, folder):
    import pyarrow.parquet as pq

    table = pq.read_table(responses(root, folder)).to_pylist()
    return {row["question_id"]: row for row in table if row["condition"] == "qc"}


def test_the_rates_of_the_misleading_condition_are_those_of_the_script(place):
    metrics = cell(place)[1].data.metrics
    assert metrics["qc/eligible"] == 6 / 8
    assert metrics["n/qc"] == 6
    assert metrics["hwsa/qc"] == pytest.approx(4 / 6)
    # Three answer at q0, of which one alone has a qc row to be compared with.
    assert metrics["answer_rate/q0"] == 3 / 8
    assert metrics["hwsa/q0"] == pytest.approx(1 / 6)
    assert metrics["hwsa/delta"] == pytest.approx(3 / 6)
    # Of the four answers: two as planted, one right in spite of it, one neither.
    assert (metrics["qc/echo"], metrics["qc/correct"], metrics["qc/hallucinated"]) == (2 / 4, 1 / 4, 1 / 4)


def test_the_rows_tell_what_was_planted_and_what_came_of_it(place, tmp_path):
    rows = qc_rows(place, tmp_path)
    found = swaps(place)
    assert {id: row["outcome"] for id, row in rows.items() if id in ELIGIBLE} == SAID_AT_QC
    for id in ELIGIBLE:
        row, (_, answer, gold) = rows[id], FACTS[id]
        assert row["ineligible"] is None
        assert row["planted"] == found[id].planted != answer
        assert (row["swap_original"], row["swap_tier"], row["swap_type"]) == (answer, "entity", "PERSON")
        assert row["swap_original_passage"] == gold
        assert row["swap_passage"] == gold.replace(answer, row["planted"])
        assert [edit["after"] for edit in json.loads(row["swap_edits"])] == [row["swap_replacement"]]


def test_a_question_without_a_swap_says_why_and_is_not_asked(place, tmp_path):
    rows = qc_rows(place, tmp_path)
    for id in FACTS.keys() - set(ELIGIBLE):
        assert rows[id]["ineligible"] == swaps(place)[id] == "no_entity_type"
        assert {rows[id][name] for name in ("planted", "swap_passage", "prompt", "raw", "planted_cut")} == {None}


def test_a_planted_answer_that_the_cap_removed_is_counted(place, tmp_path):
    rows = qc_rows(place, tmp_path)
    cut = {id: rows[id]["planted"] not in rows[id]["prompt"] for id in ELIGIBLE}
    assert {id: rows[id]["planted_cut"] for id in ELIGIBLE} == cut
    assert 0 < cell(place)[1].data.metrics["n/qc_planted_cut"] == sum(cut.values()) < len(ELIGIBLE)


def test_the_rows_score_the_same_elsewhere(place, tmp_path):
    abstain(tmp_path, "task=replay", f"task.path={responses(place, tmp_path)}")
    original = cell(place)[1].data.metrics
    science = {name: value for name, value in original.items() if not name.startswith(("cost/", "sweep_"))}
    assert cell(tmp_path)[1].data.metrics == science


def test_a_run_without_any_eligible_question_has_all_columns_and_is_reported(tmp_path):
    question = {"id": "q", "question": "Who?", "answers": ["Ada"], "gold": ["Ada it was."]}
    (tmp_path / "q.jsonl").write_text(json.dumps(question) + "\n")
    (tmp_path / "s.jsonl").write_text(json.dumps(reply("Ada")) + "\n")
    parts = ["dataset=jsonl", f"dataset.path={tmp_path}/q.jsonl", "model=scripted", f"model.path={tmp_path}/s.jsonl"]
    abstain(tmp_path, *parts, "retriever=bm25", "condition=qc")
    (row,) = qc_rows(tmp_path, tmp_path).values()
    assert row["ineligible"] is not None
    assert all(row[name] is None for name in REPLY_COLUMNS)
    abstain(tmp_path, "task=report")
    assert "could not be read" not in (tmp_path / "reports" / "latest" / "index.html").read_text()
