"""The audit's counts as tables, for the terminal and the page alike."""

from __future__ import annotations

from collections.abc import Mapping

from abstain.audit.quality import Quality
from abstain.audit.survey import Survey
from abstain.report.table import Column, Interval, Kind, Table, text

_COUNT = Column("n", "n", Kind.COUNT)
_PERCENT = Column("share", "%", Kind.PERCENT)


def survey_tables(survey: Survey) -> list[Table]:
    """Why questions are not eligible, and the tiers and types of the swaps."""
    return [
        _shares("reasons", "Not eligible", "of all questions", survey.reasons, survey.questions),
        _shares("tiers", "Swap tiers", "of the swaps", survey.tiers, survey.eligible),
        _shares("types", "Types", "of the swaps", survey.types, survey.eligible),
    ]


def quality_tables(quality: Quality) -> list[Table]:
    """The quality tiers, and the broken rate by type."""
    broken = Column("broken", "broken", Kind.COUNT)
    rate = Column("rate", "broken % [95%]", Kind.PERCENT, Interval)
    rates = [(name, r.n, r.broken, Interval(r.rate, r.low, r.high)) for name, r in quality.broken.items()]
    return [
        _shares("quality", "Quality tiers", "of the judged swaps", quality.tiers, quality.judged),
        Table(
            name="broken",
            title="Broken by type",
            caption="bootstrap over questions",
            columns=(text("type", ""), _COUNT, broken, rate),
            rows=tuple(rates),
        ),
    ]


def _shares(name: str, title: str, caption: str, counts: Mapping[str, int], of: int) -> Table:
    rows = tuple((key, count, count / of) for key, count in counts.items())
    return Table(name, title, f"% {caption}", (text(name, ""), _COUNT, _PERCENT), rows)
