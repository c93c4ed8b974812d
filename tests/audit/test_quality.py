import pytest

from abstain.audit.quality import quality
from abstain.audit.sample import Item


@pytest.fixture
def items(swap, question):
    def make(*tiers_and_types):
        return [
            Item.of(question(id=f"q{at:03}"), swap("It was Oslo.", "Oslo", "Lima", type=type), tier)
            for at, (tier, type) in enumerate(tiers_and_types)
        ]

    return make


def test_tiers_and_broken_rates_are_counted_over_the_judged_swaps(items):
    found = quality(items(("fluent", "GPE"), ("broken", "ORG"), ("", "ORG"), ("borderline", "ORG"), ("broken", "GPE")))
    assert (found.judged, found.not_judged) == (4, 1)
    assert found.tiers == {"fluent": 1, "borderline": 1, "broken": 2}
    assert {name: (rate.n, rate.broken, rate.rate) for name, rate in found.broken.items()} == {
        "all": (4, 2, 0.5),
        "GPE": (2, 1, 0.5),
        "ORG": (2, 1, 0.5),
    }
    assert found.record["tiers"]["broken"] == {"n": 2, "share": 0.5}


def test_the_interval_is_that_of_the_paper(items):
    # 26 broken of 200: 13% [9%, 17%] (GRAB-RAG, Appendix C).
    found = quality(items(*[("broken", "ORG")] * 26, *[("fluent", "GPE")] * 174)).broken
    assert found["all"].rate == 0.13
    assert found["all"].low == pytest.approx(0.09, abs=0.0051)
    assert found["all"].high == pytest.approx(0.17, abs=0.0101)
    # In every resample all of ORG and none of GPE is broken.
    assert (found["ORG"].low, found["ORG"].high) == (1, 1)
    assert (found["GPE"].low, found["GPE"].high) == (0, 0)


def test_the_order_of_the_file_changes_nothing(items):
    made = items(*[("broken", "ORG")] * 5, *[("fluent", "GPE")] * 9, *[("borderline", "ORG")] * 6)
    assert quality(made, 500) == quality(made[::-1], 500)
