"""A policy violation in pytest's own terms."""

from __future__ import annotations

import linecache
import os.path
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tierwise.pytest_plugin.compat import Failed
from tierwise.sandbox import PolicyViolation, explain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tierwise.config import Config
    from tierwise.domain import Allowance, Violation

_MOST_SHOWN = 5


class PytestPolicyViolation(PolicyViolation, Failed):
    """A violation that pytest takes for an outcome.

    pytest finishes the tear-down of what surrounds an outcome; another BaseException would leave
    half-finished fixtures behind, and the next test would fail for it.
    """

    def __init__(self, violation: Violation, allow: tuple[Allowance, ...] = ()) -> None:
        super().__init__(violation, allow)
        self.pytrace = False


def describe(violations: Sequence[Violation], config: Config) -> str:
    """Return what a failure shows: each violation once, with the lines of code that led to it."""
    distinct = tuple(dict.fromkeys(violations))
    shown = [_describe_one(violation, config) for violation in distinct[:_MOST_SHOWN]]
    more = len(distinct) - _MOST_SHOWN
    return "\n\n".join([*shown, f"... and {more} more touches"] if more > 0 else shown)


def _describe_one(violation: Violation, config: Config) -> str:
    text = explain(
        replace(violation, stack=()),
        deliberate_tiers=[tier.name for tier in config.tiers if tier.deliberate],
        allow=[a for tier in config.tiers if tier.name == violation.tier for a in tier.allow],
    )
    claim, *ways_out = text.split("\n")
    frames = _frames(own_frames(violation.stack), config.root)
    return "\n".join([claim, *frames, *ways_out])


def own_frames(stack: Sequence[str]) -> tuple[str, ...]:
    """Return the stack from its first frame inside the project on; paths there are relative."""
    for index, frame in enumerate(stack):
        # `<string>` and its like are no files of the project's.
        if not frame.startswith("<") and not os.path.isabs(frame):  # noqa: PTH117  text
            return tuple(stack[index:])
    return tuple(stack)


def _frames(stack: Iterable[str], root: Path) -> list[str]:
    lines = []
    for frame in stack:
        lines.append(f"    {frame}")
        path, _, rest = frame.rpartition(":")
        number = rest.split(" ", 1)[0]
        source = (
            linecache.getline(str(root / path), int(number)).strip() if number.isdigit() else ""
        )
        if source:
            lines.append(f"        {source}")
    return lines


def violations_in(error: BaseException | None) -> tuple[Violation, ...]:
    """Return the violations that an exception is, or is a group of and nothing else."""
    if isinstance(error, PolicyViolation):
        return (error.violation,)
    if isinstance(error, BaseExceptionGroup):
        found = [violations_in(inner) for inner in error.exceptions]
        return tuple(v for group in found for v in group) if all(found) else ()
    return ()


def fail_report(report: pytest.TestReport, item: pytest.Item, text: str, *, replace: bool) -> None:
    """Turn a report into a failure that shows `text`, or add it to the failure that it is."""
    if hasattr(report, "wasxfail"):
        del report.wasxfail
    if report.outcome == "failed" and not replace:
        report.sections.append(("tierwise: forbidden touch", text))
        return
    report.outcome = "failed"
    report.longrepr = _failure_of(item, text, report.when).longrepr


def _failure_of(item: pytest.Item, text: str, when: str) -> pytest.TestReport:
    def fail() -> None:
        pytest.fail(text, pytrace=False)

    call = pytest.CallInfo.from_call(fail, when=when)  # type: ignore[arg-type]  # one of three
    return pytest.TestReport.from_item_and_call(item, call)
