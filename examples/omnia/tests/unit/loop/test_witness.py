from __future__ import annotations

import pytest
from omnia.core import Entity, Location, Portal, World
from omnia.intent import Intent, IntentKind
from omnia.loop import Happening, record
from omnia.memory import Outcome
from worlds import build_inn

WORDS = "meet me at the pier"


def intent(
    kind: IntentKind = IntentKind.DIALOGUE, *modifiers: str, targets: tuple[str, ...] = ()
) -> Intent:
    return Intent(
        actor_id="ent-tomas",
        kind=kind,
        content=f'entity@ent-tomas[I] said: "{WORDS}"',
        target_ids=targets,
        modifiers=modifiers,
    )


def kept(
    what: Intent, world: World | None = None, outcome: Outcome | None = None
) -> dict[str, str]:
    entries = record(Happening(world=world or build_inn(), intent=what, seq=7, outcome=outcome))
    return {entry.owner_id: entry.intent.content for entry in entries}


def beside(vision: int, sound: int) -> World:
    world = World("w")
    world.add_location(
        Location(id="a", portals=(Portal(target_id="b", vision=vision, sound=sound),))
    )
    world.add_location(Location(id="b"))
    world.add_entity(Entity(id="ent-tomas", location_id="a"))
    world.add_entity(Entity(id="ent-bran", location_id="b"))
    return world


def test_everybody_here_remembers_what_was_said() -> None:
    """Actor and witnesses keep a copy each, with ids of their own and one sequence number."""
    entries = record(Happening(world=build_inn(), intent=intent(), seq=7))
    assert {entry.id for entry in entries} == {"e7-ent-tomas", "e7-ent-mira", "e7-ent-bran"}
    assert {entry.seq for entry in entries} == {7}
    assert len({entry.intent for entry in entries}) == 1


def test_a_thought_is_in_nobody_elses_buffer() -> None:
    """Who thinks keeps it; nobody else has a trace of it."""
    assert set(kept(intent(IntentKind.MONOLOGUE))) == {"ent-tomas"}


def test_things_remember_nothing() -> None:
    """An entity that is no agent gets no entries."""
    world = build_inn()
    world.require_entity("ent-bran").is_agent = False
    assert set(kept(intent(), world)) == {"ent-tomas", "ent-mira"}


def test_a_whisper_is_heard_by_whom_it_is_for() -> None:
    """The others here see that something was whispered, and by whom."""
    heard = kept(intent(IntentKind.DIALOGUE, "whisper", targets=("ent-mira",)))
    assert WORDS in heard["ent-mira"]
    assert heard["ent-bran"] == "entity@ent-tomas[he] whispered something."


@pytest.mark.parametrize(
    ("vision", "sound", "modifiers", "remembered"),
    [
        (0, 9, (), f'A voice said: "{WORDS}"'),
        (0, 5, (), "Muffled voices could be heard."),
        (0, 6, ("shout",), f'A voice said: "{WORDS}"'),
        (0, 6, ("whisper",), "Muffled voices could be heard."),
    ],
)
def test_words_from_afar_come_without_a_face(
    vision: int, sound: int, modifiers: tuple[str, ...], remembered: str
) -> None:
    """Behind a door one may hear words, or only voices, but not whose."""
    heard = kept(intent(IntentKind.DIALOGUE, *modifiers), beside(vision, sound))
    assert heard["ent-bran"] == remembered


def test_deeds_from_afar_are_seen_or_only_noticed() -> None:
    """Through a window one sees it all; through a wall somebody moves about."""
    deed = intent(IntentKind.ACTION)
    assert kept(deed, beside(10, 0))["ent-bran"] == deed.content
    assert kept(deed, beside(0, 10))["ent-bran"] == "Someone could be heard moving about."


def test_whoever_is_not_made_out_is_not_recorded() -> None:
    """A copy without a face holds neither the actor's id nor a target's."""
    entries = record(Happening(world=beside(0, 9), intent=intent(targets=("x",)), seq=1))
    (heard,) = [entry for entry in entries if entry.owner_id == "ent-bran"]
    assert heard.people == ()


def test_who_perceives_nothing_remembers_nothing() -> None:
    """Behind a closed wall there is no entry at all."""
    assert set(kept(intent(), beside(0, 0))) == {"ent-tomas"}


def test_a_failed_deed_is_seen_with_its_outcome() -> None:
    """Those near see that it failed; those who only hear it do not know."""
    failed = Outcome(succeeded=False, reason="it is out of reach")
    near = record(
        Happening(world=build_inn(), intent=intent(IntentKind.ACTION), seq=1, outcome=failed)
    )
    assert {entry.outcome for entry in near} == {failed}
    far = record(
        Happening(world=beside(0, 10), intent=intent(IntentKind.ACTION), seq=1, outcome=failed)
    )
    assert [entry.outcome for entry in far] == [failed, None]
