import pytest

from abstain.conditions.swap.filters import FILTERS, rejected_by


@pytest.mark.parametrize(
    ("original", "replacement", "reason"),
    [
        ("Don Shula", "Shula", "filter_alias"),
        ("Shula", "Don Shula", "filter_alias"),
        ("Paris", "The Paris", "filter_alias"),
        ("Rome", "New South Wales Territory", "filter_length"),
        ("Apple", "McDonald's", "filter_possessive"),
        ("Apple", "McDonald’s", "filter_possessive"),
        ("Apple", "eBay", "filter_case"),
        ("National Broadcasting Company", "NASA", "filter_acronym"),
        ("Apple", "U.S.A.", "filter_acronym"),
        ("British Museum", "R&B", "filter_acronym"),
        ("Indiana University", "Boston College", "filter_education"),
        ("Indiana University", "Red Cross", "filter_education"),
        ("Red Cross", "Indiana University", "filter_education"),
        ("Supreme Court", "Pakistan Navy", "filter_institution"),
        ("Dutch Empire", "Samuel Adams Brewery", "filter_institution"),
    ],
)
def test_each_filter_rejects_its_case(original, replacement, reason):
    assert rejected_by(original, replacement) == reason


@pytest.mark.parametrize(
    ("original", "replacement"),
    [
        ("Ram Nath Kovind", "Jaime Jarrín"),
        ("Indiana University", "University of Oslo"),
        ("Macy's", "McDonald's"),
        ("apple", "eBay"),
        ("Bank of America", "Deutsche Bank"),
        ("Supreme Court", "Court of Appeals"),
    ],
)
def test_a_good_pair_passes_all(original, replacement):
    assert rejected_by(original, replacement) is None


def test_every_filter_is_named_as_a_reason():
    assert all(name.startswith("filter_") for name in FILTERS)
