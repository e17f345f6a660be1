from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from omnia.core import Entity
from omnia.intent import dehydrate, names_known_to
from omnia.intent.tags import TAG
from worlds import build_inn

NAMES = {
    "alice": ("alice",),
    "alice smith": ("alice",),
    "the clerk": ("ent_tomas.2",),
    "ent_tomas.2": ("ent_tomas.2",),
    "bob": ("bob",),
    "bob-2": ("bob-2",),
}


def tagged(text: str, *targets: str) -> str:
    return dehydrate(text, actor_id="me-1", names=NAMES, target_ids=targets).text


def test_a_name_becomes_a_tag_that_keeps_its_surface() -> None:
    """The tag says who is meant and what was written."""
    assert tagged("The clerk bows.") == "entity@ent_tomas.2[The clerk] bows."


def test_alias_tags_never_nest() -> None:
    """An alias that contains an id is tagged once, by the longest name."""
    assert tagged("Alice Smith waves.") == "entity@alice[Alice Smith] waves."
    assert tagged("alice waves.") == "entity@alice[alice] waves."


def test_an_id_with_underscore_and_dot_is_one_word() -> None:
    """Ids are more than letters, digits and hyphens."""
    assert tagged("I see ent_tomas.2") == "entity@me-1[I] see entity@ent_tomas.2[ent_tomas.2]"


def test_a_name_inside_a_longer_word_is_left_alone() -> None:
    """Neither `bobbin` nor an unknown `bob-3` is Bob, and `bob-2` is somebody else."""
    assert tagged("bobbin bob-3 bob-2") == "bobbin bob-3 entity@bob-2[bob-2]"


@pytest.mark.parametrize("word", ["I", "me", "my", "mine", "myself", "My"])
def test_first_person_is_the_actor(word: str) -> None:
    """Whatever form it takes, first person is whoever writes."""
    assert tagged(f"x {word} x") == f"x entity@me-1[{word}] x"


def test_a_pronoun_inside_a_word_is_no_pronoun() -> None:
    """`Ice`, `army` and `theme` hold no person."""
    assert tagged("Ice army theme") == "Ice army theme"


def test_third_person_is_whoever_was_named_last() -> None:
    """Before anybody is named it is the first target, and without one it stays."""
    assert tagged("Bob nods. I thank him.").endswith("thank entity@bob[him].")
    assert tagged("I thank her.", "alice", "bob").endswith("thank entity@alice[her].")
    assert tagged("He waits.") == "He waits."


@pytest.mark.parametrize("speech", ['"Bob, I love you"', "“Bob, I love you”", '"I"'])
def test_speech_is_untouched(speech: str) -> None:
    """What stands in straight or curly double quotes is somebody's very words."""
    assert tagged(f"x {speech} x") == f"x {speech} x"


def test_an_unbalanced_quote_flips_nothing() -> None:
    """A lone quote mark is a character: what follows is still prose."""
    assert tagged('"I wave to Bob') == '"entity@me-1[I] wave to entity@bob[Bob]'
    assert tagged('a 5" nail, says Bob, "I"') == 'a 5" nail, says entity@bob[Bob], "I"'


@pytest.mark.parametrize("pronoun", ["me", "him", "HER"])
def test_a_pronoun_as_name_captures_nobody(pronoun: str) -> None:
    """An entity with the id `me`, or called `him`, does not take the pronoun over."""
    names = {pronoun.casefold(): ("ghost",)}
    assert "ghost" not in dehydrate(f"x {pronoun}", actor_id="a", names=names).text


def test_a_phrase_for_two_people_is_left_alone_and_reported() -> None:
    """Nobody is guessed; the caller learns what was ambiguous."""
    names = {"the guard": ("g1", "g2")}
    result = dehydrate("The guard nods at the guard.", actor_id="a", names=names)
    assert result.text == "The guard nods at the guard."
    assert result.ambiguous == ("The guard", "the guard")


@pytest.mark.parametrize(
    "forged", ["entity@alice[x]", "entity@entity@alice[x][y]", "entity@a[entity@b[x]]"]
)
def test_forged_tags_lose_their_meaning(forged: str) -> None:
    """A text that brings tags along keeps only their surfaces, in speech too."""
    assert TAG.search(tagged(forged)) is None
    assert TAG.search(tagged(f'"{forged}"')) is None


@pytest.mark.parametrize("text", ["", '"only speech"', "🙂 ~ 世界", "x" * 10_000])
def test_texts_without_people_stay_as_they_are(text: str) -> None:
    """Nothing to tag, nothing changed."""
    assert tagged(text) == text


@given(st.text(alphabet=' "“”.abImey@[]\n-', max_size=60))
def test_tags_are_always_well_formed(text: str) -> None:
    """Whatever the prose, each tag names somebody known, and stripping leaves no brackets open."""
    known = {"me-1", *(entity_id for ids in NAMES.values() for entity_id in ids)}
    for match in TAG.finditer(tagged(text, "bob")):
        assert match["id"] in known
        assert "entity@" not in match["surface"]


def test_what_an_actor_may_call_people_by() -> None:
    """Its own aliases and every id: another's aliases are not among them."""
    world = build_inn()
    names = names_known_to(world, "ent-tomas")
    assert names["the innkeeper"] == ("ent-mira",)
    assert names["ent-bran"] == ("ent-bran",)
    assert "tomas" not in names
    world.add_entity(Entity(id="ent-ada"))
    world.require_entity("ent-tomas").aliases["ent-ada"] = "The Innkeeper"
    assert names_known_to(world, "ent-tomas")["the innkeeper"] == ("ent-mira", "ent-ada")
