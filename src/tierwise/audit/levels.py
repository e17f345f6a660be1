"""The level of a test, guessed, and always with the reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.audit.findings import TestView
from tierwise.config.defaults import usual_capabilities
from tierwise.domain import Capability, Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.audit.facts import TestFact, TouchFact

_NAMES: Mapping[str, Level] = {
    **{str(level): level for level in Level},
    "units": Level.UNIT,
    "unittest": Level.UNIT,
    "unittests": Level.UNIT,
    "unit_tests": Level.UNIT,
    "components": Level.COMPONENT,
    "contracts": Level.CONTRACT,
    "live": Level.CONTRACT,
    "functional": Level.INTEGRATION,
    "functional_tests": Level.INTEGRATION,
    "integrations": Level.INTEGRATION,
    "integration_tests": Level.INTEGRATION,
    "it": Level.INTEGRATION,
    "end_to_end": Level.E2E,
    "endtoend": Level.E2E,
    "system": Level.E2E,
    "browser": Level.E2E,
    "selenium": Level.E2E,
    "playwright": Level.E2E,
    "perf": Level.PERFORMANCE,
    "benchmark": Level.PERFORMANCE,
    "benchmarks": Level.PERFORMANCE,
    "bench": Level.PERFORMANCE,
    "load": Level.PERFORMANCE,
    "evals": Level.ACCEPTANCE,
    "regressions": Level.REGRESSION,
    "lint": Level.STATIC,
}
_IN_FILE_NAMES = (
    *("unit", "integration", "e2e", "smoke", "contract", "regression", "performance"),
    *("benchmark", "benchmarks"),
)
_REACHING = (
    *(Capability.NETWORK, Capability.MODEL, Capability.SUBPROCESS, Capability.LOOPBACK),
    *(Capability.WRITE, Capability.SLEEP),
)
_SAID: Mapping[str, str] = {
    "tmp": "uses temporary files",
    "read": "reads files outside the project",
    "write": "changes files of the machine",
    "loopback": "opens sockets on this machine",
    "network": "reaches the network",
    "subprocess": "starts other processes",
    "sleep": "waits by the real clock",
    "model": "calls a model",
}
_SLOW = 2.0
_DONE = frozenset({"passed", "failed", "xfailed", "xpassed"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """A level, None when it cannot be told, and why."""

    level: Level | None
    reason: str
    is_by_deeds: bool = False
    """Is it guessed by what the test does, so that it needs what it touches?"""


def say_touch(capability: str) -> str:
    """Return what a test does that touches a capability, in words."""
    return _SAID.get(capability, capability)


def view_test(test: TestFact) -> TestView:
    """Return a test with its guessed level, and what it touches beyond it."""
    guess = guess_level(test)
    return TestView(
        nodeid=test.nodeid,
        path=test.path,
        line=0 if test.written else test.line,
        level=str(guess.level) if guess.level else "",
        reason=guess.reason,
        outcome=test.outcome,
        seconds=test.seconds,
        message=test.message,
        touches=test.touches,
        beyond=find_beyond(guess, test.touches),
    )


def guess_level(test: TestFact) -> Guess:
    """Return the level by folder, mark or file name, or else by what the test does."""
    *folders, file = test.path.split("/")
    for folder in reversed(folders):
        level = level_of_name(folder)
        if level is not None:
            return Guess(level=level, reason=f"its folder is {folder}")
    for mark in test.marks:
        level = level_of_name(mark)
        if level is not None:
            return Guess(level=level, reason=f"it is marked {mark}")
    words = re.split(r"[_.]", file.lower())
    for name in _IN_FILE_NAMES:
        if name in words:
            return Guess(level=_NAMES[name], reason=f"its file is {file}")
    return _guess_by_deeds(test)


def level_of_name(name: str) -> Level | None:
    """Return the level that a folder or a mark names."""
    return _NAMES.get(name.lower().replace("-", "_"))


def _guess_by_deeds(test: TestFact) -> Guess:
    if test.outcome not in _DONE and not test.touches:
        return Guess(level=None, reason="it did not run to its end, and no name tells")
    level, reason = _judge_deeds(test)
    return Guess(level=level, reason=reason, is_by_deeds=True)


def _judge_deeds(test: TestFact) -> tuple[Level, str]:
    touched = {touch.capability for touch in test.touches}
    for capability in _REACHING:
        if capability in touched:
            return Level.INTEGRATION, f"it {say_touch(capability)}"
    if Capability.READ in touched:
        return Level.COMPONENT, f"it {say_touch('read')}"
    if test.seconds >= _SLOW:
        return Level.INTEGRATION, f"it takes {_SLOW:g} s or more"
    if touched:
        return Level.UNIT, "it touches no more than temporary files"
    return Level.UNIT, "it touches nothing"


def find_beyond(guess: Guess, touches: Iterable[TouchFact]) -> tuple[TouchFact, ...]:
    """Return the touches that tests of the level do not usually need; network always is one."""
    usual = tuple(Capability)
    if guess.level is not None and not guess.is_by_deeds:
        usual = usual_capabilities(guess.level)
    costly = (Capability.NETWORK, Capability.MODEL)
    return tuple(
        touch for touch in touches if touch.capability in costly or touch.capability not in usual
    )
