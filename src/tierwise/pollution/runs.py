"""Runs of tests, counted, remembered, and limited in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.pollution.endings import Ended, Ending, is_killer
from tierwise.pollution.findings import Effort

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tierwise.pollution.endings import Runner

    Tell = Callable[[str, int], None]

_MOST_KILLERS = 50


class BudgetSpentError(Exception):
    """The time for a search is over; `endings` is what the run came to that was broken off."""

    def __init__(self, endings: Mapping[str, Ended] | None = None) -> None:
        super().__init__()
        self.endings: Mapping[str, Ended] = endings or {}


class Runs:
    """Asks a runner, and keeps what it answered.

    A test that crashes or hangs hides all that would run behind it: it is taken out, for good.
    """

    def __init__(
        self,
        runner: Runner,
        *,
        now: Callable[[], float],
        deadline: float | None = None,
        tell: Tell = lambda _doing, _runs: None,
    ) -> None:
        self.killers: dict[str, Ended] = {}
        self.about = self.doing = ""
        """Whom the search is about, and what it is at, for a line of progress."""
        self._runner, self._now, self._deadline, self._tell = runner, now, deadline, tell
        self._start = now()
        self._runs = self._tests = 0
        self._known: dict[tuple[str, ...], Ended] = {}

    @property
    def effort(self) -> Effort:
        """What all runs have cost so far."""
        return Effort(runs=self._runs, tests=self._tests, seconds=self._now() - self._start)

    def take(self, tests: Sequence[str], *, by_chance: bool = False) -> Mapping[str, Ended]:
        """Run tests and return how each ended; BudgetSpentError when there is no time for it."""
        if self._is_over():
            raise BudgetSpentError
        self._tell(f"{self.about}{self.doing}", self._runs)
        self._runs += 1
        endings = self._runner.run(tests, by_chance=by_chance)
        not_run = sum(ended.ending is Ending.NOT_RUN for ended in endings.values())
        self._tests += len(endings) - not_run
        if not_run and find_killer(tests, endings) is None and self._is_over():
            raise BudgetSpentError(endings)
        return endings

    def _is_over(self) -> bool:
        return self._deadline is not None and self._now() >= self._deadline

    def of(self, test: str, before: Sequence[str], *, by_chance: bool = False) -> Ended:
        """Return how `test` ended behind `before`, those that crash or hang taken out."""
        while True:
            kept = tuple(one for one in before if one != test and one not in self.killers)
            known = self._known.get((*kept, test))
            if known is not None and not by_chance:
                return known
            endings = self.take((*kept, test), by_chance=by_chance)
            killer = find_killer(kept, endings)
            if killer is None or len(self.killers) >= _MOST_KILLERS:
                break
            self.killers[killer] = endings[killer]
        if not by_chance:
            self._known[*kept, test] = endings[test]
        return endings[test]

    def remember(self, test: str, before: Sequence[str], ended: Ended) -> None:
        """Keep how a test ended in a run of more than was asked for here."""
        kept = (one for one in before if one not in self.killers)
        self._known.setdefault((*kept, test), ended)


def find_killer(tests: Sequence[str], endings: Mapping[str, Ended]) -> str | None:
    """Return the test behind which none could run, None when there is none."""
    return next((test for test in tests if is_killer(endings[test])), None)
