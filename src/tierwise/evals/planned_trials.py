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
    makers = tuple((planned, TrialMaker(plan, planned)) for planned in plan.cases)
    for index in range(max(planned.trials for planned in plan.cases)):
        for planned, maker in makers:
            if index < planned.trials and not is_done(planned, index):
                yield maker.make(index)


class TrialMaker:
    """Makes the trials of one case.

    What all of them share is hashed once: a key is the hash of a JSON list that ends in the index.
    """

    __slots__ = ("_key", "_plan", "_planned", "_seed")

    def __init__(self, plan: Plan, planned: PlannedCase) -> None:
        self._plan = plan
        self._planned = planned
        self._key: hashlib._Hash | None = None
        self._seed: hashlib._Hash | None = None

    def make(self, index: int) -> PlannedTrial:
        """Return the trial with this index."""
        if self._seed is None:
            self._seed = self._begin(self._plan.seeding)
        seed = int(_end(self._seed, index)[:16], 16) % _SEEDS
        return PlannedTrial(planned=self._planned, index=index, key=self.key(index), seed=seed)

    def key(self, index: int) -> str:
        """Return the key of the trial with this index."""
        if self._key is None:
            self._key = self._begin(self._plan.definition)
        return _end(self._key, index)

    def _begin(self, of_plan: str) -> hashlib._Hash:
        planned = self._planned
        shared = [of_plan, planned.arm, planned.label, planned.case.content]
        text = json.dumps(shared, ensure_ascii=False).removesuffix("]")
        return hashlib.sha256(f"{text}, ".encode("utf-8", "surrogatepass"))


def _end(shared: hashlib._Hash, index: int) -> str:
    whole = shared.copy()
    whole.update(b"%d]" % index)
    return whole.hexdigest()
