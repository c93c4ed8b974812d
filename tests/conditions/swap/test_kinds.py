import pytest

from abstain.conditions.swap.kinds import education, institution, kind
from abstain.conditions.swap.settle import settle
from abstain.ner.base import Entity


@pytest.mark.parametrize(
    ("phrase", "type", "expected"),
    [
        ("Don Shula", "PERSON", "full"),
        ("Cyrus", "PERSON", "single"),
        ("Elizabeth II", "PERSON", "regnal"),
        ("United States", "GPE", "country"),
        ("U.S.", "GPE", "country"),
        ("Ohio", "GPE", "state"),
        ("South Yarra", "GPE", "region"),
        ("Salem", "GPE", "place"),
        ("Wayne County", "GPE", "county"),
        ("NBC", "ORG", "acronym"),
        ("Oxford University", "ORG", "university"),
        ("Bank of America", "ORG", "bank"),
        ("Stedelijk Museum Amsterdam", "ORG", "culture"),
        ("Chicago Bulls", "ORG", "basketball team"),
        ("New York Giants", "ORG", "some team"),
        ("Sicily", "GPE", "land"),
        ("Lincolnshire", "GPE", "land"),
        ("Rolling Stones", "ORG", "plural"),
        ("Brooks & Dunn", "ORG", "pair"),
        ("Google", "ORG", "single"),
        ("Africa", "LOC", "continent"),
        ("Lake Michigan", "LOC", "lake"),
        ("Indian Ocean", "LOC", "ocean"),
        ("Pearl Harbor", "LOC", "harbour"),
        ("Eastern Europe", "LOC", "region"),
        ("British Columbia", "GPE", "province"),
        ("Washington", "GPE", "state or city"),
        ("Gupta Empire", "GPE", "empire"),
        ("South Korea", "GPE", "country"),
        ("Hirschman", "NORP", "other"),
        ("German", "NORP", "people"),
        ("Central Germany", "GPE", "region"),
        ("Twist", "NORP", "other"),
        ("Czechs", "NORP", "people plural"),
        ("Sam Boyd Stadium", "LOC", "venue"),
        ("World War II", "EVENT", "war"),
        ("Battle of Hastings", "EVENT", "battle"),
        ("American Revolution", "EVENT", "conflict"),
        ("Nobel Prize", "WORK_OF_ART", "award"),
        ("Frenchmen", "NORP", "people"),
        ("Republicans", "NORP", "politics plural"),
    ],
)
def test_the_kind_is_read_off_the_name(phrase, type, expected):
    assert kind(phrase, type) == expected


def test_terms_are_read_at_their_place():
    assert (education("University of Oslo"), institution("Department of State")) == ("university", "government")
    assert (education("Oslo"), institution("Oslo")) == ("", "")


@pytest.mark.parametrize(
    ("text", "name", "recognised", "settled"),
    [
        ("at Sam Boyd Stadium in", "Sam Boyd Stadium", "PERSON", "LOC"),
        ("in Baker, California, USA", "Baker", "PERSON", "GPE"),
        ("in the town of Aldenham near", "Aldenham", "ORG", "GPE"),
        ("the Netherlands won", "the Netherlands", "ORG", "GPE"),
        ("across Africa", "Africa", "GPE", "LOC"),
        ("after World War II"[:15], "World War", "ORG", "EVENT"),
        ("the Nobel Prize for", "Nobel Prize", "ORG", "WORK_OF_ART"),
        ("singer Faith Hill sang", "Faith Hill", "PERSON", "PERSON"),
        ("at Boston College", "Boston College", "PERSON", "ORG"),
        ("at Roger Dean Stadium in", "Roger Dean Stadium", "PERSON", "LOC"),
        ("by Don Shula", "Don Shula", "PERSON", "PERSON"),
        ("beat the Miami Heat", "Miami Heat", "PERSON", "ORG"),
        ("in Bath, Maine. The", "Bath", "PERSON", "GPE"),
    ],
)
def test_a_type_yields_to_what_the_name_says(text, name, recognised, settled):
    start = text.index(name)
    assert settle(text, [Entity(start, start + len(name), name, recognised)])[0].type == settled


def test_empty_names_do_no_harm():
    assert settle('""', [Entity(0, 2, '""', "ORG")])[0].type == "ORG"
