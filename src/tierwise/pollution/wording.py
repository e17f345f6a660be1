"""What a search has found, as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.pollution.endings import Ending
from tierwise.pollution.findings import Stop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.pollution.endings import Ended

_VERBS = {
    Ending.PASSED: "passes",
    Ending.FAILED: "fails",
    Ending.SKIPPED: "is skipped",
    Ending.CRASHED: "crashes",
    Ending.TIMED_OUT: "does not end in time",
    Ending.NOT_RUN: "is not reached",
}


def say_ending(ended: Ended) -> str:
    """Return what a test does, as in `fails`."""
    return _VERBS[ended.ending]


def say_tests(count: int) -> str:
    """Return `1 test`, `2 tests`."""
    return f"{count:,} test{'' if count == 1 else 's'}"


def say_together(alone: Ended, together: Ended, culprits: Sequence[str]) -> str:
    """Return what the culprits make of a test."""
    return f"{say_ending(alone)} alone, {say_ending(together)} behind {_say_set(culprits)}"


def say_imported(alone: Ended, together: Ended, files: Sequence[str]) -> str:
    """Return what files make of a test by being collected."""
    return (
        f"{say_ending(alone)} when its file is collected alone, {say_ending(together)} once "
        f"{_say_files(files)} imported too: importing is enough, no test of it has to run"
    )


def _say_files(files: Sequence[str]) -> str:
    return f"{files[0]} is" if len(files) == 1 else f"{', '.join(files)} are"


def _say_set(tests: Sequence[str]) -> str:
    return tests[0] if len(tests) == 1 else f"{len(tests)} tests together: {', '.join(tests)}"


def say_independent(orders: Sequence[str]) -> str:
    """Return in which orders the test passes."""
    if not orders:
        return "passes alone; there is no other test that could change it"
    return f"passes alone and in each order that was tried: {', '.join(orders)}"


def say_broken(alone: Ended, orders: Sequence[str]) -> str:
    """Return in which orders the test ends as badly as alone."""
    tried = f" and in each order that was tried ({', '.join(orders)})" if orders else ""
    why = f": {alone.message}" if alone.message else ""
    return f"{say_ending(alone)} alone{tried}, so that order is not why{why}"


def say_unknown(where: str, ended: Ended) -> str:
    """Return that a run says nothing about the test."""
    why = f": {ended.message}" if ended.message else ""
    return f"could not tell: {where}, it {say_ending(ended)}{why}"


def say_unclear(where: str, first: Ended, second: Ended) -> str:
    """Return that the same run ended in two ways."""
    return (
        f"could not tell: {where}, it {say_ending(first)} in one run and {say_ending(second)} in "
        "the next. It depends on chance or on time: cure that first"
    )


def say_unsteady() -> str:
    """Return that the answers of a search fit nothing."""
    return (
        "could not tell: it ended in different ways behind the same tests. It depends on chance "
        "or on time: cure that first"
    )


def say_too_many(most: int) -> str:
    """Return that no small set is to blame."""
    return (
        f"could not tell: more than {most} tests are needed together. Something adds up over the "
        "run (open files, a cache, a counter), and each test adds a little"
    )


def say_gone(reason: str) -> str:
    """Return that a test which ended in two ways did so no more."""
    return f"could not tell: it ended differently in one order, and then {reason}"


def say_confirmed_not(
    culprits: Sequence[str], before: Sequence[str], expected: Ended, ended: Ended
) -> str:
    """Return that the set which was found did not hold when it was run again."""
    where = f"behind {_say_set(culprits)}" if before else "alone"
    return (
        f"could not tell: {where}, it {say_ending(expected)} and, run again with other random "
        f"numbers, {say_ending(ended)}. It depends on chance or on time: cure that first"
    )


def say_interrupted(
    stop: Stop, alone: Ended | None, together: Ended | None, candidates: int
) -> str:
    """Return what is known when a search has to end."""
    why = "interrupted" if stop is Stop.INTERRUPTED else "the time for the search is over"
    parts = [f"it {say_ending(alone)} alone"] if alone is not None else ["nothing is known yet"]
    if together is not None:
        parts.append(f"{say_ending(together)} behind others")
    if candidates:
        parts.append(f"{say_tests(candidates)} could be why")
    return f"{why}: {', '.join(parts)}"
