import json
import subprocess
import sys

QUESTION = {"id": "q", "question": "who", "answers": ["Ada"], "gold": ["Ada it was."]}


def plan(root, *arguments):
    done = subprocess.run(
        [
            sys.executable, "-m", "abstain", "task=plan", f"paths.root={root}", "dataset=jsonl",
            f"dataset.path={root}/q.jsonl", "model=scripted", f"model.path={root}/s.jsonl", "retriever=bm25",
            "condition.names=[q100,closed]", *arguments,
        ],
        capture_output=True, text=True, cwd=root,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = (line.strip("│").split("│") for line in done.stdout.splitlines() if line.count("│") == 3)
    return {key.strip(): value.strip() for key, value in rows}


def test_a_plan_counts_rows_generations_and_what_is_stored(tmp_path):
    (tmp_path / "q.jsonl").write_text(json.dumps(QUESTION) + "\n")
    (tmp_path / "s.jsonl").write_text('{"decision": "answer", "answer": "Ada", "confidence": 80, "reasoning": ""}\n')
    before = plan(tmp_path, "policy=p0")
    # p0 at q100, the anchor p1 at q100, and the closed book.
    assert before["rows"] == "3"
    assert before["reused from the store"] == "0"
    assert before["estimated time"].startswith("unknown")
    assert not (tmp_path / "mlruns").exists()
