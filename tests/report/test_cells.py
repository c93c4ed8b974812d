from abstain.report.cells import description, difference, grids


def test_a_slot_without_a_run_stays_in_the_grid_as_missing(make_cell, make_grid):
    grid = make_grid(make_cell("a", "nq", "p1"), make_cell("b", "hotpotqa", "p1"))
    assert [(slot, cell is None) for slot, cell in grid.slots()] == [
        (("a", "nq", "p1"), False),
        (("a", "hotpotqa", "p1"), True),
        (("b", "nq", "p1"), True),
        (("b", "hotpotqa", "p1"), False),
    ]
    assert grid.missing == [("a", "hotpotqa", "p1"), ("b", "nq", "p1")]


def test_models_and_data_sets_keep_the_order_of_their_first_run_and_policies_are_sorted(make_cell, make_grid):
    grid = make_grid(
        make_cell("z", "nq", "p3", started=1),
        make_cell("a", "nq", "p0", started=2),
        make_cell("z", "h", "p1", started=3),
    )
    assert (grid.models, grid.datasets, grid.policies) == (("z", "a"), ("nq", "h"), ("p0", "p1", "p3"))


def test_cells_of_different_settings_are_never_in_one_grid_and_the_largest_grid_is_the_main_one(make_cell):
    other = make_cell("a", "nq", "p3", {"hwsa/qc": 0.9}, {"thresholds.f1": "0.4"}, started=9)
    main = [make_cell("a", "nq", policy, {"hwsa/qc": 0.1}) for policy in ("p1", "p3")]
    first, second = grids([other, *main])
    assert first.at("a", "nq", "p3").get("hwsa/qc") == 0.1
    assert next(iter(second.cells.values())).get("hwsa/qc") == 0.9
    assert difference(second.setting, first.setting) == "thresholds.f1=0.4"
    assert difference(first.setting, first.setting) == "main"


def test_of_equally_large_settings_the_preferred_one_is_the_main_one_and_else_the_newest(make_cell):
    old, new = (make_cell(params={"seed.value": seed}, started=at) for at, seed in enumerate(("42", "43")))
    assert dict(grids([old, new])[0].setting)["seed.value"] == "43"
    assert dict(grids([old, new], {"seed.value": "42"})[0].setting)["seed.value"] == "42"


def test_of_equally_large_settings_a_recorded_one_goes_before_an_unknown_one(make_cell):
    recorded, replayed = make_cell(), make_cell(started=1, bare=True)
    assert grids([recorded, replayed], {"seed.value": "42"})[0].cells[replayed.model, "d", "p1"] is recorded


def test_a_setting_is_told_from_the_main_one_by_what_it_changes_or_lacks():
    main = (("retriever._target_", "abstain.retrieval.Dense"), ("thresholds.f1", "0.8"))
    assert difference(main, main) == "main"
    assert difference((("retriever._target_", "abstain.retrieval.Bm25"), main[1]), main) == "retriever=Bm25"
    assert difference((main[0], ("thresholds.f1", "None")), main) == "thresholds.f1=None"
    assert difference(main[:1], main) == "~thresholds.f1"
    assert difference((), main) == "not recorded"
    assert difference(main, ()) == "retriever=Dense thresholds.f1=0.8"


def test_an_undefined_metric_is_none_and_not_zero(make_cell):
    cell = make_cell(metrics={"hwsa/qc": 0.0})
    assert cell.get("hwsa/qc") == 0.0
    assert cell.get("hwsa/q0") is None
    assert cell.interval("hwsa/q0") is None
    assert cell.count("n/qc") is None


def test_a_description_leaves_out_what_is_unset_and_encoders_that_were_not_used():
    setting = (
        ("ner._target_", "abstain.ner.spacy.SpacyNer"),
        ("retriever.encoder", "minilm"),
        ("retriever.encoders.bge_small.hub", "BAAI/bge-small-en-v1.5"),
        ("retriever.encoders.minilm.hub", "None"),
        ("retriever.encoders.minilm.revision", "main"),
        ("thresholds.f1", "0.8"),
    )
    assert description(setting) == (
        "ner=SpacyNer retriever.encoder=minilm retriever.encoders.minilm.revision=main thresholds.f1=0.8"
    )
    assert description(()) == "not recorded"
