from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Capability, Mode, Touch
from tierwise.sandbox import Policy, PolicyViolation
from tierwise.sandbox.judge import judge_event, with_name
from tierwise.sandbox.ledger import Ledger
from tierwise.sandbox.slot import Owner

if TYPE_CHECKING:
    from tierwise.sandbox.world import World


def owner(world: World, mode: Mode = Mode.ENFORCE) -> Owner:
    return Owner(
        policy=Policy(subject="a", tier="unit", mode=mode),
        world=world,
        ledger=Ledger(),
        raises=PolicyViolation,
    )


def two_touches(event: str, _args: tuple[Any, ...], _world: World) -> tuple[Touch, ...]:
    return tuple(Touch(capability=Capability.SLEEP, target=t, event=event) for t in ("1 s", "2 s"))


def test_enforcing_records_then_raises(world: World) -> None:
    """The first forbidden touch of an event stops it."""
    one = owner(world)
    with pytest.raises(PolicyViolation, match="slept 1 s"):
        judge_event(one, two_touches, "x", (), None)
    assert [each.target for each in one.ledger.pending()] == ["1 s"]


def test_reporting_records_all(world: World) -> None:
    """Every touch of an event is recorded, and nothing raised."""
    one = owner(world, Mode.REPORT)
    judge_event(one, two_touches, "x", (), None)
    assert [each.target for each in one.ledger.pending()] == ["1 s", "2 s"]


def test_a_fault_of_ours_is_recorded_and_not_raised(world: World) -> None:
    """Code under test never meets an error of the judge, and nobody takes silence for proof."""

    def broken(_event: str, _args: tuple[Any, ...], _world: World) -> tuple[Touch, ...]:
        raise ValueError("a fault of ours")

    one = owner(world)
    judge_event(one, broken, "x", (), None)
    (fault,) = one.ledger.faults()
    assert (fault.event, fault.subject) == ("x", "a")
    assert "a fault of ours" in fault.error


@pytest.mark.parametrize("error", [RecursionError, MemoryError])
def test_a_limit_reached_while_judging_stops_the_touch(
    world: World, error: type[Exception]
) -> None:
    """Code at a limit meets it a little earlier; nothing went through, and no fault is kept."""

    def exhausted(_event: str, _args: tuple[Any, ...], _world: World) -> tuple[Touch, ...]:
        raise error

    one = owner(world)
    with pytest.raises(error):
        judge_event(one, exhausted, "x", (), None)
    assert one.ledger.faults() == ()
    with pytest.raises(PolicyViolation):
        judge_event(one, two_touches, "x", (), None)


def test_judging_does_not_judge_itself(world: World) -> None:
    """An event that judging causes is not judged again."""
    one = owner(world, Mode.REPORT)

    def recursive(event: str, args: tuple[Any, ...], world: World) -> tuple[Touch, ...]:
        judge_event(one, two_touches, event, args, None)
        return ()

    judge_event(one, recursive, "x", (), None)
    assert one.ledger.pending() == ()
    judge_event(one, two_touches, "x", (), None)
    assert len(one.ledger.pending()) == 2


@pytest.mark.parametrize(
    ("capability", "target", "named"),
    [
        (Capability.NETWORK, "203.0.113.7:443", "api.example.com:443"),
        (Capability.NETWORK, "203.0.113.8:443", "203.0.113.8:443"),
        (Capability.READ, "203.0.113.7", "203.0.113.7"),
    ],
)
def test_an_address_is_shown_by_the_name_it_was_looked_up_by(
    capability: Capability, target: str, named: str
) -> None:
    """Only network targets have names, and only those that were looked up."""
    touch = Touch(capability=capability, target=target)
    assert with_name(touch, {"203.0.113.7": "api.example.com"}).target == named
