"""The runs behind a section: what they could not score, and what their policies cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from abstain.report.cells import Grid, difference
from abstain.report.grab_rag import CELL
from abstain.report.table import Column, Kind, Table, text

_SECONDS = "cost/policy_seconds"


def runs(grids: Sequence[Grid], name: str, cuts: Mapping[str, str]) -> Table:
    """Every run of a benchmark under every setting; `cuts` are further counts of the benchmark by their metric."""
    counts = {
        "n/invalid": "Invalid",
        "n/truncated": "Truncated",
        **{f"n/{metric}": title for metric, title in cuts.items()},
        "cost/policy_prompt_tokens": "Prompt tokens",
        "cost/policy_completion_tokens": "Completion tokens",
        _SECONDS: "Seconds",
        "cost/nli": "NLI",
    }
    return Table(
        name,
        "Runs, what they could not score, and what they cost",
        "Invalid: rows without a complete decision. Truncated: replies at the token limit. Cut: contexts over the cap, "
        "and qc contexts that lost the planted answer to it. Tokens and seconds: stored cost of the replies that the "
        "cell uses, whichever run made them, without NLI. A context's evaluation is in the seconds of the reply that "
        "was made first over it: compare models by their seconds, not the policies of a sweep. NLI: passages that the "
        "run itself judged.",
        (
            *CELL,
            text("setting", "Setting"),
            text("run", "Run"),
            *(Column(metric.split("/")[1], title, Kind.COUNT) for metric, title in counts.items()),
        ),
        tuple(
            (
                *slot,
                difference(grid.setting, grids[0].setting),
                cell.run_id,
                *(cell.get(metric) if metric == _SECONDS else cell.count(metric) for metric in counts),
            )
            for grid in grids
            for slot, cell in grid.slots()
            if cell
        ),
    )
