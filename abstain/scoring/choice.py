"""Outcomes and metrics of ArcticAbstain (5.2), and the inference on the paired shift (5.3).

A response falls into one of six categories. With the answer present: N1 correct, N2 wrong, N3 abstained; with the
answer absent: N4 answered, N5 abstained; N0 is invalid. Invalid responses are counted and enter no denominator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isnan, lcm, nan
from statistics import median

from abstain.conditions.choice import ANSWER_ABSENT, ANSWER_PRESENT, CONDITIONS
from abstain.rows import ChoiceCase, Decision, Outcome
from abstain.scoring.inference import (
    bootstrap_ratios,
    holm,
    percentile_interval,
    sign_flip_exact,
    sign_flip_monte_carlo,
)

OUTCOMES = {
    "N0": Outcome.INVALID,
    "N1": Outcome.CORRECT,
    "N2": Outcome.WRONG,
    "N3": Outcome.FALSE_ABSTENTION,
    "N4": Outcome.FALSE_COMMITMENT,
    "N5": Outcome.RIGHT_ABSTENTION,
}
CODES = tuple(OUTCOMES)

RESAMPLES = 10_000
DRAWS = 20_000
SEED = 7
"""Bootstrap resamples, permutation draws and seed of the published analysis."""

Metrics = dict[str, float | None]
"""Metric name -> value; None where it is undefined (an empty denominator)."""

_CODE_OF = {
    (ANSWER_PRESENT, "gold"): "N1",
    (ANSWER_PRESENT, "distractor"): "N2",
    (ANSWER_PRESENT, "abstain"): "N3",
    (ANSWER_ABSENT, "distractor"): "N4",
    (ANSWER_ABSENT, "abstain"): "N5",
}


@dataclass(frozen=True, slots=True)
class ScoredChoice:
    """One response and the category it falls into."""

    item_id: str
    condition: str
    trial: int
    code: str
    """``N0`` to ``N5``."""

    @property
    def outcome(self) -> Outcome:
        """The category by name."""
        return OUTCOMES[self.code]


def code_of(condition: str, kind: str) -> str:
    """The category, N1 to N5, of choosing an option of this kind under this condition."""
    return _CODE_OF[condition, kind]


def score(case: ChoiceCase, decision: Decision) -> ScoredChoice:
    """The category of a decision, whose answer is the text of one of the case's options unless it is invalid."""
    code = "N0"
    if decision.verdict != "invalid":
        code = code_of(case.condition, next(o.kind for o in case.options if o.text == decision.answer))
    return ScoredChoice(case.question.id, case.condition, case.trial, code)


def choice_metrics(rows: Sequence[ScoredChoice]) -> Metrics:
    """All metrics of one model: shares in 0..1, pooled over its trials, and as ``_median`` of the per-trial values.

    A median is undefined as soon as one trial's value is. Without valid responses under both conditions the shift and
    its test are undefined. The order of the rows changes nothing.
    """
    counts = Counter(row.code for row in rows)
    asked = Counter(row.condition for row in rows)
    pooled = _shares(counts)
    per_trial = [
        _shares(Counter(row.code for row in rows if row.trial == trial)) for trial in {row.trial for row in rows}
    ]
    return {
        **pooled,
        **{f"{name}_median": _median([trial[name] for trial in per_trial]) for name in pooled},
        **_abstention(_tallies(rows)),
        **{f"n/{code}": counts[code] for code in CODES},
        **{f"n/{condition}": asked[condition] for condition in CONDITIONS},
        "n/invalid": counts["N0"],
    }


def holm_across(models: Mapping[str, Mapping[str, float | None]]) -> dict[str, Metrics]:
    """Holm-adjusted p-values of the models' shift tests, exact and Monte Carlo; the models given are the family (5.3).

    A model whose test is undefined stays undefined and is no member of the family.
    """
    adjusted: dict[str, Metrics] = {model: {} for model in models}
    for name in ("p", "p_mc"):
        values = [metrics[f"abstention/{name}"] for metrics in models.values()]
        corrected = holm([nan if value is None else value for value in values])
        for model, p in zip(models, corrected, strict=True):
            adjusted[model][f"abstention/{name}_holm"] = None if isnan(p) else p
    return adjusted


