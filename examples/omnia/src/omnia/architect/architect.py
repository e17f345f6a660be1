"""Decides whether an intent comes true, and what the world is like afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omnia.architect.delta import (
    DIALOGUE_MINUTES,
    Delta,
    Rejected,
    apply_delta,
)
from omnia.architect.prompts import build_delta_prompt, build_validator_prompt
from omnia.architect.reasons import Cause, Judgement, ShowReason, show_cause
from omnia.intent import IntentKind
from omnia.llm import Purpose, ask
from tierwise.providers import Failure

if TYPE_CHECKING:
    from omnia.core import World
    from omnia.intent import Intent
    from tierwise.providers import Provider

Commit = Callable[["World"], None]
"""Keeps the new world for good; when it raises, the intent did not happen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What was decided. `shown` is for the world's people, `reason` for the system alone."""

    valid: bool
    world: World
    """The world afterwards; the very same object when nothing changed."""
    reason: str = ""
    shown: str = ""
    minutes: int = 0


class Architect:
    """Validates, computes the delta on a copy, commits the copy: in this order or not at all."""

    def __init__(self, provider: Provider, *, show_reason: ShowReason = show_cause) -> None:
        self._provider = provider
        self._show_reason = show_reason

    async def process(self, world: World, intent: Intent, commit: Commit | None = None) -> Ruling:
        """Return the ruling. The world given is never changed; thoughts ask no model."""
        if intent.is_thought:
            return Ruling(valid=True, world=world)
        if world.entity(intent.actor_id) is None:
            return self._refuse(world, Cause.NOT_HERE, f"no actor {intent.actor_id!r} here")
        judgement = await self._judge(world, intent)
        if not judgement.valid:
            return self._refuse(world, judgement.cause, judgement.reason)
        delta = await self._delta(world, intent)
        after = delta if isinstance(delta, Rejected) else apply_delta(world, delta)
        if isinstance(delta, Rejected) or isinstance(after, Rejected):
            reason = after.reason if isinstance(after, Rejected) else ""
            return self._refuse(world, Cause.UNCLEAR, reason)
        if commit is not None:
            commit(after)
        return Ruling(valid=True, world=after, minutes=delta.minutes)

    async def _judge(self, world: World, intent: Intent) -> Judgement:
        reply = await ask(
            self._provider,
            build_validator_prompt(world, intent),
            Judgement,
            purpose=Purpose.VALIDATOR,
        )
        if isinstance(reply, Failure):
            reason = f"LLM validation failed: {reply.message}"
            return Judgement(valid=False, reason=reason, cause=Cause.UNCLEAR)
        return reply

    async def _delta(self, world: World, intent: Intent) -> Delta | Rejected:
        if intent.kind is IntentKind.DIALOGUE:
            return Delta(minutes=DIALOGUE_MINUTES, explanation="talk")
        reply = await ask(
            self._provider, build_delta_prompt(world, intent), Delta, purpose=Purpose.DELTA
        )
        if isinstance(reply, Failure):
            return Rejected(reason=f"LLM delta failed: {reply.message}")
        return reply

    def _refuse(self, world: World, cause: Cause, reason: str) -> Ruling:
        judgement = Judgement(valid=False, reason=reason, cause=cause)
        return Ruling(valid=False, world=world, reason=reason, shown=self._show_reason(judgement))
