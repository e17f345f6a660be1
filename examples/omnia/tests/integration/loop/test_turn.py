from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from entries import entry
from omnia.actor import Actor, HumanWriter, ModelWriter, NotAnAgentError
from omnia.architect import Architect
from omnia.core import World, describe_objectively
from omnia.intent import ModelDecoder
from omnia.llm import Prompt, Purpose, WordEmbedder
from omnia.loop import Game, Rules, TurnReport, take_turn
from omnia.memory import Entry, render
from omnia.store import InMemoryStore
from stores import FailingStore
from worlds import build_inn

from tierwise.providers import Rule, ScriptedProvider

MakeScripted = Callable[..., ScriptedProvider]

PROSE = Rule(purpose=Purpose.ACTOR, answer={"prose": "I open the clock."})
ALIAS = Rule(purpose=Purpose.ALIAS, answer={"alias": "the quiet one"})
YES = Rule(purpose=Purpose.VALIDATOR, answer={"valid": True, "reason": "fine"})
NO = {"valid": False, "reason": "the key is under the third stair", "cause": "lacks_means"}
DELTA = Rule(purpose=Purpose.DELTA, answer={"minutes": 5, "explanation": "slow"})


def intents(*kinds: str) -> Rule:
    steps = [
        {"type": kind, "content": f"I {kind}.", "target_ids": [], "modifiers": []}
        for kind in kinds
    ]
    return Rule(purpose=Purpose.INTENT, answer={"intents": steps})


def play(
    provider: ScriptedProvider, store: InMemoryStore | None = None, world: World | None = None
) -> tuple[Game, TurnReport]:
    game = Game.begin(world or build_inn(), store or InMemoryStore("inn"))
    actor = Actor(writer=ModelWriter(provider), decoder=ModelDecoder(provider))
    rules = Rules(referee=Architect(provider), embedder=WordEmbedder(), chores=provider)
    return game, asyncio.run(take_turn(game, "ent-tomas", actor, rules))


def read(game: Game, owner: str) -> list[str]:
    viewer = game.world.require_entity(owner)
    return [render(entry, viewer) for entry in game.store.entries_of(owner)]


def test_a_turn_from_prose_to_everybodys_memory(scripted_provider: MakeScripted) -> None:
    """The clock moves, the deed is remembered by all who saw it, each in its own words."""
    provider = scripted_provider([PROSE, ALIAS, intents("action"), YES, DELTA])
    game, report = play(provider)
    assert [step.ruling.valid for step in report.steps] == [True]
    assert game.world.clock.now.minute == 5
    assert read(game, "ent-tomas") == ["I action. (Outcome: Succeeded)"]
    assert read(game, "ent-mira") == ["Tomas action. (Outcome: Succeeded)"]
    assert read(game, "ent-bran") == ["An unfamiliar figure action. (Outcome: Succeeded)"]


def test_a_rejected_deed_is_seen_and_changes_nothing_else(scripted_provider: MakeScripted) -> None:
    """The world is byte-identical; those near read a sentence of the closed list."""
    reject = Rule(purpose=Purpose.VALIDATOR, answer=NO)
    world = build_inn()
    world.require_entity("ent-tomas").aliases["ent-bran"] = "Bran"
    before = describe_objectively(world)
    game, report = play(scripted_provider([PROSE, intents("action"), reject]), world=world)
    assert describe_objectively(game.world) == before
    loaded = game.store.load_world()
    assert loaded is not None
    assert describe_objectively(loaded) == before
    assert not report.steps[0].ruling.valid
    assert read(game, "ent-mira") == ["Tomas action. (Outcome: Failed - the means are missing)"]


def test_the_validators_reason_reaches_no_buffer(scripted_provider: MakeScripted) -> None:
    """Its own words, which hold a secret, stay with the system."""
    reject = Rule(purpose=Purpose.VALIDATOR, answer=NO)
    game, report = play(scripted_provider([PROSE, ALIAS, intents("action"), reject]))
    assert report.steps[0].ruling.reason == NO["reason"]
    for owner in game.world.entities:
        assert not any("stair" in text for text in read(game, owner))


def test_of_two_intents_the_first_may_fail_and_the_second_come_true(
    scripted_provider: MakeScripted,
) -> None:
    """Each is judged by itself, in order, on the world that it finds."""
    verdicts = Rule(purpose=Purpose.VALIDATOR, answers=[NO, {"valid": True, "reason": "ok"}])
    provider = scripted_provider([PROSE, ALIAS, intents("action", "dialogue"), verdicts])
    game, report = play(provider)
    assert [step.ruling.valid for step in report.steps] == [False, True]
    assert game.world.clock.now.minute == 1
    assert [e.seq for e in game.store.entries_of("ent-mira")] == [1, 2]


def test_words_that_were_not_said_are_heard_by_nobody(scripted_provider: MakeScripted) -> None:
    """A rejected dialogue leaves no entry with anybody."""
    reject = Rule(purpose=Purpose.VALIDATOR, answer=NO)
    game, _ = play(scripted_provider([PROSE, ALIAS, intents("dialogue"), reject]))
    assert all(read(game, owner) == [] for owner in game.world.entities)


