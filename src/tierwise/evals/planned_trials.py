"""The trials of a plan, made one by one when their turn comes: key and seed of each."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tierwise.evals.plan import Plan, PlannedCase

    IsDone = Callable[[PlannedCase, int], bool]

_SEEDS = 2**31  # what every provider takes, llama.cpp's 32 bits included


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTrial:
    """One run of one case; `index` counts from 0, `key` names the content that runs."""

    planned: PlannedCase
    index: int
    key: str
    seed: int


def trials_of(
    plan: Plan, *, is_done: IsDone = lambda _planned, _index: False
) -> Iterator[PlannedTrial]:
    """Yield the trials of a plan that are to run, one of each case before the second of any.

    A run that is cut short has then seen all cases alike.
    """
    makers: dict[int, TrialMaker] = {}  # of the cases that have begun and have trials left
    for index in range(max(planned.trials for planned in plan.cases)):
        for place, planned in enumerate(plan.cases):
            if index < planned.trials and not is_done(planned, index):
                maker = makers.pop(place, None) or TrialMaker(plan, planned)
                if index + 1 < planned.trials:
                    makers[place] = maker
                yield maker.make(index)


class TrialMaker:
    """Makes the trials of one case.

    What all of them share is hashed once: a key is the hash of a JSON list that ends in the index.
    """

    __slots__ = ("_hashes", "_plan", "_planned")

    def __init__(self, plan: Plan, planned: PlannedCase) -> None:
        self._plan = plan
        self._planned = planned
        self._hashes: tuple[hashlib._Hash, hashlib._Hash] | None = None

    def make(self, index: int) -> PlannedTrial:
        """Return the trial with this index."""
        key, seed = self._begin()
        if index + 1 == self._planned.trials:
            self._hashes = None  # a run of a million cases has room for none that is done
        return PlannedTrial(
            planned=self._planned,
            index=index,
            key=_end(key, index),
            seed=int(_end(seed, index)[:16], 16) % _SEEDS,
        )

    def key(self, index: int) -> str:
        """Return the key of the trial with this index."""
        return _end(self._begin()[0], index)

    def _begin(self) -> tuple[hashlib._Hash, hashlib._Hash]:
        """Return the hashes of what comes before the index, of the key and of the seed."""
        if self._hashes is None:
            planned, plan = self._planned, self._plan
            own = [planned.arm, planned.label, planned.case.content]
            text = json.dumps(own, ensure_ascii=False)[1:-1].encode("utf-8", "surrogatepass")
            self._hashes = (_start(plan.definition, text), _start(plan.seeding, text))
        return self._hashes


def _start(of_plan: str, of_case: bytes) -> hashlib._Hash:
    return hashlib.sha256(b"[%b, %b, " % (json.dumps(of_plan).encode(), of_case))


def _end(shared: hashlib._Hash, index: int) -> str:
    whole = shared.copy()
    whole.update(b"%d]" % index)
    return whole.hexdigest()
