"""From a touch to a violation: decide, record, raise."""

from __future__ import annotations

from dataclasses import replace
from threading import get_ident
from typing import TYPE_CHECKING, Any

from tierwise.domain import Capability, Mode, Touch, Violation
from tierwise.sandbox.exemptions import exemption_of
from tierwise.sandbox.frames import render_stack, steps_from
from tierwise.sandbox.ledger import Fault
from tierwise.sandbox.policy import forbids
from tierwise.sandbox.slot import SLOT
from tierwise.sandbox.targets import format_endpoint, parse_endpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType

    from tierwise.sandbox.policy import Policy
    from tierwise.sandbox.slot import Owner
    from tierwise.sandbox.world import World

    Classifier = Callable[[str, tuple[Any, ...], World], tuple[Touch, ...]]


def judge_event(  # noqa: PLR0917  called for every event of interest, where keywords cost
    owner: Owner, classify: Classifier, event: str, args: tuple[Any, ...], frame: FrameType | None
) -> None:
    """Classify and judge, once at a time in a thread: judging may itself cause events."""
    ident = get_ident()
    if ident in SLOT.judging:
        return
    SLOT.judging.add(ident)
    try:
        for touch in classify(event, args, owner.world):
            judge(owner, touch, frame)
    except (RecursionError, MemoryError):
        # The code stands at a limit, and meets it here a few frames early: the touch is stopped.
        raise
    except Exception as fault:  # noqa: BLE001  a fault of ours must not become one of the code under test
        subject = owner.policy.subject
        owner.ledger.record_fault(Fault(event=event, subject=subject, error=repr(fault)))
    finally:
        SLOT.judging.discard(ident)


def judge(owner: Owner, touch: Touch, frame: FrameType | None) -> None:
    """Record the touch when the owner's policy forbids it, and raise when the mode enforces."""
    violation = find_violation(owner, touch, frame)
    if violation is None:
        return
    if owner.ledger.accepts is not None and owner.ledger.accepts(violation):
        return
    owner.ledger.record(violation)
    if owner.policy.mode is Mode.ENFORCE:
        raise owner.raises(violation, owner.policy.allow)


def find_violation(owner: Owner, touch: Touch, frame: FrameType | None) -> Violation | None:
    """Return the violation that this touch is, if it is one, without recording it."""
    policy = owner.policy
    if not forbids(policy, touch):
        return None
    named = with_name(touch, SLOT.names)
    if named is not touch and not forbids(policy, named):
        return None
    if policy.mode is Mode.REPORT and owner.ledger.knows(policy.subject, named):
        return None
    steps = steps_from(frame)
    if exemption_of(touch, steps, owner.world) is not None:
        return None
    return _violation(policy, named, render_stack(steps, owner.world))


def with_name(touch: Touch, names: Mapping[str, str]) -> Touch:
    """Return the touch with the name that its address was looked up by, if it was by one."""
    if touch.capability is not Capability.NETWORK or not names:
        return touch
    host, port = parse_endpoint(touch.target)
    name = names.get(host)
    return touch if name is None else replace(touch, target=format_endpoint(name, port))


def _violation(policy: Policy, touch: Touch, stack: tuple[str, ...]) -> Violation:
    return Violation(
        capability=touch.capability,
        target=touch.target,
        subject=policy.subject,
        tier=policy.tier,
        stack=stack,
        event=touch.event,
    )
