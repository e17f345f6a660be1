"""Runs that go on with one another: one measurement, however often it was started again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.evals.comparison import Side
    from tierwise.records import PlanRow


def merge_continued(line: Sequence[Side]) -> list[tuple[Side, tuple[str, ...]]]:
    """Return the last run of each measurement, which counts all trials of it, and its runs' ids.

    Each side has one eval, and the runs of a line are in order.
    """
    last: dict[str, Side] = {}
    runs: dict[str, list[str]] = {}
    for place, side in enumerate(line):
        key = _name_measurement(side.evals[0].plan) or f"{place}"
        last.pop(key, None)
        last[key] = side
        runs.setdefault(key, []).append(side.run.run_id)
    return [(side, tuple(runs[key])) for key, side in last.items()]


def _name_measurement(plan: PlanRow) -> str:
    return plan.measurement and f"{plan.measurement} {plan.definition}"
