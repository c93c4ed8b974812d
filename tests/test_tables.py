from abstain.manifest import Job
from abstain.tables import print_run, print_sweep


def test_what_configs_and_errors_say_is_never_read_as_markup(capsys):
    jobs = [
        Job(0, ["condition.names=[q100,closed]", "policy=p0"], {}),
        Job(1, ["condition.names=[q0]", "policy=p0"], {}),
    ]
    summaries = [
        {"status": "FINISHED", "error": None, "run_id": "r", "metrics": {"hwsa/qc": 0.5, "cost/generated": 12.0}},
        {"status": "FAILED", "error": "cannot read [/data/x]", "run_id": None, "metrics": {}},
    ]
    print_sweep(jobs, summaries, "mlflow ui --backend-store-uri sqlite:///[x].db")
    shown = capsys.readouterr().out
    assert "condition.names=[q100,closed]" in shown
    assert "cannot read [/data/x]" in shown
    assert "sqlite:///[x].db" in shown
    assert "0.500" in shown and "12" in shown


def test_a_run_shows_each_metric_with_its_interval_and_what_is_undefined(capsys):
    metrics = {"hwsa/qc": 0.5, "hwsa/qc_low": 0.25, "hwsa/qc_high": 0.75, "aurc": None, "n/invalid": 2.0}
    print_run("model [data] p1", metrics, "mlflow ui")
    lines = [line.split("│")[1:4] for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
    assert [[cell.strip() for cell in line] for line in lines] == [
        ["hwsa/qc", "0.500", "0.250 to 0.750"],
        ["aurc", "–", ""],
        ["n/invalid", "2", ""],
    ]
