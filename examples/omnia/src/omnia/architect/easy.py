"""A referee without a model, for walks with a model too small to judge anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from omnia.architect.architect import Ruling
from omnia.architect.delta import DIALOGUE_MINUTES
from omnia.intent import IntentKind

if TYPE_CHECKING:
    from omnia.architect.architect import Commit
    from omnia.core import World
    from omnia.intent import Intent

ACTION_MINUTES: Final = 5


class Referee(Protocol):
    """Something that decides whether an intent comes true."""

    async def process(self, world: World, intent: Intent, commit: Commit | None = None) -> Ruling:
        """Return the ruling, after committing the new world if there is one."""
        ...


class EasyReferee:
    """Lets everything come true: talk takes a minute, a deed five."""

    async def process(self, world: World, intent: Intent, commit: Commit | None = None) -> Ruling:
        """Return a valid ruling; the world given is never changed."""
        if intent.is_thought:
            return Ruling(valid=True, world=world)
        is_talk = intent.kind is IntentKind.DIALOGUE
        minutes = DIALOGUE_MINUTES if is_talk else ACTION_MINUTES
        after = world.copy()
        after.clock.advance(minutes)
        if commit is not None:
            commit(after)
        return Ruling(valid=True, world=after, minutes=minutes)
