from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from omnia.core import Entity
from omnia.intent import dehydrate, hydrate

TOMAS = Entity(id="ent-tomas", aliases={"ent-mira": "the innkeeper", "ent-bran": "Old Bran"})


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("entity@ent-tomas[I] wave.", "I wave."),
        ("x sees entity@ent-tomas[him].", "x sees me."),
        ("x takes entity@ent-tomas[his] hat.", "x takes my hat."),
        ("x takes entity@ent-tomas[her] hat.", "x takes my hat."),
        ("x looks at entity@ent-tomas[her] and leaves.", "x looks at me and leaves."),
        ("The hat is entity@ent-tomas[hers].", "The hat is mine."),
        ("x left entity@ent-tomas[himself] out.", "x left myself out."),
        ("x waves to entity@ent-tomas[Tomas].", "x waves to me."),
        ("x takes entity@ent-tomas[Tomas]'s hat.", "x takes my hat."),
        ("x takes entity@ent-tomas[Tomas]’s hat.", "x takes my hat."),  # noqa: RUF001
        ("entity@ent-tomas[Tomas] waves.", "I waves."),
        ("x waits. entity@ent-tomas[my] hat!", "x waits. My hat!"),
    ],
)
def test_oneself_is_first_person(text: str, read: str) -> None:
    """The viewer reads I, me, my, mine or myself, by the role of what was written."""
    assert hydrate(text, TOMAS) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("entity@ent-mira[I] wave.", "The innkeeper wave."),
        ("entity@ent-mira[I] am late.", "The innkeeper is late."),
        ("x sees entity@ent-mira[her].", "x sees the innkeeper."),
        ("entity@ent-mira[my] hat", "The innkeeper's hat"),
        ("x takes entity@ent-mira[Mira]'s hat", "x takes the innkeeper's hat"),
        ("entity@ent-x[the Duke] enters", "An unfamiliar figure enters"),
        ("entity@ent_x.2[the Duke] enters", "An unfamiliar figure enters"),
    ],
)
def test_others_are_called_by_the_viewers_own_phrase(text: str, read: str) -> None:
    """An alias, or the neutral phrase; never what somebody else called them, never an id."""
    assert hydrate(text, TOMAS) == read


def test_double_quotes_become_single() -> None:
    """Speech stays recognisable inside texts that use double quotes themselves."""
    assert hydrate('x says "no" and “yes”', TOMAS) == "x says 'no' and 'yes'"


def test_each_reader_reads_its_own_version() -> None:
    """One stored text, three readers."""
    names = {"the innkeeper": ("ent-mira",)}
    text = dehydrate("I thank the innkeeper for her help.", actor_id="ent-tomas", names=names).text
    mira = Entity(id="ent-mira", aliases={"ent-tomas": "the clerk"})
    assert hydrate(text, TOMAS) == "I thank the innkeeper for the innkeeper's help."
    assert hydrate(text, mira) == "The clerk thank me for my help."
    assert hydrate(text, Entity(id="ent-bran")) == (
        "An unfamiliar figure thank an unfamiliar figure for an unfamiliar figure's help."
    )


def test_an_alias_cannot_smuggle_a_tag_or_a_line() -> None:
    """Brackets and line breaks in an alias are made harmless."""
    viewer = Entity(id="v", aliases={"x": "entity@y[z]\nboo"})
    assert hydrate("entity@x[he]", viewer) == "Entity@y(z)\\nboo"


PEOPLE = {"e-17": "the miller", "e-18": "Old Bran", "e-19": "a stranger with a limp"}
WORDS = st.sampled_from(
    [*PEOPLE.values(), *PEOPLE, "I", "my", "him", "her", "waves", "to", '"', ".", "hat", "’s"]  # noqa: RUF001
)


@given(st.lists(WORDS, max_size=25))
def test_the_way_there_and_back_shows_no_id_and_no_tag(words: list[str]) -> None:
    """Whatever an actor writes outside speech, every reader reads without ids and tags."""
    text = " ".join(word for word in words if word != '"')
    names = {alias.casefold(): (i,) for i, alias in PEOPLE.items()} | {i: (i,) for i in PEOPLE}
    stored = dehydrate(text, actor_id="e-20", names=names, target_ids=["e-17"]).text
    readers = [Entity(id="e-20", aliases=dict(PEOPLE)), Entity(id="e-17"), Entity(id="e-99")]
    for reader in readers:
        read = hydrate(stored, reader)
        assert "entity@" not in read.casefold()
        assert "e-1" not in read.casefold()
        assert "e-2" not in read.casefold()


@given(st.lists(st.sampled_from(["I", "me", "my", "mine", "myself", "hat", "and"]), max_size=12))
def test_an_actor_reads_its_own_first_person_back(words: list[str]) -> None:
    """Who is who survives the way there and back: first person stays first person."""
    text = "Then " + " ".join(words)
    stored = dehydrate(text, actor_id="ent-tomas", names={}).text
    assert hydrate(stored, TOMAS) == text
