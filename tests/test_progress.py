from abstain.progress import progress


def test_a_models_name_is_text_and_never_markup(capsys):
    with progress("[/b]q4[k]", 1, 0) as advance:
        advance()
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "[/b]q4[k]: 1 to make, 0 reused"
    assert lines[1].startswith("[/b]q4[k]: 1/1 made, 0 reused, ")
