import csv

import pytest

from abstain.report.cells import Cell, grids
from abstain.report.responses import Facts, Share

SETTING = {"seed.value": "42", "thresholds.f1": "0.8", "thresholds.confidence": "50"}


def build(model="m", dataset="d", policy="p1", metrics=None, params=None, bare=False, **more):
    names = {"model.name": model, "dataset.name": dataset, "policy.name": policy}
    fields = {"run_id": f"{model}-{dataset}-{policy}", "sweep_id": "", "identity": "", "started": 0} | more
    return Cell(
        benchmark="grab_rag",
        model=model,
        dataset=dataset,
        policy=policy,
        params={} if bare else SETTING | names | (params or {}),
        metrics=metrics or {},
        **fields,
    )


@pytest.fixture
def make_cell():
    """Build a cell from its names, metrics as fractions, and config keys."""
    return build


@pytest.fixture
def make_grid():
    """Build the grid of some cells that share a setting."""
    return lambda *cells: grids(cells)[0]


@pytest.fixture
def published(shared):
    """The 30 cells of the GRAB-RAG paper from its Tables 7 to 10, as a grid of fractions."""
    folder = shared / "data" / "grab_rag"

    def table(name):
        with (folder / name).open() as file:
            return list(csv.DictReader(file))

    rates = {key(row): row for row in table("table8_fac.csv")}
    sources = {key(row): row for row in table("table9_qc_source.csv")}
    aurc = {(row["model"], row["dataset"]): row for row in table("table10_aurc.csv")}
    ece = {row["policy"]: row for row in table("table11_ece.csv")}
    cells = []
    for started, row in enumerate(table("table7_hwsa.csv")):
        model, dataset, policy = key(row)
        n = int(row["n"])
        metrics = {f"hwsa/{name}{end}": percent(row, name + end) for name in ("q0", "qc", "delta") for end in ENDS}
        for name in ("fac_q100", "fac_q50", "answer_rate_q100", "answer_rate_q50"):
            group, condition = name.rsplit("_", 1)
            metrics |= {f"{group}/{condition}{end}": percent(rates[key(row)], name + end) for end in ENDS}
        source = sources[key(row)]
        metrics |= {
            "n/qc": n,
            "qc/echo": percent(source, "echoed"),
            "qc/correct": percent(source, "correct"),
            "qc/hallucinated": percent(source, "hallucinated"),
            "aurc": float(aurc[model, dataset][policy]),
        }
        # Table 11 holds means over the cells; a grid of equal cells has the same means.
        metrics |= {f"ece/{condition}": float(ece[policy][condition]) for condition in ("q100", "q50", "q0", "qc")}
        abstained = {"qc": Share(n - round(n * metrics["hwsa/qc"]), n)}
        cells.append(build(model, dataset, policy.lower(), metrics, started=started, facts=Facts(abstained)))
    return grids(cells)[0]


ENDS = ("", "_low", "_high")


def key(row):
    return row["model"], row["dataset"], row["policy"]


def percent(row, name):
    return float(row[name]) / 100
