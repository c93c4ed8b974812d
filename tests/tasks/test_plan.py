import json
import subprocess
import sys

QUESTION = {"id": "q", "question": "who", "answers": ["Ada"], "gold": ["Ada it was."]}


def abstain(root, *arguments):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "abstain", *(a for a in arguments if a.startswith("-")), f"paths.root={root}"),
            *("dataset=jsonl", f"dataset.path={root}/q.jsonl", "model=scripted", f"model.path={root}/s.jsonl"),
            *("retriever=bm25", "condition.names=[q100,closed]", *(a for a in arguments if not a.startswith("-"))),
        ],
        capture_output=True,
        text=True,
        cwd=root,
    )
    assert done.returncode == 0, done.stderr
    rows = (line.strip("│").split("│") for line in done.stdout.splitlines() if line.count("│") == 3)
    return [(key.strip(), value.strip()) for key, value in rows]


def write(root):
    (root / "q.jsonl").write_text(json.dumps(QUESTION) + "\n")
    (root / "s.jsonl").write_text('{"decision": "answer", "answer": "Ada", "confidence": 80, "reasoning": ""}\n')


def test_a_plan_counts_rows_generations_and_what_is_stored(tmp_path):
    write(tmp_path)
    before = dict(abstain(tmp_path, "task=plan", "policy=p0"))
    # Two rows, q100 and closed; they need p0 at q100, the anchor p1 at q100, and the closed book.
    assert before["rows"] == "2"
    assert before["unique generations they need"] == "3"
    assert before["reused from the store"] == "0"
    assert before["estimated time"].startswith("unknown")
    assert not (tmp_path / "mlruns").exists()
    abstain(tmp_path, "policy=p0")
    after = dict(abstain(tmp_path, "task=plan", "policy=p0"))
    assert after["reused from the store"] == "3"
    assert after["estimated time"] == "0 s"


def test_the_plans_of_a_sweep_add_up_to_what_the_sweep_generates(tmp_path):
    write(tmp_path)
    planned = abstain(tmp_path, "-m", "task=plan", "policy=p0,p1,p2")
    to_generate = [int(value) for key, value in planned if key.startswith("to generate")]
    # p0, p1 and p2 at q100 and the closed book once: the later jobs find the anchor and the closed book made.
    assert to_generate == [3, 0, 1]
