"""ArcticAbstain's two tables, and what holds over all models (sections 5.3 and 5.4)."""

from __future__ import annotations

from collections.abc import Mapping

from abstain.report.cells import Cell, Grid, get
from abstain.report.grab_rag import CELL
from abstain.report.table import Column, Interval, Kind, Table, text
from abstain.scoring.choice import CODES, Metrics, across_models, holm_across

Slot = tuple[str, str, str]

_TESTS = {
    "abstention/p": "p (exact)",
    "abstention/p_holm": "Holm p (exact)",
    "abstention/p_mc": "p (Monte Carlo)",
    "abstention/p_mc_holm": "Holm p (Monte Carlo)",
}
_METRICS = {"acc": "ACC", "abstention_rate": "Abst. rate", "f1_abs": "F1 abs", "r_acc": "R-Acc"}
_MORE = {"precision_abs": "Precision abs", "recall_abs": "Recall abs", "ssr": "SSR"}


def shift(grid: Grid) -> Table:
    """Abstention with the answer present and absent, and the test of the shift (Table 1)."""
    tests = _tests(grid)
    return Table(
        "arctic_shift",
        "Abstention with the answer present and absent (paper: Table 1)",
        "Rates and shifts are pooled over the trials; invalid responses are in no denominator. Shift: absent − "
        "present, in percentage points, with the 95% bootstrap interval over questions. p: two-sided sign-flip test "
        "over questions; Holm over the models of this table that answered the same questions.",
        (
            *CELL,
            Column("present", "Present abst. (%)", Kind.PERCENT),
            Column("absent", "Absent abst. (%)", Kind.PERCENT),
            Column("shift", "Shift (pp) [95% CI]", Kind.POINTS, Interval),
            *(Column(name.removeprefix("abstention/"), title, Kind.P_VALUE) for name, title in _TESTS.items()),
        ),
        tuple(
            (
                *slot,
                get(cell, "abstention/present"),
                get(cell, "abstention/absent"),
                cell.interval("abstention/shift") if cell else None,
                *(tests.get(slot, {}).get(name) for name in _TESTS),
            )
            for slot, cell in grid.slots()
        ),
    )


def metrics(grid: Grid) -> Table:
    """ACC, abstention rate, abstention F1 and R-Acc, pooled and as medians over trials (Table 2)."""
    forms = [
        (f"{name}{end}", f"{title}, {form}")
        for end, form in (("", "pooled"), ("_median", "median"))
        for name, title in _METRICS.items()
    ]
    return Table(
        "arctic_metrics",
        "Metrics by model (paper: Table 2)",
        "Pooled: over the responses of all trials, which is what the paper prints. Median: of the per-trial values, "
        "which is what its caption says.",
        (*CELL, *(Column(name, title, Kind.NUMBER) for name, title in forms)),
        tuple((*slot, *(get(cell, name) for name, _ in forms)) for slot, cell in grid.slots()),
    )


def counts(grid: Grid) -> Table:
    """The outcome counts and the metrics that the paper defines but does not print (5.2)."""
    return Table(
        "arctic_counts",
        "Outcomes and further metrics by model (paper: section 5.2)",
        "Counts over all trials. N0 invalid; answer present: N1 correct, N2 wrong, N3 abstained; answer absent: "
        "N4 answered, N5 abstained. SSR: safe share (N1 + N3 + N5) / N. All metrics pooled over the trials.",
        (
            *CELL,
            *(Column(code, code, Kind.COUNT) for code in CODES),
            *(Column(name, title, Kind.NUMBER) for name, title in _MORE.items()),
        ),
        tuple(
            (*slot, *(get(cell, f"n/{code}") for code in CODES), *(get(cell, name) for name in _MORE))
            for slot, cell in grid.slots()
        ),
    )


def overall(grid: Grid) -> Table:
    """The mean shift over all models, in both of its meanings, and its test (5.4)."""
    rows = []
    for (dataset, policy), family in _families(grid).items():
        found = across_models({slot[0]: cell.choices for slot, cell in family.items() if cell.choices})
        rows.append((dataset, policy, found))
    columns = {
        "n/models": Column("models", "Models", Kind.COUNT),
        "n/paired": Column("questions", "Questions", Kind.COUNT),
        "abstention/mean_shift": Column("mean_shift", "Mean shift over questions (pp)", Kind.FINE_PERCENT),
        "abstention/mean_of_shifts": Column("mean_of_shifts", "Mean of the models' shifts (pp)", Kind.FINE_PERCENT),
        "abstention/mean_shift_p": Column("p", "p (exact)", Kind.P_VALUE),
        "abstention/mean_shift_p_mc": Column("p_mc", "p (Monte Carlo)", Kind.P_VALUE),
    }
    return Table(
        "arctic_overall",
        "The shift over all models (paper: section 5.4)",
        "Recomputed from the stored rows. Mean shift over questions: each question's mean difference over the models, "
        "averaged over questions; the sign-flip test is on these. Mean of the models' shifts: plain mean of the pooled "
        "shifts of the table above.",
        (text("dataset", "Data set"), text("policy", "Policy"), *columns.values()),
        tuple((dataset, policy, *(found.get(name) for name in columns)) for dataset, policy, found in rows),
    )


def _families(grid: Grid) -> dict[tuple[str, str], dict[Slot, Cell]]:
    """The models that answered the same questions under the same prompt: what a Holm correction is over."""
    families: dict[tuple[str, str], dict[Slot, Cell]] = {}
    for slot, cell in grid.slots():
        if cell is not None:
            families.setdefault(slot[1:], {})[slot] = cell
    return families


def _tests(grid: Grid) -> Mapping[Slot, Metrics]:
    """The p-values of each cell; Holm's are made here, because a run does not know the other models."""
    tests: dict[Slot, Metrics] = {}
    for family in _families(grid).values():
        single = {
            slot[0]: {name: cell.get(name) for name in _TESTS if "holm" not in name} for slot, cell in family.items()
        }
        adjusted = holm_across(single)
        tests |= {slot: single[slot[0]] | adjusted[slot[0]] for slot in family}
    return tests
