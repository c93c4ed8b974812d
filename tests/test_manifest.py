from omegaconf import OmegaConf

from abstain import manifest
from abstain.manifest import IDENTITY, VARIABLE, Job, Manifest


def cell(**changes):
    return {group: {"name": group} for group in IDENTITY} | changes


def test_a_manifest_survives_the_way_through_its_file(tmp_path, monkeypatch):
    written = Manifest("day/time", "parent", [Job(0, ["policy=p0"], cell())])
    written.write(tmp_path / "manifest.json")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "manifest.json"))
    assert manifest.current() == written


def test_outside_a_sweep_there_is_no_manifest(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert manifest.current() is None


def test_siblings_ask_the_same_model_about_the_same_cases_under_another_policy():
    me = cell(policy={"name": "p0"})
    jobs = [
        Job(0, [], me),
        Job(1, [], cell(policy={"name": "p1"})),
        Job(2, [], cell(policy={"name": "p1"}, model={"name": "other"})),
        Job(3, [], cell(policy={"name": "p1"}, seed={"value": 43})),
        Job(4, [], cell(policy={"name": "p3"}, thresholds={"f1": 0.4})),
    ]
    assert [job.number for job in Manifest("s", None, jobs).siblings(me)] == [1, 4]


def test_the_identity_of_a_real_cell_does_not_depend_on_where_or_how_fast_it_ran(composed):
    def sha(*overrides):
        return manifest.identity_sha256(OmegaConf.to_container(composed(*overrides), resolve=True))

    here = sha("paths.root=/here")
    assert here == sha("paths.root=/there", "model.n_threads=1", "ner=spacy")
    assert here != sha("paths.root=/here", "model.n_ctx=2048")
    assert here != sha("paths.root=/here", "seed=s43")


def test_the_identity_of_a_cell_is_that_of_its_own_groups():
    here = manifest.identity_sha256(cell(paths={"root": "/here"}))
    assert here == manifest.identity_sha256(cell(paths={"root": "/there"}, store={"url": "x"}))
    assert here != manifest.identity_sha256(cell(thresholds={"f1": 0.4}))
