"""The replayer: answers with what a cassette holds, in the order in which it was recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.doubles.gateway.cassettes.comparing import (
    explain_unheld,
    find_differences,
    form_asking,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.doubles.gateway.cassettes.cassette import Cassette
    from tierwise.doubles.gateway.wire import HttpRequest, HttpResponse


class Replayer:
    """Gives each interaction once, the same request recorded twice in the order of then.

    With `repeat` the last answer to a request stays for all further ones.
    """

    def __init__(
        self,
        cassette: Cassette,
        *,
        where: str,
        repeat: bool = False,
        ignore: Iterable[str] = (),
        with_delays: bool = False,
    ) -> None:
        self.cassette = cassette
        self._where, self._repeat, self._ignore = where, repeat, tuple(ignore)
        self._with_delays = with_delays
        self._played: set[int] = set()

    def find(self, http: HttpRequest) -> HttpResponse | None:
        """Return the recorded answer, or None where there is none."""
        asked = form_asking(http)
        last = None
        for number, one in enumerate(self.cassette.interactions):
            if find_differences(one.asking, asked, ignore=self._ignore):
                continue
            last = one
            if number not in self._played:
                self._played.add(number)
                break
        else:
            if not self._repeat:
                last = None
        return None if last is None else last.form_response(with_delays=self._with_delays)

    def explain(self, http: HttpRequest) -> str:
        """Return why it holds no answer to this request, the nearest one beside it."""
        held = self.cassette.interactions
        return explain_unheld(form_asking(http), held, where=self._where, ignore=self._ignore)

    def finish(self) -> tuple[str, ...]:
        """Return a complaint for each interaction that nobody asked for."""
        if self._repeat:
            return ()
        return tuple(
            f"The cassette {self._where} holds interaction {number}, {one.asking.method} "
            f"{one.asking.path}, and it was not asked for. Record it anew: pytest "
            "--tierwise-record."
            for number, one in enumerate(self.cassette.interactions, start=1)
            if number - 1 not in self._played
        )
