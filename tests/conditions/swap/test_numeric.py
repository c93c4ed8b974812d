import random
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abstain.conditions.swap.edits import apply
from abstain.conditions.swap.locate import locate
from abstain.conditions.swap.numeric import DELTAS, number, shift, shift_number, year
from abstain.conditions.swap.plan import Unfit


def changed(tier, answer, passage, seed=0, question="when was it"):
    spans = locate(answer, passage)
    rng = random.Random(seed)
    plan = number(spans, passage, rng) if tier is number else year(spans[0], passage, question, rng)
    return plan, apply(passage, plan.edits)


def test_the_six_year_shifts_are_drawn_uniformly():
    drawn = Counter(int(changed(year, "1950", "It ended in 1950.", seed)[0].replacement) - 1950 for seed in range(6000))
    assert set(drawn) == set(DELTAS) == {-30, -20, -10, 10, 20, 30}
    # 1000 expected each; five standard deviations of a binomial are 144
    assert all(abs(count - 1000) < 150 for count in drawn.values())


@pytest.mark.parametrize(("old", "delta", "new"), [(1005, -30, 1000), (2090, 30, 2099), (1950, 20, 1970)])
def test_years_stay_between_1000_and_2099(old, delta, new):
    assert shift(old, delta) == new


@given(st.integers(1000, 2099), st.integers(0, 50))
def test_a_shifted_year_differs_and_stays_in_range(old, seed):
    plan, passage = changed(year, str(old), f"It was {old} then.", seed)
    new = int(plan.replacement)
    assert plan.tier == "year"
    assert passage == f"It was {new} then."
    assert 1000 <= new <= 2099
    assert new != old
    assert new - old in DELTAS or new in (1000, 2099)


def test_the_rest_of_a_date_is_left_intact():
    plan, passage = changed(year, "16 March 2017", "Last eruption 16 March 2017. In 2017 it slept.")
    assert plan.tier == "embedded_year"
    assert passage == f"Last eruption 16 March {plan.replacement}. In {plan.replacement} it slept."


def test_a_decade_shifts():
    plan, passage = changed(year, "1960s", "the 1960s began")
    assert passage == f"the {plan.replacement}s began"


RANGES = [("2017–18", "the 2017–18 season"), ("2018", "from 2017–2018"), ("2017", "in 2017/18"), ("2017", "(2017–18)")]


@pytest.mark.parametrize(("answer", "passage"), RANGES)
def test_both_ends_of_a_range_shift(answer, passage):
    plan, after = changed(year, answer, passage)
    delta = int(plan.replacement) - int(plan.original)
    expected = passage.replace("2017", str(2017 + delta)).replace("2018", str(2018 + delta))
    assert after == re.sub(r"(?<=[–/])18", f"{(18 + delta) % 100:02d}", expected)


def test_a_long_range_shifts_and_a_month_does_not():
    plan, after = changed(year, "1947", "the Cold War (1947–91) of 1947-05-03")
    delta = int(plan.replacement) - 1947
    assert after == f"the Cold War ({1947 + delta}–{(91 + delta) % 100:02d}) of {1947 + delta}-05-03"


def test_a_year_keeps_its_order_with_the_others_and_out_of_the_future():
    for seed in range(30):
        plan, _ = changed(year, "2005", "Accused in 1998, convicted in 2005.", seed)
        assert 1998 < int(plan.replacement) <= 2025
    with pytest.raises(Unfit, match="filter_year_order"):
        changed(year, "2005", "Accused in 2004, convicted in 2005, freed in 2006.")


def test_numbers_that_are_no_year_have_no_year_tier():
    for answer in ("999", "2100", "1950.5", "1,950,000"):
        with pytest.raises(Unfit, match="no_entity_type"):
            changed(year, answer, f"about {answer} of them")


@given(st.integers(10, 99999), st.integers(0, 1000))
def test_numbers_shift_by_ten_to_thirty_percent(old, seed):
    new = shift_number(old, random.Random(seed))
    delta = abs(new - old)
    assert new >= 1
    assert max(1, round(old * 0.1) - 1) <= delta <= max(1, round(old * 0.3) + 1)


def test_both_directions_of_a_number_come_up():
    signs = Counter(shift_number(500, random.Random(seed)) > 500 for seed in range(1000))
    assert 400 < signs[True] < 600


def test_a_number_is_replaced_wherever_it_stands_alone():
    plan, passage = changed(number, "291", "291 episodes, 1,291 pages, 291-part, and 291.")
    new = plan.replacement
    assert (plan.tier, plan.type) == ("number", "NUMBER")
    assert passage == f"{new} episodes, 1,291 pages, {new}-part, and {new}."


def test_grouping_is_kept_and_percentages_stay_below_100():
    plan, _ = changed(number, "10,605", "population of 10,605")
    assert "," in plan.replacement or int(plan.replacement) < 1000
    assert all(int(changed(number, "95", "95% of it", seed)[0].replacement) <= 100 for seed in range(20))


@pytest.mark.parametrize("answer", ["7", "123456", "1950", "007", "ten"])
def test_other_numbers_have_no_number_tier(answer):
    with pytest.raises(Unfit, match="no_entity_type"):
        changed(number, answer, f"about {answer} of them")


def test_a_year_that_the_question_names_is_not_shifted():
    # Any other year would tell that the passage is about another event.
    with pytest.raises(Unfit, match="filter_year_asked"):
        changed(year, "9 February 2018", "held from 9 February 2018 on", question="when do the 2018 games start")


def test_a_short_range_crosses_neither_its_century_nor_the_present():
    ends = set()
    for seed in range(60):
        _, passage = changed(year, "1947", "the Cold War (1947–91)", seed)
        start, end = re.search(r"\((\d{4})–(\d\d)\)", passage).groups()
        ends.add((int(start), int(end)))
    assert ends == {(1917, 61), (1927, 71), (1937, 81)}
    assert {changed(year, "2008", "in 2008–20", seed)[1] for seed in range(30)} == {"in 1978–90"}


def test_a_year_stays_on_its_side_of_a_named_world_war():
    passage = "Founded in 1920 after the First World War."
    assert all(int(changed(year, "1920", passage, seed)[0].replacement) > 1918 for seed in range(30))
