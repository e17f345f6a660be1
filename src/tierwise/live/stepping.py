"""What a walk decides after each answer: go on, stop, or say that nothing could be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, TypeVar

from tierwise.contracts.contract import unobservable
from tierwise.live.seeing import LiveFaultError
from tierwise.live.standing import Standing
from tierwise.live.table import VendorVerdict, VerdictTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.live.walking import WalkLimits

R = TypeVar("R")
_AT_ONCE = frozenset({Standing.OUR_FAULT, Standing.UNKNOWN})


class Steps:
    """The verdicts of one walk so far."""

    def __init__(
        self,
        *,
        n_known: int,
        limits: WalkLimits,
        table: VerdictTable | None,
        clock: Callable[[], float],
    ) -> None:
        self.taken: dict[str, VendorVerdict] = {}
        self._n_known, self._limits, self._clock = n_known, limits, clock
        self._table = table or VerdictTable.known()
        self._began_s = clock()

    def must_stop(self) -> bool:
        """Tell whether a limit forbids another candidate."""
        return len(self.taken) >= self._limits.candidates or self.is_late()

    def is_late(self) -> bool:
        """Tell whether the time for all candidates is over."""
        return self._clock() - self._began_s >= self._limits.seconds

    def take(self, key: str, answer: object) -> Standing:
        """Judge an answer and keep the verdict; a fault that no candidate heals is raised."""
        __tracebackhide__ = True
        verdict = self._table.judge(answer)
        self.taken[key] = verdict
        if verdict.standing in _AT_ONCE:
            raise LiveFaultError(verdict, f"{key}: {verdict}{self._told_before(key)}")
        return verdict.standing

    def is_usable(self, key: str) -> bool:
        """Tell whether this candidate is the one."""
        return self.taken[key].standing is Standing.USABLE

    def give_up(self) -> NoReturn:
        """Say that none could be used: nothing was seen, or somebody did not answer."""
        __tracebackhide__ = True
        told = self._describe_end()
        for verdict in self.taken.values():
            if verdict.standing is Standing.UNREACHABLE:
                raise LiveFaultError(verdict, told)
        unobservable(told)

    def _describe_end(self) -> str:
        if not self._n_known:
            return "no row of the catalogue fits, so that there was nothing to try"
        n_tried = len(self.taken)
        if n_tried == self._n_known:
            head = f"none of {n_tried} candidates can be used"
        else:
            why = (
                f"{self._limits.candidates} are the limit"
                if n_tried >= self._limits.candidates
                else f"{self._limits.seconds:g} s were over"
            )
            head = f"none of {n_tried} candidates can be used, of {self._n_known} known; {why}"
        return f"{head}{_show(self.taken)}"

    def _told_before(self, key: str) -> str:
        earlier = {name: verdict for name, verdict in self.taken.items() if name != key}
        return f"\nbefore it:{_show(earlier)}" if earlier else ""


def _show(verdicts: Mapping[str, VendorVerdict]) -> str:
    """Return the table of verdicts, a line for each candidate."""
    width = max(map(len, verdicts), default=0)
    return "".join(f"\n  {key:<{width}}  {verdict}" for key, verdict in verdicts.items())


def rotate(candidates: Mapping[str, R], rotation: int) -> tuple[tuple[str, R], ...]:
    """Return the candidates in their order, beginning at the one that `rotation` falls on."""
    pairs = tuple(candidates.items())
    start = rotation % len(pairs) if pairs else 0
    return pairs[start:] + pairs[:start]