def test_a_thought_stays_with_who_thinks_it(scripted_provider: MakeScripted) -> None:
    """No call of the referee, no time, no trace with others."""
    game, _ = play(scripted_provider([PROSE, ALIAS, intents("thought")]))
    assert read(game, "ent-tomas") == ["I thought."]
    assert read(game, "ent-mira") == read(game, "ent-bran") == []
    assert game.world.clock.now == build_inn().clock.now


def test_thoughts_of_one_moment_keep_their_order(scripted_provider: MakeScripted) -> None:
    """They take no time, so only their sequence tells them apart."""
    kinds = ["thought", "monologue"] * 6
    game, _ = play(scripted_provider([PROSE, ALIAS, intents(*kinds)]))
    assert read(game, "ent-tomas") == [f"I {kind}." for kind in kinds]


@pytest.mark.parametrize("broken", [Rule(purpose=Purpose.ACTOR, answer="babble")])
def test_a_model_that_babbles_ends_the_turn_with_a_problem(
    scripted_provider: MakeScripted, broken: Rule
) -> None:
    """No exception and no step: the report says what was wrong."""
    game, report = play(scripted_provider([broken, ALIAS]))
    assert report.steps == ()
    assert report.problem.startswith("Nothing was written: ")
    assert read(game, "ent-tomas") == []


@pytest.mark.parametrize("fail_at", [{"worlds": 4}, {"entries": 2}])
def test_a_store_that_fails_in_the_middle_leaves_whole_steps(
    scripted_provider: MakeScripted, fail_at: dict[str, int]
) -> None:
    """The first intent came true, the second did not, not even in part; the report says so."""
    provider = scripted_provider([PROSE, ALIAS, intents("dialogue", "dialogue", "dialogue"), YES])
    game, report = play(provider, FailingStore("inn", **fail_at))
    assert len(report.steps) == 1
    assert "the disk is full" in report.problem
    assert game.world.clock.now.minute == 1
    loaded = game.store.load_world()
    assert loaded is not None
    assert describe_objectively(loaded) == describe_objectively(game.world)
    assert len(game.store.entries_of("ent-mira")) == 1


def test_strangers_get_a_name_once(scripted_provider: MakeScripted) -> None:
    """Before the first turn beside somebody new, and never again."""
    provider = scripted_provider([PROSE, ALIAS, intents("thought")])
    game, _ = play(provider)
    assert game.world.require_entity("ent-tomas").name_for("ent-bran") == "the quiet one"
    aliases = [call for call in provider.calls if call.request.purpose == Purpose.ALIAS]
    assert len(aliases) == 1


def full_buffer() -> Sequence[Entry]:
    return [entry(n, minutes_ago=-1000 + n) for n in range(25)]


def test_a_full_buffer_is_handed_over_when_a_turn_begins(scripted_provider: MakeScripted) -> None:
    """What is old becomes memory before the actor is asked, and is in its prompt."""
    chunks = [{"source_ids": ["1", "2"], "content": "I waved a lot.", "importance": 8}]
    handoff = Rule(purpose=Purpose.HANDOFF, answer={"chunks": chunks})
    provider = scripted_provider([handoff, PROSE, ALIAS, intents("thought")])
    store = InMemoryStore("inn")
    world = build_inn()
    world.clock.advance(0)
    store.save_world(world)
    store.save_entries([entry(n, minutes_ago=60 * 24 * 365 * 30 - n) for n in range(25)])
    game, _ = play(provider, store, world)
    assert [m.content for m in store.memories_of("ent-tomas")] == ["I waved a lot."]
    assert len(store.entries_of("ent-tomas")) < 25
    (prompt,) = [c.request for c in provider.calls if c.request.purpose == Purpose.ACTOR]
    assert "I waved a lot." in prompt.prompt_text
    assert game.seq == 25


def test_a_reloaded_game_goes_on_where_it_stopped(scripted_provider: MakeScripted) -> None:
    """World, buffers and the sequence of events are as they were."""
    store = InMemoryStore("inn")
    game, _ = play(scripted_provider([PROSE, ALIAS, intents("action"), YES, DELTA]), store)
    again = Game.resume(store)
    assert again is not None
    assert describe_objectively(again.world) == describe_objectively(game.world)
    assert again.seq == game.seq == 1
    assert Game.resume(InMemoryStore("inn")) is None


def test_a_thing_does_not_act(scripted_provider: MakeScripted) -> None:
    """Refused before anything is asked."""
    world = build_inn()
    world.require_entity("ent-tomas").is_agent = False
    world.require_entity("ent-tomas").aliases["ent-bran"] = "Bran"
    with pytest.raises(NotAnAgentError, match="ent-tomas"):
        play(scripted_provider([]), world=world)


def test_a_person_plays_by_the_same_rules(scripted_provider: MakeScripted) -> None:
    """A writer at a keyboard gets the same prompt as a model and goes the same way."""
    shown: list[Prompt] = []

    def write(prompt: Prompt) -> str:
        shown.append(prompt)
        return "I talk."

    provider = scripted_provider([ALIAS, intents("dialogue"), YES])
    game = Game.begin(build_inn(), InMemoryStore("inn"))
    actor = Actor(writer=HumanWriter(write), decoder=ModelDecoder(provider))
    rules: Any = Rules(referee=Architect(provider), embedder=WordEmbedder(), chores=provider)
    report = asyncio.run(take_turn(game, "ent-tomas", actor, rules))
    assert report.steps[0].ruling.valid
    assert shown[0].viewer == "ent-tomas"
