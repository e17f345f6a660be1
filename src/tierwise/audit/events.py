"""Lines of an event file read as what they tell; a line that was cut off tells nothing."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tierwise.audit.facts import (
    CollectFact,
    LeftFact,
    SessionFact,
    SkipFact,
    TestFact,
    ThreadFact,
    TouchFact,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Event = Mapping[str, Any]

_RANK = {"not_run": 0, "passed": 1, "skipped": 2, "xfailed": 2, "xpassed": 2}
_WORST = 9


@dataclass(slots=True, kw_only=True)
class Reading:
    """What the event files of one audit have told so far."""

    session: SessionFact = field(default_factory=SessionFact)
    tests: dict[str, TestFact] = field(default_factory=dict)
    not_collected: list[CollectFact] = field(default_factory=list)
    threads: list[ThreadFact] = field(default_factory=list)
    only_here: tuple[str, ...] = ()
    """Modules that are found only since `python -m pytest` puts its folder on the path."""
    ended: set[str] = field(default_factory=set)
    """Tests whose last phase has been told."""


@dataclass(slots=True, kw_only=True)
class Progress:
    """How far one process got."""

    last: str = ""
    """The name of the last event."""
    addopts: tuple[str, ...] = ()
    running: str = ""
    """The test that had begun and not ended."""
    collecting: str = ""
    """The file or folder that was being read."""
    has_session: bool = False
    is_collected: bool = False
    n_begun: int = 0
    n_wanted: int = 0
    exit_code: int | None = None
    leaving_at: float | None = None
    exited_at: float | None = None
    internal_error: str = ""
    plugin: str = ""
    stopped: tuple[str, str] | None = None
    """What was being done, and the error with its line."""


def parse_events(lines: Iterable[str]) -> list[Event]:
    """Return the events of a file; what is no whole line of JSON is left out."""
    events: list[Event] = []
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and isinstance(event.get("event"), str):
            events.append(event)
    return events


def read_progress(events: Iterable[Event]) -> Progress:
    """Return how far a process got, from its events."""
    progress = Progress()
    for event in events:
        follow(progress, event)
    return progress


def follow(progress: Progress, event: Event) -> None:
    """Take one event into account."""
    name = progress.last = event["event"]
    match name:
        case "loading":
            progress.addopts = tuple(event["addopts"])
        case "session":
            progress.has_session = True
        case "collecting":
            progress.collecting = event["path"]
        case "collected":
            progress.is_collected, progress.n_wanted = True, event["count"]
        case "begin":
            progress.running = event["id"]
            progress.n_begun += 1
        case "phase" if event["when"] not in ("setup", "call"):
            progress.running = ""
        case _:
            _follow_end(progress, event)


def _follow_end(progress: Progress, event: Event) -> None:
    match event["event"]:
        case "finished":
            progress.exit_code = event["exit_code"]
        case "leaving":
            progress.leaving_at = event["at"]
        case "exited":
            progress.exited_at = event["at"]
        case "internal_error":
            progress.internal_error = _with_place(event["message"], event["where"])
            progress.plugin = event["plugin"]
        case "stopped":
            progress.stopped = (event["what"], _with_place(event["error"], event["where"]))


def _with_place(text: str, where: str) -> str:
    return f"{text} ({where})" if where else text


def read_events(reading: Reading, events: Iterable[Event]) -> None:
    """Add what a process told to what is known."""
    for event in events:
        match event["event"]:
            case "session":
                reading.session = _session_of(event)
            case "item":
                reading.tests.setdefault(event["id"], _test_of(event))
            case "collected":
                reading.only_here = tuple(event.get("only_here", ()))
            case "deselected":
                for nodeid in event["ids"]:
                    _set_outcome(reading, nodeid, "deselected")
            case "phase":
                _add_phase(reading, event)
            case "collect_error" | "module_skipped":
                _add_collect(reading, event)
            case "leaving":
                reading.threads = [_thread_of(entry) for entry in event["threads"]]


def _session_of(event: Event) -> SessionFact:
    return SessionFact(
        rootdir=event["rootdir"],
        inifile=event["inifile"],
        args=tuple(event["args"]),
        pytest=event["pytest"],
        settings={name: tuple(found) for name, found in event["settings"].items()},
        keyword=event["keyword"],
        marks=event["marks"],
        plugins=tuple(event["plugins"]),
        changed=tuple(event["changed"]),
    )


def _test_of(event: Event) -> TestFact:
    expected = event.get("xfail")
    return TestFact(
        nodeid=event["id"],
        path=event["path"],
        line=event["line"],
        written=event.get("written", ""),
        marks=tuple(event["marks"]),
        tier=event.get("tier", ""),
        skips=tuple(SkipFact(**skip) for skip in event.get("skips", ())),
        is_expected_to_fail=expected is not None,
        is_strict=bool(expected and expected["strict"]),
    )


def _thread_of(entry: Event) -> ThreadFact:
    return ThreadFact(name=entry["name"], is_daemon=entry["daemon"], where=entry["where"])


def _set_outcome(reading: Reading, nodeid: str, outcome: str) -> None:
    test = reading.tests.get(nodeid)
    if test is not None and test.outcome == "not_run":
        reading.tests[nodeid] = replace(test, outcome=outcome)


def _add_phase(reading: Reading, event: Event) -> None:
    nodeid = event["id"]
    test = reading.tests.get(nodeid) or TestFact(nodeid=nodeid, path=nodeid.partition("::")[0])
    touches = tuple(TouchFact(**touch) for touch in event.get("touches", ()))
    outcome, message = _outcome_of(event), event.get("message", "")
    if _RANK.get(outcome, _WORST) <= _RANK.get(test.outcome, _WORST):
        outcome, message = test.outcome, test.message or message
    reading.tests[nodeid] = replace(
        test,
        outcome=outcome,
        message=message,
        seconds=test.seconds + event["seconds"],
        touches=(*test.touches, *touches) if touches else test.touches,
        left=(*test.left, *(LeftFact(**left) for left in event.get("left", ()))),
    )
    if event["when"] not in ("setup", "call"):
        reading.ended.add(nodeid)


def _outcome_of(event: Event) -> str:
    outcome = event["outcome"]
    if event.get("expected"):
        return "xpassed" if outcome == "passed" else "xfailed"
    if outcome == "passed" and event["when"] != "call":
        return "not_run"  # a set-up that passed is no pass of its test
    if outcome == "failed" and event["when"] != "call":
        return "error"
    return str(outcome)


def _add_collect(reading: Reading, event: Event) -> None:
    fact = CollectFact(
        path=event["id"], message=event["message"], is_error=event["event"] == "collect_error"
    )
    if fact not in reading.not_collected:
        reading.not_collected.append(fact)
