"""ArcticAbstain end to end: two scripted models in one sweep, their categories and Holm's correction by hand."""

import hashlib
import json
import subprocess
import sys

import pytest

from abstain.conditions.choice import ANSWER_ABSENT, ANSWER_PRESENT, ChoiceConditions
from abstain.datasets.arctic import arctic_demo
from abstain.policies.mcq import LETTERS
from abstain.tracking import Tracker

ITEMS, TRIALS, SEED = 8, 2, 42
ABSTAIN_WITHOUT_ANSWER = {"a": 6, "b": 2}
"""On how many items a model abstains when the answer is absent; with it, all are answered."""
KINDS = ("gold", "distractor", "abstain")


def intended(model, item, condition):
    """What a model chooses: a knows every answer, b none; the last item is the one with a reply of two letters."""
    if condition == ANSWER_PRESENT:
        return "gold" if model == "a" else "distractor"
    return "abstain" if item < ABSTAIN_WITHOUT_ANSWER[model] else "distractor"


def script(model):
    questions = arctic_demo("arctic_demo", ITEMS).load().questions
    cases = ChoiceConditions("arctic_abstain", [ANSWER_PRESENT, ANSWER_ABSENT]).build(questions, model, SEED, TRIALS)
    for case in cases:
        kinds = [option.kind for option in case.options]
        letter = LETTERS[kinds.index(intended(model, case.question.index, case.condition))]
        if (model, case.question.index, case.condition, case.trial) == ("a", ITEMS - 1, ANSWER_PRESENT, 1):
            letter = "AB"
        yield {"question": case.question.id, "condition": case.condition, "trial": case.trial, "raw": letter}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    root = tmp_path_factory.mktemp("choice")
    (root / "conf/model").mkdir(parents=True)
    for model in ("a", "b"):
        (root / f"{model}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in script(model)))
        (root / f"conf/model/{model}.yaml").write_text(
            f"defaults: [scripted]\nname: {model}\npath: {root}/{model}.jsonl\n"
        )
    command = [
        sys.executable, "-m", "abstain", "-m", f"paths.root={root}", f"hydra.searchpath=[file://{root}/conf]",
        "dataset=arctic_demo", f"dataset.limit={ITEMS}", "condition=arctic_abstain", "policy=mcq",
        f"policy.trials={TRIALS}", "model=a,b",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
    return root


def children(root):
    tracker = Tracker(f"sqlite:///{root}/mlruns/mlflow.db", str(root / "mlruns/artifacts"), "abstain")
    return tracker, {run.data.tags["model"]: run for run in tracker.runs("tags.kind = 'cell'")}


def counts(metrics):
    return [metrics[f"n/N{number}"] for number in range(6)]


def test_every_reply_falls_into_one_category_and_two_letters_are_invalid(place):
    _, runs = children(place)
    a, b = runs["a"].data.metrics, runs["b"].data.metrics
    # Eight items twice a condition. a: 16 - 1 right and 1 invalid; 6 of 8 items abstained from without the answer.
    assert counts(a) == [1, 15, 0, 0, 4, 12]
    assert counts(b) == [0, 0, 16, 0, 12, 4]
    assert (a["n/invalid"], b["n/invalid"]) == (1, 0)
    for metrics in (a, b):
        assert sum(counts(metrics)) == metrics["n/answer_present"] + metrics["n/answer_absent"] == 32
        assert metrics["cost/generated"] == 32
    # The invalid reply is in no denominator; its item is still paired, by its other trial.
    assert a["acc"] == pytest.approx((15 + 12) / 31)
    assert a["n/paired"] == b["n/paired"] == 8
    assert (a["abstention/shift"], b["abstention/shift"]) == (12 / 16, 4 / 16)


def test_the_p_values_of_both_models_are_corrected_for_each_other(place):
    _, runs = children(place)
    a, b = runs["a"].data.metrics, runs["b"].data.metrics
    # k equal differences and else zeros: only all signs one way or all the other are as extreme, 2 of 2^k.
    assert a["abstention/p"] == pytest.approx(2 / 2**6)
    assert b["abstention/p"] == pytest.approx(2 / 2**2)
    # Holm: the smaller p twice, then the larger as it is (it stays above the first).
    assert a["abstention/p_holm"] == pytest.approx(2 * 2 / 2**6)
    assert b["abstention/p_holm"] == pytest.approx(2 / 2**2)
    assert a["abstention/p_mc_holm"] == pytest.approx(2 * a["abstention/p_mc"])
    assert b["abstention/p_mc_holm"] == pytest.approx(b["abstention/p_mc"])


@pytest.mark.parametrize("model", ["a", "b"])
def test_the_rows_hold_the_options_as_shown_the_choice_and_the_seed_of_their_order(place, tmp_path, model):
    import pyarrow.parquet as pq

    tracker, runs = children(place)
    table = pq.read_table(tracker.artifact(runs[model].info.run_id, "responses.parquet", tmp_path)).to_pylist()
    assert len(table) == ITEMS * 2 * TRIALS
    for row in table:
        present = row["condition"] == ANSWER_PRESENT
        golds = 1 if present else 0
        assert [row["options"].count(kind) for kind in KINDS] == [golds, 4 - golds, 1]
        for letter, text in zip(LETTERS, row["option_texts"], strict=True):
            assert f"\n{letter}. {text}" in row["prompt"]
        # DESIGN 6: the head of a hash over all that an order depends on, spelled out here.
        named = f'[{SEED},"{row["item_id"]}","{row["condition"]}",{row["trial"]},"{model}"]'
        assert row["order_seed"] == str(int(hashlib.sha256(named.encode()).hexdigest()[:32], 16))
        if row["raw"] == "AB":
            assert (row["valid"], row["choice"], row["decision"], row["outcome"]) == (False, "", "invalid", "N0")
        else:
            chosen = row["options"][LETTERS.index(row["choice"])]
            assert chosen == intended(model, row["index"], row["condition"])
            assert row["decision"] == ("abstain" if chosen == "abstain" else "answer")
