from __future__ import annotations

import pytest
from omnia.architect import build_alias_prompt, find_alias_problem
from worlds import KEY_PLACE, build_inn


def problem(phrase: str) -> str | None:
    return find_alias_problem(build_inn(), "ent-bran", phrase)


@pytest.mark.parametrize(
    "phrase", ["the tall woman", "a pale clerk", "five words are just enough"]
)
def test_a_phrase_of_what_is_seen_is_fine(phrase: str) -> None:
    """Up to five words, none of them telling."""
    assert problem(phrase) is None


@pytest.mark.parametrize("phrase", ["", "...", "one two three four five six", "a\nb"])
def test_a_phrase_has_one_to_five_words_on_one_line(phrase: str) -> None:
    """Nothing, a sentence and two lines are refused."""
    assert problem(phrase) == "a phrase has 1 to 5 words on one line"


@pytest.mark.parametrize("phrase", ["him", "a [tag]", "entity@x"])
def test_a_phrase_is_no_pronoun_and_no_tag(phrase: str) -> None:
    """Both would break the text that people are written into."""
    assert problem(phrase) == "a phrase is no pronoun and no tag"


@pytest.mark.parametrize("phrase", ["ent-mira", "the ENT-TOMAS"])
def test_a_phrase_never_holds_an_id(phrase: str) -> None:
    """Ids stay the system's."""
    assert problem(phrase) == "the phrase holds an id"


@pytest.mark.parametrize("phrase", ["the woman with the key", "the silver lady", "Forty Crowns"])
def test_a_phrase_never_holds_a_hidden_value(phrase: str) -> None:
    """Not even a word of one, unless the viewer sees that word elsewhere."""
    world = build_inn()
    world.require_entity("ent-mira").facts.add("name", "Key")
    assert find_alias_problem(world, "ent-bran", phrase) == (
        "the phrase holds what the viewer must not know"
    )
    assert find_alias_problem(world, "ent-bran", "the tall innkeeper") is None


def test_two_people_never_get_one_phrase() -> None:
    """Whoever is called that already keeps it."""
    world = build_inn()
    assert find_alias_problem(world, "ent-mira", "tomas") == "somebody else is called that"


def test_the_prompt_has_what_is_seen_and_no_id() -> None:
    """Neither viewer nor target is named by id, and nothing hidden is there."""
    prompt = build_alias_prompt(build_inn(), "ent-bran", "ent-mira")
    assert prompt.user == "* look: a tall innkeeper"
    assert prompt.viewer == "ent-bran"
    assert "ent-" not in prompt.system + prompt.user
    assert KEY_PLACE not in prompt.user
