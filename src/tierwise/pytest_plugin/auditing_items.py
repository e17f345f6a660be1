"""What an audit is told of each collected test, and of each report, as plain JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tierwise.domain.masking import mask_keys
from tierwise.pytest_plugin.terminal import message_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pytest

    from tierwise.pytest_plugin.facts import LeftFacts

_MOST_TOUCHES = 40
"""Of one test, of each capability: the rest is counted."""
_LONGEST = 300


def describe_item(item: pytest.Item, *, is_strict: bool, tier: str | None) -> dict[str, object]:
    """Return a test's name, place, marks and what they say of skips and expected failures."""
    written, line, _ = item.location
    path = item.nodeid.partition("::")[0]
    marks = list(item.iter_markers())
    facts: dict[str, object] = {
        "id": item.nodeid,
        "path": path,
        "line": line + 1 if line is not None else 0,
        "marks": sorted({mark.name for mark in marks}),
    }
    if written != path:
        facts["written"] = written
    if tier is not None:
        facts["tier"] = tier
    skips = [describe_skip(mark) for mark in marks if mark.name in ("skip", "skipif")]
    if skips:
        facts["skips"] = skips
    expected = [mark for mark in marks if mark.name == "xfail"]
    if expected:
        strict = expected[0].kwargs.get("strict", is_strict)
        reason = expected[0].kwargs.get("reason") or ""
        facts["xfail"] = {"strict": bool(strict), "reason": shorten(str(reason))}
    return facts


def describe_skip(mark: pytest.Mark) -> dict[str, object]:
    """Return whether a mark skips always, and its reason."""
    reason = mark.kwargs.get("reason")
    if reason is None and mark.name == "skip" and mark.args:
        reason = mark.args[0]
    return {"always": mark.name == "skip", "reason": shorten(str(reason or ""))}


def describe_outcome(report: pytest.TestReport) -> dict[str, object]:
    """Return one phase's outcome and first line, and what it touched."""
    facts: dict[str, object] = {
        "id": report.nodeid,
        "when": report.when,
        "outcome": report.outcome,
        "seconds": round(report.duration, 5),
    }
    if report.outcome != "passed":
        facts["message"] = shorten(say_failure(message_of(report), report.longreprtext))
    if hasattr(report, "wasxfail"):
        facts["expected"] = True
    known = report.__dict__.get("tierwise", {})
    touches = list_touches(known.get("violations", ()))
    if touches:
        facts["touches"] = touches
    left = known.get("left", ())[:_MOST_TOUCHES]
    if left:
        facts["left"] = [describe_left(entry) for entry in left]
    return facts


def describe_left(left: LeftFacts) -> dict[str, str]:
    """Return what a test left changed in the process, and the fixture that did, if one did."""
    return {
        "owner": shorten(left["owner"]),
        "before": shorten(left["before"]),
        "after": shorten(left["after"]),
        "subject": left["subject"],
    }


def say_failure(message: str, whole: str) -> str:
    """Return the line that says what went wrong: a missing fixture's begins with its file."""
    if not message.startswith("file "):
        return message
    lines = [line[1:].strip() for line in whole.splitlines() if line.startswith("E ")]
    return next((line for line in lines if not line.startswith("file ")), message)


def is_silent(report: pytest.TestReport) -> bool:
    """Tell whether a report says no more than that setup or tear-down passed, in no time."""
    return (
        report.when == "setup"
        and report.outcome == "passed"
        and report.duration < _NO_TIME
        and "tierwise" not in report.__dict__
    )


_NO_TIME = 0.001


def list_touches(violations: Iterable[Mapping[str, object]]) -> list[dict[str, object]]:
    """Return what was touched, by whom and from which line, no more than so many of each kind."""
    counts: dict[object, int] = {}
    touches: list[dict[str, object]] = []
    for violation in violations:
        capability = violation["capability"]
        counts[capability] = counts.get(capability, 0) + 1
        if counts[capability] > _MOST_TOUCHES:
            continue
        touches.append(
            {
                "capability": capability,
                "target": shorten(mask_keys(str(violation["target"]))),
                "subject": violation["subject"],
                "line": choose_line(violation["stack"]),
            }
        )
    return touches


def choose_line(stack: object) -> str:
    """Return the innermost line of the project's own, or else the innermost of all."""
    lines = [str(line) for line in stack] if isinstance(stack, list | tuple) else []
    own = [line for line in lines if not Path(line).is_absolute()]
    return (own or lines or [""])[-1]


def shorten(text: str) -> str:
    """Return one line, without what looks like a key, no longer than anybody reads."""
    line = mask_keys(text.strip().partition("\n")[0])
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]} ..."
