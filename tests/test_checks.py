import pytest
from omegaconf import OmegaConf

from abstain.checks import check
from abstain.errors import AbstainError


def config(target, allowed=()):
    return OmegaConf.create({"allow_targets": list(allowed), "model": {"inner": [{"_target_": target}]}})


def test_a_class_of_the_package_is_admitted():
    check(config("abstain.policies.base.Thresholds"))


@pytest.mark.parametrize(
    "target",
    [
        "os.system",
        "abstainer.Evil",
        # Reachable through a module of ours, yet not ours.
        "abstain.store.json.loads",
    ],
)
def test_anything_else_is_refused_by_key_and_with_the_mend(target):
    with pytest.raises(AbstainError, match=r"model\.inner\._target_=.*allow_targets"):
        check(config(target))


def test_a_node_that_an_interpolation_makes_is_looked_at_too():
    made = {"allow_targets": [], "nli": {"extra": "${oc.create:{_target_:shutil.copyfile,src:a,dst:b}}"}}
    with pytest.raises(AbstainError, match=r"nli\.extra\._target_=shutil\.copyfile is outside the package"):
        check(OmegaConf.create(made))


def test_a_listed_module_is_admitted_and_only_it():
    check(config("mine.parts.Model", ["mine"]))
    with pytest.raises(AbstainError):
        check(config("minefield.Model", ["mine"]))


def test_a_value_that_the_user_must_give_is_asked_for_by_its_key():
    with pytest.raises(AbstainError, match=r"model\.path must be given: model\.path=\.\.\."):
        check(OmegaConf.create({"allow_targets": [], "model": {"name": "${model.path}", "path": "???"}}))
