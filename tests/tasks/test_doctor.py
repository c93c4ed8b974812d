"""The doctor as a user calls it, in a process of its own."""

import json
import subprocess
import sys

QUESTION = {"id": "q", "question": "who", "answers": ["Ada"], "gold": ["Ada it was."]}


def doctor(root, *overrides):
    command = [sys.executable, "-m", "abstain", "task=doctor", f"paths.root={root}", "retriever=bm25", *overrides]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root)
    lines = [line.strip() for line in done.stdout.splitlines()]
    return done.returncode, lines, done.stderr


def scripted(root):
    (root / "q.jsonl").write_text(json.dumps(QUESTION) + "\n")
    (root / "s.jsonl").write_text('{"decision": "abstain", "answer": "", "confidence": 80, "reasoning": ""}\n')
    return ["dataset=jsonl", f"dataset.path={root}/q.jsonl", "model=scripted", f"model.path={root}/s.jsonl"]


def verdict(lines, what):
    (line,) = [line for line in lines if line.split(maxsplit=1)[1:] and line.split(maxsplit=1)[1].startswith(what)]
    return line.split()[0]


def test_where_everything_is_there_nothing_fails_and_nothing_is_written(tmp_path):
    overrides = scripted(tmp_path)
    code, lines, errors = doctor(tmp_path, *overrides)
    assert code == 0, errors
    assert lines[-1] == "nothing stands in the way of a run"
    assert verdict(lines, "dataset") == verdict(lines, "model") == verdict(lines, "ner") == "ok"
    assert not (tmp_path / "mlruns").exists()
    assert not (tmp_path / ".abstain" / "responses.db").exists()


def test_each_thing_that_is_missing_is_named_with_what_to_do_and_the_exit_code_is_1(tmp_path):
    overrides = [*scripted(tmp_path), "model.path=gone.jsonl", "dataset.path=away.jsonl", "ner.model=no_such_model"]
    code, lines, errors = doctor(tmp_path, *overrides)
    assert code == 1
    assert "3 of 15 checks failed" in errors
    assert verdict(lines, "dataset") == verdict(lines, "model") == verdict(lines, "ner") == "fail"
    assert verdict(lines, "store") == "ok"
    failed = [number for number, line in enumerate(lines) if line.startswith("fail ")]
    assert all(lines[number + 1].startswith("-> ") for number in failed)


def test_multiple_choice_is_not_asked_for_the_parts_of_grab_rag(tmp_path):
    overrides = ["condition=arctic_abstain", "dataset=arctic_demo", "policy=mcq"]
    code, lines, errors = doctor(tmp_path, *scripted(tmp_path)[2:], *overrides)
    assert code == 0, errors
    assert verdict(lines, "dataset") == "ok"
    assert not any(line.split()[1:2] in (["ner"], ["nli"], ["retriever"]) for line in lines)


def test_a_value_out_of_range_is_found_before_a_run_is_refused_for_it(tmp_path):
    code, lines, errors = doctor(tmp_path, *scripted(tmp_path), "thresholds.f1=3")
    assert (code, verdict(lines, "configuration")) == (1, "fail")
    assert "1 of 15 checks failed" in errors


def test_a_sweep_of_checks_goes_through_all_of_them(tmp_path):
    overrides = [*scripted(tmp_path)[:-1], f"model.path=gone.jsonl,{tmp_path}/s.jsonl"]
    code, lines, errors = doctor(tmp_path, *overrides, "-m")
    assert code == 1
    assert "1 of 15 checks failed" in errors
    assert lines[-1] == "nothing stands in the way of a run"
