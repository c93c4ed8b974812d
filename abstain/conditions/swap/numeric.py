"""Tiers 1, 1b and 2: shifted years and numbers (GRAB-RAG, Appendix C).

Ours, within the paper's deltas: the shift is drawn uniformly among those of the six that keep the year in its order
with the other years of the passage and the World Wars that it names, and push no past year into the future; there is no
swap when none does or when the question names the year (the paper names implausible dates as one of its two ways to
break); all years of an answer shift together, and so does the other end of a range ("2001-2002", "2017-18"), which
keeps a short end within the century; a number before a percent sign does not pass 100.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence

from abstain.conditions.swap.edits import replace
from abstain.conditions.swap.locate import Span
from abstain.conditions.swap.plan import NO_TIER, Plan, Unfit

DELTAS = (-30, -20, -10, 10, 20, 30)
FIRST, LAST = 1000, 2099
_PRESENT = 2025
"""No year up to this one becomes a later one."""

_WARS = {
    r"\b(?:First World War|World War (?:I|One))\b": (1914, 1918),
    r"\b(?:Second World War|World War (?:II|Two))\b": (1939, 1945),
}
"""Years that a passage names without their numbers."""

_YEAR = r"(?<!\w)(?<!\d\.)(?:1\d{3}|20\d\d)(?!\d)(?!\.\d)(?!,\d{3}(?!\d))"
_WHOLE_YEAR = re.compile(r"1\d{3}|20\d\d")
_ANY_YEAR = re.compile(_YEAR)
_RANGE = re.compile(r"(?<!\w)(1\d{3}|20\d\d)\s?[-–—/]\s?(1\d{3}|20\d\d)(?!\d)")
_SHORT_END = re.compile(r"[-–/](\d\d)(?![\d-])")
_NUMBER = re.compile(r"[1-9]\d{1,4}|[1-9]\d?,\d{3}")


def year(span: Span, passage: str, question: str, rng: random.Random) -> Plan:
    """Tiers 1 and 1b: shift the answer's year, or the years inside the answer, everywhere in the passage.

    Raises Unfit when the answer holds no year from 1000 to 2099, when the question names a year of it ("the 2018
    games") and so would give the swap away, or when no shift is plausible.
    """
    inside = {int(found) for found in _ANY_YEAR.findall(span.text)}
    if not inside:
        raise Unfit(NO_TIER)
    answered = sorted(inside | _range_partners(inside, passage))
    if set(answered) & {int(found) for found in _ANY_YEAR.findall(question)}:
        raise Unfit("filter_year_asked")
    spans = [place for old in answered for place in _year_spans(old, passage)]
    named = {year for war, years in _WARS.items() if re.search(war, passage) for year in years}
    others = ({int(found) for found in _ANY_YEAR.findall(passage)} | named) - set(answered)
    deltas = [
        delta
        for delta in DELTAS
        if all(_is_plausible(old, shift(old, delta), others) for old in answered)
        and all(_keeps_range(place.text, delta) for place in spans)
    ]
    if not deltas:
        raise Unfit("filter_year_order")
    delta = rng.choice(deltas)
    edits = [edit for place in spans for edit in replace([place], _shift_span(place.text, delta), "swap")]
    whole = _WHOLE_YEAR.fullmatch(span.text.strip()) is not None
    original = str(min(inside))
    replacement = str(shift(min(inside), delta))
    return Plan("year" if whole else "embedded_year", "YEAR", original, replacement, tuple(edits))


def shift(old: int, delta: int) -> int:
    """The year moved by `delta`, kept within 1000..2099."""
    return min(max(old + delta, FIRST), LAST)


def number(spans: Sequence[Span], passage: str, rng: random.Random) -> Plan:
    """Tier 2: shift an integer of two to five digits by 10% to 30% in a random direction, wherever it stands.

    Raises Unfit when the answer is no such number.
    """
    text = spans[0].text.strip()
    if not _NUMBER.fullmatch(text) or _WHOLE_YEAR.fullmatch(text):
        raise Unfit(NO_TIER)
    old = int(text.replace(",", ""))
    new = shift_number(old, rng)
    if old <= 100 < new and any(_is_percentage(passage, place) for place in spans):
        new = max(1, 2 * old - new)
    after = f"{new:,}" if "," in text else str(new)
    return Plan("number", "NUMBER", text, after, tuple(replace(spans, after, "swap")))


def shift_number(old: int, rng: random.Random) -> int:
    """``old`` plus or minus max(1, round(old * U[0.1, 0.3])), at least 1."""
    delta = max(1, math.floor(old * rng.uniform(0.1, 0.3) + 0.5))
    return max(1, old + rng.choice((-1, 1)) * delta)


def _range_partners(years: set[int], passage: str) -> set[int]:
    """The other ends of the ranges in which the years stand."""
    ranges = [{int(start), int(end)} for start, end in _RANGE.findall(passage)]
    return {partner for ends in ranges if ends & years for partner in ends}


def _is_plausible(old: int, new: int, others: set[int]) -> bool:
    into_future = old <= _PRESENT < new
    return old != new and not into_future and all((other < old) == (other < new) and other != new for other in others)


def _keeps_range(text: str, delta: int) -> bool:
    """Whether a year with a short second one ("1947–91") stays within its century and out of the future."""
    if len(text) == 4:
        return True
    start = int(text[:4])
    end = start + (int(text[5:]) - start) % 100
    return end + delta < (start + delta) // 100 * 100 + 100 and not end <= _PRESENT < end + delta


def _year_spans(year: int, passage: str) -> list[Span]:
    """Where a year stands, with the short second year of a range if one follows."""
    spans = []
    for match in _ANY_YEAR.finditer(passage):
        if int(match.group()) == year:
            tail = _SHORT_END.match(passage, match.end())
            end = tail.end() if tail and int(tail.group(1)) in _later_years(year) else match.end()
            spans.append(Span(match.start(), end, passage[match.start() : end]))
    return spans


def _later_years(year: int) -> set[int]:
    """Last two digits of the years that may end a range begun in `year`."""
    return {(year + step) % 100 for step in range(1, 60)}


def _shift_span(text: str, delta: int) -> str:
    old = int(text[:4])
    new = shift(old, delta)
    return str(new) if len(text) == 4 else f"{new}{text[4]}{(int(text[5:]) + new - old) % 100:02d}"


def _is_percentage(passage: str, span: Span) -> bool:
    return re.match(r"\s*(?:%|percent\b|per cent\b)", passage[span.end :]) is not None
