"""A run by the name that a person gives it: its id, the start of it, or how long ago it was."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tierwise.errors import EvalUsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.records.scores import EvalRun

LAST = "last"
_LAST = re.compile(r"last(?:~(\d+))?")
_SHOWN = 5
HOW_TO_LIST = "`tierwise eval runs` lists them"


def find_run(name: str, runs: Sequence[EvalRun]) -> EvalRun:
    """Return the run that is meant; `runs` are those with evals, oldest first.

    `last` is the latest of them and `last~1` the one before; an id may be cut short as long as
    no other begins the same.
    """
    if not runs:
        raise EvalUsageError(
            f"There is no run {name!r}: the run store holds no run of evals yet. "
            "Make one: tierwise eval run."
        )
    if counted := _LAST.fullmatch(name):
        return _count_back(name, int(counted.group(1) or 0), runs)
    found = [entry for entry in runs if name and entry.run.run_id.startswith(name)]
    exact = [entry for entry in found if entry.run.run_id == name]
    if len(found) == 1 or exact:
        return (exact or found)[0]
    if found:
        ids = ", ".join(entry.run.run_id for entry in found[-_SHOWN:])
        more = f" and {len(found) - _SHOWN} older ones" if len(found) > _SHOWN else ""
        raise EvalUsageError(
            f"{name!r} begins the ids of {len(found)} runs: {ids}{more}. Give more of the id."
        )
    latest = [entry.run.run_id for entry in runs[-_SHOWN:]]
    raise EvalUsageError(
        f"There is no run of evals {name!r}.{suggest(name, ['last', 'last~1', *latest])} "
        f"These are the latest; {HOW_TO_LIST} all."
    )


def _count_back(name: str, steps: int, runs: Sequence[EvalRun]) -> EvalRun:
    if steps < len(runs):
        return runs[-1 - steps]
    noun = "run" if len(runs) == 1 else "runs"
    raise EvalUsageError(
        f"There is no run {name!r}: the run store holds {len(runs)} {noun} of evals, so the "
        f"oldest is 'last~{len(runs) - 1}'; {HOW_TO_LIST}."
    )
