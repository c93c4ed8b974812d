"""The questions that come with the package: what the issue asks of them, and that they can be swapped."""

from __future__ import annotations

import pytest

from abstain.datasets.demo import Demo
from abstain.rows import Question
from abstain.text import contains, normalize

QUESTIONS = Demo().load().questions

KINDS = {
    "person": "mona-lisa-painter telephone-patent penicillin-discovery first-woman-nobel first-moon-walk "
    "first-human-in-space first-us-president general-relativity romeo-and-juliet-author pride-and-prejudice-author "
    "ode-to-joy-composer south-africa-1994 principia-author first-programmer web-inventor",
    "place": "capital-australia capital-canada capital-japan eiffel-tower-city london-river highest-mountain "
    "largest-ocean machu-picchu-country olympics-1896-city napoleon-birthplace sahara-continent taj-mahal-city",
    "organisation": "iphone-company gates-and-allen-company apollo-agency large-hadron-collider abbey-road-band "
    "old-trafford-club peace-prize-1917",
    "year": "titanic-sinking second-world-war-end magna-carta battle-of-hastings french-revolution columbus-voyage "
    "euro-cash",
    "date": "independence-adopted berlin-wall-opened apollo-11-landing first-powered-flight",
    "number": "bones-in-adult piano-keys planets us-states brahms-symphonies football-team-size chemical-elements",
    "work": "big-brother-novel white-whale-novel van-gogh-night-sky picasso-basque-town bizet-opera-seville "
    "cameron-eleven-oscars homer-return-from-troy",
    "nationality": "chopin-nationality amundsen-nationality kahlo-nationality nobel-nationality "
    "kierkegaard-nationality",
}


def test_there_are_about_sixty_questions_of_every_kind() -> None:
    listed = [id for ids in KINDS.values() for id in ids.split()]
    assert sorted(listed) == sorted(question.id for question in QUESTIONS)
    assert 58 <= len(listed) <= 66
    assert all(len(ids.split()) >= 4 for ids in KINDS.values())


def test_several_questions_have_aliases_and_several_have_more_than_one_passage() -> None:
    assert sum(len(question.answers) > 1 for question in QUESTIONS) >= 10
    assert {len(question.gold) for question in QUESTIONS} == {1, 2, 3}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_every_gold_passage_is_short_and_states_the_primary_answer_verbatim(question: Question) -> None:
    for passage in question.gold:
        assert 40 <= len(passage.split()) <= 80
        assert question.answers[0] in passage
        assert contains(normalize(passage), question.answers[0])


def test_no_question_names_its_own_answer() -> None:
    assert not [q.id for q in QUESTIONS for answer in q.answers if contains(normalize(q.text), answer)]


def test_no_passage_is_used_twice() -> None:
    passages = [passage for question in QUESTIONS for passage in question.gold]
    assert len(set(passages)) == len(passages)


def test_limit_takes_the_head() -> None:
    assert Demo(limit=20).load().questions == QUESTIONS[:20]
