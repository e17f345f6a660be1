"""How the people of a place answer somebody who speaks, with one small model for all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from omnia.actor import build_reply_prompt, reply
from omnia.architect import EasyReferee
from omnia.intent import Decoded, Intent, IntentKind, PlainDecoder, make_tag
from tierwise.providers import Failure

if TYPE_CHECKING:
    from omnia.loop import Game
    from tierwise.providers import Provider

ANSWERING_AT_ONCE: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """Everybody but the person at the keyboard."""

    provider: Provider
    referee: EasyReferee = field(default_factory=EasyReferee)
    decoder: PlainDecoder = field(default_factory=PlainDecoder)

    async def answer(self, game: Game, said: Intent, words: str) -> None:
        """Let those spoken to answer, or the first two here when nobody was named."""
        here = [other.id for other in game.world.companions(said.actor_id) if other.is_agent]
        named = [target for target in said.target_ids if target in here]
        for speaker_id in (named or here)[:ANSWERING_AT_ONCE]:
            await self._let_speak(game, speaker_id, words)

    async def _let_speak(self, game: Game, speaker_id: str, words: str) -> None:
        spoken = await reply(self.provider, build_reply_prompt(game.world, speaker_id, words))
        intent = None if isinstance(spoken, Failure) else await self._say(game, speaker_id, spoken)
        await game.carry_out(intent or _mutter(speaker_id), self.referee)

    async def _say(self, game: Game, speaker_id: str, spoken: str) -> Intent | None:
        # A star or a bracket at the start would make the model's talk a deed or a thought.
        decoded = await self.decoder.decode(game.world, speaker_id, spoken.lstrip("*( "))
        return decoded.intents[0] if isinstance(decoded, Decoded) and decoded.intents else None


def _mutter(speaker_id: str) -> Intent:
    """Return what is seen of somebody whose model babbled: an event, and no crash."""
    return Intent(
        actor_id=speaker_id,
        kind=IntentKind.DIALOGUE,
        content=f"{make_tag(speaker_id, 'I')} muttered something.",
    )
