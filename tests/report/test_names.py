from abstain.report.cells import difference, grids
from abstain.report.names import named


def limited(make_cell, limit, policy="p1", dataset="nq", **more):
    return make_cell("m", dataset, policy, params={"dataset.limit": limit}, **more)


def test_two_files_of_one_name_are_two_data_sets(make_cell):
    cells = [make_cell(dataset="mine", params={"dataset.path": path}) for path in ("a.jsonl", "b.jsonl")]
    assert [cell.dataset for cell in named(cells)] == ["mine (path=a.jsonl)", "mine (path=b.jsonl)"]
    assert [cell.apart for cell in named(cells)] == [(), ()]


def test_a_data_set_at_another_limit_is_another_setting_and_is_never_averaged_with_itself(make_cell):
    cells = [
        limited(make_cell, "20", metrics={"hwsa/qc": 0.2}, started=9),
        limited(make_cell, "500", "p1", metrics={"hwsa/qc": 0.6}),
        limited(make_cell, "500", "p3"),
        limited(make_cell, "330", "p1", "hotpotqa"),
    ]
    main, other = grids(named(cells))
    assert (main.datasets, other.datasets) == (("nq", "hotpotqa"), ("nq",))
    assert main.at("m", "nq", "p1").get("hwsa/qc") == 0.6
    assert difference(other.setting, main.setting) == "dataset.limit=20"


def test_of_equally_many_the_newest_variant_is_the_usual_one(make_cell):
    old, new = (limited(make_cell, limit, started=at) for at, limit in enumerate(("20", "500")))
    assert [cell.apart for cell in named([new, old])] == [(), (("dataset.limit", "20"),)]


def test_how_a_model_was_asked_is_a_matter_of_setting_and_its_file_one_of_name(make_cell):
    cells = [
        make_cell(params={"model.path": "a.gguf", "model.max_tokens": "512"}, started=1),
        make_cell(params={"model.path": "b.gguf", "model.max_tokens": "64"}),
        make_cell(params={"model.path": "a.gguf", "model.max_tokens": "64"}),
    ]
    assert [(cell.model, cell.apart) for cell in named(cells)] == [
        ("m (path=a.gguf)", ()),
        ("m (path=b.gguf)", ()),
        ("m (path=a.gguf)", (("model.max_tokens", "64"),)),
    ]


def test_recorded_responses_keep_their_names_and_change_nobody_elses(make_cell):
    cells = [make_cell(params={"dataset.limit": "20"}), make_cell(bare=True)]
    assert [(cell.dataset, cell.apart) for cell in named(cells)] == [("d", ()), ("d", ())]
