"""`omnia play`: walk about in a world and talk with those in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omnia.architect import EasyReferee
from omnia.core import describe_subjectively
from omnia.intent import Decoded, IntentKind, PlainDecoder
from omnia.loop import find_ways, walk
from omnia.memory import render

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from omnia.cli.talk import Company
    from omnia.loop import Game

HELP: Final = """\
look            what you see and know
go PLACE        walk there; `go` alone lists the ways
*open the box*  do something
(how odd)       think something
whisper ..., shout ...
help, quit
Everything else is said aloud; name somebody to speak to them."""


@dataclass(slots=True, kw_only=True)
class Walk:
    """One person's walk: what it has read so far, and where the rest is written."""

    game: Game
    you: str
    company: Company
    write: Callable[[str], None]
    seen_seq: int = 0

    async def run(self, lines: Iterable[str]) -> None:
        """Carry out one line after the other until they end or one says quit."""
        self.seen_seq = self.game.seq
        self.write(f"{self._view()}\n\n(help lists what you can do)")
        for line in lines:
            if line.strip() in {"quit", "exit"}:
                break
            await self._carry_out(line.strip())
        self.write("You close your eyes, and the world is gone.")

    async def _carry_out(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if not line:
            return
        if line == "help":
            self.write(HELP)
        elif line == "look":
            self.write(self._view())
        elif word == "go":
            self._go(rest.strip())
        else:
            await self._act(line)

    def _view(self) -> str:
        ways = ", ".join(way.name for way in find_ways(self.game.world, self.you)) or "none"
        moment = self.game.world.clock.time_of_day()
        view = describe_subjectively(self.game.world, self.you)
        return f"It is {moment}.\n{view}\nWays out: {ways}"

    def _go(self, wanted: str) -> None:
        ways = find_ways(self.game.world, self.you)
        wanted = wanted.casefold().removeprefix("to ")
        chosen = [way for way in ways if wanted and wanted in way.name.casefold()]
        if len(chosen) == 1:
            walk(self.game, self.you, chosen[0])
            self._tell_news()
            self.write(self._view())
            return
        names = ", ".join(way.name for way in ways) or "none"
        self.write(f"Which way? There are: {names}")

    async def _act(self, line: str) -> None:
        decoded = await PlainDecoder().decode(self.game.world, self.you, line)
        for intent in decoded.intents if isinstance(decoded, Decoded) else ():
            await self.game.carry_out(intent, EasyReferee())
            self._tell_news()
            if intent.kind is IntentKind.DIALOGUE:
                await self.company.answer(self.game, intent, line)
                self._tell_news()

    def _tell_news(self) -> None:
        viewer = self.game.world.require_entity(self.you)
        for entry in self.game.store.entries_of(self.you):
            if entry.seq > self.seen_seq:
                self.write(render(entry, viewer))
        self.seen_seq = self.game.seq
