from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from omnia.architect import Architect, Ruling
from omnia.core import World, describe_objectively
from omnia.intent import Intent, IntentKind
from omnia.llm import Purpose
from worlds import build_inn

from tierwise.providers import Failure, FailureKind, Rule, ScriptedProvider

MakeScripted = Callable[..., ScriptedProvider]

YES = Rule(purpose=Purpose.VALIDATOR, answer={"valid": True, "reason": "fine"})
NO = Rule(
    purpose=Purpose.VALIDATOR,
    answer={"valid": False, "reason": "Mira hid the key", "cause": "blocked"},
)


def takes(minutes: int, *changes: dict[str, Any]) -> Rule:
    answer = {"minutes": minutes, "explanation": "because", "changes": list(changes)}
    return Rule(purpose=Purpose.DELTA, answer=answer)


def intent(kind: IntentKind = IntentKind.ACTION, actor_id: str = "ent-tomas") -> Intent:
    return Intent(actor_id=actor_id, kind=kind, content="I open the clock.")


def process(
    provider: ScriptedProvider, what: Intent, commit: Callable[[World], None] | None = None
) -> tuple[World, Ruling]:
    world = build_inn()
    before = describe_objectively(world)
    ruling = asyncio.run(Architect(provider).process(world, what, commit))
    assert describe_objectively(world) == before, "the world given was changed"
    return world, ruling


def test_a_thought_changes_nothing_and_asks_nobody(scripted_provider: MakeScripted) -> None:
    """Valid, no time, no commit, no call, and the very same world."""
    provider, commits = scripted_provider([]), list[World]()
    world, ruling = process(provider, intent(IntentKind.MONOLOGUE), commits.append)
    assert ruling == Ruling(valid=True, world=world)
    assert ruling.world is world
    assert provider.calls == ()
    assert commits == []


def test_an_actor_that_is_not_there_asks_nobody(scripted_provider: MakeScripted) -> None:
    """Invalid, with the id in the system's reason and not in what is shown."""
    provider = scripted_provider([])
    _, ruling = process(provider, intent(actor_id="ent-dragon"))
    assert not ruling.valid
    assert "ent-dragon" in ruling.reason
    assert "ent-dragon" not in ruling.shown
    assert provider.calls == ()


def test_talk_takes_a_minute_and_no_second_call(scripted_provider: MakeScripted) -> None:
    """Dialogue is validated like everything else; its time is fixed."""
    provider = scripted_provider([YES])
    world, ruling = process(provider, intent(IntentKind.DIALOGUE))
    assert ruling.minutes == 1
    assert (ruling.world.clock.now - world.clock.now).total_seconds() == 60
    assert [call.request.purpose for call in provider.calls] == ["validator"]


def test_an_action_asks_in_order_and_commits_once(scripted_provider: MakeScripted) -> None:
    """Validate, delta, advance, commit: the commit sees the world as it will be."""
    provider, steps = scripted_provider([YES, takes(7)]), list[str]()

    def commit(after: World) -> None:
        steps.extend(call.request.purpose for call in provider.calls)
        steps.append(f"commit at {after.clock.now:%H:%M}")

    _, ruling = process(provider, intent(), commit)
    assert ruling.valid
    assert steps == ["validator", "delta", "commit at 18:07"]


def test_an_action_that_takes_no_time_is_valid(scripted_provider: MakeScripted) -> None:
    """Zero minutes leave the clock where it is."""
    world, ruling = process(scripted_provider([YES, takes(0)]), intent())
    assert ruling.valid
    assert ruling.world.clock.now == world.clock.now


def test_a_rejected_intent_leaves_a_byte_identical_world(scripted_provider: MakeScripted) -> None:
    """No delta is asked for, nothing is committed, and the same world comes back."""
    provider, commits = scripted_provider([NO]), list[World]()
    world, ruling = process(provider, intent(), commits.append)
    assert ruling.world is world
    assert ruling.shown == "something is in the way"
    assert ruling.reason == "Mira hid the key"
    assert commits == []
    assert len(provider.calls) == 1


@pytest.mark.parametrize(
    "broken",
    ["not json", {"valid": True}, Failure(kind=FailureKind.TIMEOUT, message="slow")],
)
def test_a_validator_that_fails_says_no(scripted_provider: MakeScripted, broken: object) -> None:
    """Fail closed; what the model said is for the system alone."""
    provider = scripted_provider([Rule(purpose=Purpose.VALIDATOR, answer=broken)])  # type: ignore[arg-type]
    _, ruling = process(provider, intent())
    assert not ruling.valid
    assert ruling.reason.startswith("LLM validation failed: ")
    assert ruling.shown == "nothing comes of it"


def test_a_delta_that_fails_rejects_and_does_not_raise(scripted_provider: MakeScripted) -> None:
    """The intent is invalid, with a reason, and nothing has moved."""
    provider = scripted_provider([YES, Rule(purpose=Purpose.DELTA, answer={"minutes": -3})])
    world, ruling = process(provider, intent())
    assert not ruling.valid
    assert ruling.world is world
    assert ruling.reason.startswith("LLM delta failed: ")


@pytest.mark.parametrize(
    "delta",
    [takes(24 * 60 + 1), takes(1, {"entity_id": "ent-x", "name": "n", "op": "add", "value": "v"})],
)
def test_a_delta_that_breaks_a_rule_is_rejected_whole(
    scripted_provider: MakeScripted, delta: Rule
) -> None:
    """A model that skips a day, or changes what is not there, changes nothing."""
    commits = list[World]()
    world, ruling = process(scripted_provider([YES, delta]), intent(), commits.append)
    assert not ruling.valid
    assert ruling.world is world
    assert commits == []


def test_a_delta_changes_facts_on_the_new_world(scripted_provider: MakeScripted) -> None:
    """The consequence is there afterwards, and known to nobody yet."""
    change = {"entity_id": "ent-bran", "name": "wound", "op": "add", "value": "a cut"}
    _, ruling = process(scripted_provider([YES, takes(5, change)]), intent())
    bran = ruling.world.require_entity("ent-bran").facts
    assert bran.system_attribute("wound").value == "a cut"
    assert bran.visible_for("ent-bran")[-1].name != "wound"


def test_a_save_that_fails_leaves_the_clock_where_it_was(scripted_provider: MakeScripted) -> None:
    """The world in memory is not ahead of the one on disk."""

    def fail(after: World) -> None:
        raise OSError("disk full")

    world = build_inn()
    before = describe_objectively(world)
    architect = Architect(scripted_provider([YES, takes(7)]))
    with pytest.raises(OSError, match="disk full"):
        asyncio.run(architect.process(world, intent(), fail))
    assert describe_objectively(world) == before


def test_only_the_system_sees_the_whole_world(scripted_provider: MakeScripted) -> None:
    """Both prompts speak for nobody in the world."""
    provider = scripted_provider([YES, takes(1)])
    process(provider, intent())
    assert {call.request.viewer for call in provider.calls} == {None}
