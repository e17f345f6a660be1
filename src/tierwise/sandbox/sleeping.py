"""Touches of the real clock: waiting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.domain import Capability, Touch
from tierwise.sandbox.slot import SLOT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.sandbox.world import World

    Classifier = Callable[[str, tuple[Any, ...], World], tuple[Touch, ...]]


def classify_sleep(event: str, args: tuple[Any, ...], _world: World) -> tuple[Touch, ...]:
    """Judge `time.sleep(seconds)`; sleeping for nothing only yields."""
    return slept(event, args[0])


def slept(event: str, seconds: Any) -> tuple[Touch, ...]:  # noqa: ANN401  whatever a caller passes
    """Return the touch that waiting so long is; none for zero, less, and what is no time.

    Under a virtual clock nobody waits really.
    """
    if SLOT.clock is not None:
        return ()
    try:
        duration = float(seconds)
    except (TypeError, ValueError):
        return ()
    if not duration > 0:
        return ()
    return (Touch(capability=Capability.SLEEP, target=f"{duration:g} s", event=event),)


CLASSIFIERS: Mapping[str, Classifier] = {"time.sleep": classify_sleep}