def across_models(models: Mapping[str, Sequence[ScoredChoice]]) -> Metrics:
    """The shift over all models, in both meanings of the paper's 5.05 points, and its sign-flip test.

    ``abstention/mean_shift`` is the mean over questions of the models' mean difference, where a question counts the
    models that have a valid response to it under both conditions; the test is on these means.
    ``abstention/mean_of_shifts`` is the plain mean of the models' pooled shifts.
    """
    tallies = [_tallies(rows) for rows in models.values()]
    by_question: dict[str, list[Fraction]] = {}
    for of_model in tallies:
        for item, difference in _differences(of_model).items():
            by_question.setdefault(item, []).append(difference)
    means = [_mean(found) for _, found in sorted(by_question.items())]
    shifts = [_abstention_rates(of_model)["abstention/shift"] for of_model in tallies]
    defined = [shift for shift in shifts if shift is not None]
    p, p_mc = _sign_flip(means)
    return {
        "abstention/mean_shift": float(_mean(means)) if means else None,
        "abstention/mean_shift_p": p,
        "abstention/mean_shift_p_mc": p_mc,
        "abstention/mean_of_shifts": sum(defined) / len(defined) if defined else None,
        "n/models": len(models),
        "n/paired": len(means),
    }


def _shares(counts: Mapping[str, int]) -> Metrics:
    """The metrics of 5.2 and the safe share, from the counts of N1 to N5."""
    n1, n2, n3, n4, n5 = (counts.get(code, 0) for code in CODES[1:])
    valid = n1 + n2 + n3 + n4 + n5
    return {
        "acc": _ratio(n1 + n5, valid),
        "precision_abs": _ratio(n5, n3 + n5),
        "recall_abs": _ratio(n5, n2 + n4 + n5),
        # The harmonic mean of the two, in the form that also holds where one of them is 0 / 0.
        "f1_abs": _ratio(2 * n5, n2 + n3 + n4 + 2 * n5),
        "abstention_rate": _ratio(n3 + n5, valid),
        "r_acc": _ratio(n1, n1 + n2 + n4),
        "ssr": _ratio(n1 + n3 + n5, valid),
    }


@dataclass(slots=True)
class _Tally:
    """Valid responses to one question, and the abstentions among them, under each condition."""

    present: int = 0
    present_abstained: int = 0
    absent: int = 0
    absent_abstained: int = 0


def _tallies(rows: Iterable[ScoredChoice]) -> dict[str, _Tally]:
    """The tally of each question, by id in sorted order, so that no random draw depends on the order of the rows."""
    tallies: dict[str, _Tally] = {}
    for row in sorted(rows, key=lambda row: row.item_id):
        tally = tallies.setdefault(row.item_id, _Tally())
        if row.code in ("N1", "N2", "N3"):
            tally.present += 1
            tally.present_abstained += row.code == "N3"
        elif row.code in ("N4", "N5"):
            tally.absent += 1
            tally.absent_abstained += row.code == "N5"
    return tallies


def _abstention(tallies: Mapping[str, _Tally]) -> Metrics:
    """Abstention rates by condition, the paired shift with its interval, and its tests."""
    differences = list(_differences(tallies).values())
    rates = _abstention_rates(tallies)
    p, p_mc = _sign_flip(differences)
    low, high = _interval(tallies) if rates["abstention/shift"] is not None else (None, None)
    return {
        **rates,
        "abstention/shift_low": low,
        "abstention/shift_high": high,
        "abstention/p": p,
        "abstention/p_mc": p_mc,
        "n/paired": len(differences),
    }


def _abstention_rates(tallies: Mapping[str, _Tally]) -> Metrics:
    every = tallies.values()
    present = _ratio(sum(t.present_abstained for t in every), sum(t.present for t in every))
    absent = _ratio(sum(t.absent_abstained for t in every), sum(t.absent for t in every))
    shift = None if present is None or absent is None else absent - present
    return {"abstention/present": present, "abstention/absent": absent, "abstention/shift": shift}


def _interval(tallies: Mapping[str, _Tally]) -> tuple[float, float]:
    """95% percentile interval of the shift over resampled questions, with all their conditions and trials."""
    rates = bootstrap_ratios(
        [[t.present_abstained, t.absent_abstained] for t in tallies.values()],
        [[t.present, t.absent] for t in tallies.values()],
        resamples=RESAMPLES,
        seed=SEED,
    )
    low, high = percentile_interval(rates[:, [1]] - rates[:, [0]])
    return float(low[0]), float(high[0])


def _differences(tallies: Mapping[str, _Tally]) -> dict[str, Fraction]:
    """Absent minus present abstention rate of each question with a valid response under both conditions."""
    return {
        item: Fraction(t.absent_abstained, t.absent) - Fraction(t.present_abstained, t.present)
        for item, t in tallies.items()
        if t.present and t.absent
    }


def _sign_flip(differences: Sequence[Fraction]) -> tuple[float | None, float | None]:
    """Exact and Monte Carlo p-value, both on whole steps of the lattice, so that ties are ties."""
    if not differences:
        return None, None
    scale = lcm(*(difference.denominator for difference in differences))
    steps = [int(difference * scale) for difference in differences]
    return sign_flip_exact(steps), sign_flip_monte_carlo(steps, draws=DRAWS, seed=SEED)


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _median(values: Sequence[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return median(defined) if defined and len(defined) == len(values) else None


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction()) / len(values)
