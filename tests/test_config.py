"""Every option composes and constructs offline; what is misspelt or does not fit is refused in one line."""

from pathlib import Path

import pytest
from hydra.errors import ConfigCompositionException
from hydra.utils import instantiate
from omegaconf import OmegaConf

from abstain.assemble import assemble
from abstain.errors import AbstainError

CONF = Path(__file__).parents[1] / "conf"
GROUPS = sorted(
    folder.name for folder in CONF.iterdir() if folder.is_dir() and folder.name not in ("hydra", "experiment")
)
OPTIONS = [(group, file.stem) for group in GROUPS for file in sorted((CONF / group).glob("*.yaml"))]
EXPERIMENTS = sorted(file.stem for file in (CONF / "experiment").glob("*.yaml"))

NEEDED = {
    ("dataset", "jsonl"): ["dataset.path=questions.jsonl"],
    ("dataset", "arcticqa"): ["dataset.path=items.jsonl"],
    ("model", "gguf"): ["model.path=model.gguf"],
    ("model", "openai"): ["model.base_url=http://127.0.0.1:1/v1", "model.name=m"],
    ("model", "scripted"): ["model.path=script.jsonl"],
    ("task", "replay"): ["task.path=outcomes.csv"],
}
"""What a user has to give with an option."""


@pytest.mark.parametrize(("group", "option"), OPTIONS)
def test_every_option_composes_and_constructs_without_network_or_weights(composed, group, option):
    config = composed(f"{group}={option}", *NEEDED.get((group, option), []))
    node = config[group]
    OmegaConf.to_container(node, resolve=True, throw_on_missing=True)
    if "_target_" in node:
        assert instantiate(node, _convert_="all") is not None


def test_the_help_lists_every_option_with_the_default_first(composed):
    config = composed(hydra=True)
    listed = config.hydra.help.template.split("Groups, their default first:")[1].split("Hydra's own")[0]
    shown = {group: options for group, *options in (line.split() for line in listed.strip().splitlines())}
    assert {group: sorted(options) for group, options in shown.items()} == {
        group: sorted(file.stem for file in (CONF / group).glob("*.yaml")) for group in [*GROUPS, "experiment"]
    }
    chosen = config.hydra.runtime.choices
    assert all(options[0] == chosen[group] for group, options in shown.items() if group != "experiment")


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_experiment_composes_and_its_sweep_names_options_that_exist(composed, experiment):
    config = composed(f"experiment={experiment}", hydra=True)
    assert config.hydra.mode.name == "MULTIRUN"
    for key, values in config.hydra.sweeper.params.items():
        for value in str(values).split(","):
            if key in GROUPS:
                assert (key, value) in OPTIONS
            else:
                composed(f"experiment={experiment}", f"{key}={value}")


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("dataset.limt=3", "dataset.limt"),
        ("model.n_ctxx=3", "model.n_ctxx"),
        ("threshold.f1=3", "threshold"),
        ("dataset.limit=abc", "dataset.limit"),
        ("thresholds.f1=high", "thresholds.f1"),
        ("seed.value=1.5", "seed.value"),
        ("policy=p9", "policy/p9"),
    ],
)
def test_a_typo_or_a_wrong_type_is_refused_while_composing_with_its_key(composed, override, named):
    with pytest.raises(ConfigCompositionException, match=named):
        composed(override)


def test_a_typo_in_a_yaml_file_is_refused_while_composing(composed, tmp_path, monkeypatch):
    source = (CONF / "policy" / "p1.yaml").read_text()
    (tmp_path / "policy").mkdir()
    (tmp_path / "policy" / "mine.yaml").write_text(source.replace("prompt:", "promt:"))
    with pytest.raises(ConfigCompositionException, match="promt"):
        composed(f"hydra.searchpath=[file://{tmp_path}]", "policy=mine")


@pytest.mark.parametrize(
    ("overrides", "named"),
    [
        (["dataset=arctic_demo"], "condition=q100,q50,q0,qc,closed does not go with dataset=arctic_demo"),
        (["condition=answer_present"], "condition=answer_present does not go with dataset=demo"),
        (["policy=mcq"], "policy=mcq does not go with dataset=demo"),
        (["dataset=arctic_demo", "condition=arctic_abstain"], "policy=p1 does not go with"),
    ],
)
def test_parts_that_do_not_fit_are_refused_in_a_line_that_names_what_fits(composed, overrides, named):
    with pytest.raises(AbstainError, match=f"{named}.*what fits: ") as caught:
        assemble(composed(*overrides))
    assert "\n" not in str(caught.value)


def test_an_answer_no_stays_text(tmp_path):
    # YAML 1.1 reads a bare no as False (PITFALLS A16); the data sets are JSON, whose strings stay strings.
    from abstain.datasets.jsonl import JsonLines

    file = tmp_path / "q.jsonl"
    file.write_text('{"question": "is it", "answers": ["no"], "gold": ["It is not, no."]}\n')
    questions = JsonLines(name="q", path=str(file), limit=None, sample_seed=42, pool_questions=500).load()
    assert questions.questions[0].answers == ("no",)
