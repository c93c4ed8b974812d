"""What the judged swaps come to: the share of each tier, and how often swaps of each type are broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from abstain.audit.judged import BROKEN, TIERS
from abstain.audit.sample import Item
from abstain.scoring.inference import bootstrap_ratios, percentile_interval

ALL = "all"

_SEED = 42
"""Of the resamples, as for the metrics of a cell."""


@dataclass(frozen=True, slots=True)
class BrokenRate:
    """`broken` of `n` judged swaps, with a 95% interval; fractions."""

    n: int
    broken: int
    rate: float
    low: float
    high: float


@dataclass(frozen=True)
class Quality:
    """The audit's result (GRAB-RAG, Appendix C)."""

    judged: int
    not_judged: int
    tiers: Mapping[str, int]
    """Tier -> number of judged swaps."""
    broken: Mapping[str, BrokenRate]
    """``all``, and each entity type, the most frequent first."""

    @property
    def record(self) -> dict[str, Any]:
        """What filled.json holds; shares are fractions."""
        return {
            "judged": self.judged,
            "not_judged": self.not_judged,
            "tiers": {tier: {"n": n, "share": n / self.judged} for tier, n in self.tiers.items()},
            "broken": {name: asdict(rate) for name, rate in self.broken.items()},
        }


def quality(items: Iterable[Item], resamples: int = 10_000) -> Quality:
    """Count the tiers, and bootstrap the broken rates over questions; at least one item must be judged."""
    # By id, so that the order of the file changes no draw.
    listed = sorted(items, key=lambda item: item.question.id)
    judged = [item for item in listed if item.tier]
    tiers = Counter(item.tier for item in judged)
    return Quality(
        judged=len(judged),
        not_judged=len(listed) - len(judged),
        tiers={tier: tiers[tier] for tier in TIERS},
        broken=_broken_rates(judged, resamples),
    )


def _broken_rates(judged: list[Item], resamples: int) -> dict[str, BrokenRate]:
    types = Counter(item.swap.type for item in judged)
    groups = [ALL, *sorted(types, key=lambda type: (-types[type], type))]
    members = [[group in (ALL, item.swap.type) for group in groups] for item in judged]
    broken = [[member and item.tier == BROKEN for member in row] for item, row in zip(judged, members, strict=True)]
    low, high = percentile_interval(bootstrap_ratios(broken, members, resamples=resamples, seed=_SEED))
    rates = {}
    for at, group in enumerate(groups):
        n, hits = (sum(row[at] for row in table) for table in (members, broken))
        rates[group] = BrokenRate(n, hits, hits / n, float(low[at]), float(high[at]))
    return rates
