"""Findings about what tests did when they ran: touches, failures, skips, the end of sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.audit.findings import Finding
from tierwise.audit.levels import say_touch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tierwise.audit.facts import RunFacts, TestFact, ThreadFact
    from tierwise.audit.findings import TestView
    from tierwise.sandbox.exit_report import Wait

_ENDS = {
    "killed": "it killed the process",
    "exited": "it ended the process",
    "hung": "it hung",
    "internal_error": "it broke pytest",
    "plugin": "with it, pytest does not start",
    "stopped": "it stopped the session",
    "usage": "pytest did not start",
    "crashed_at_exit": "the process crashed at its end",
}
_BAD = ("failed", "error")
_LONG_EXIT = 2.0


def find_ends(run: RunFacts) -> Iterator[Finding]:
    """Yield what ended a session before its time, and what could not be collected."""
    for end in run.ends:
        if end.kind in _ENDS:
            text = f"{_ENDS[end.kind]}: {end.detail}"
            yield Finding(kind="ended_session", subject=end.subject, text=text)
    for fact in run.not_collected:
        kind = "collection_error" if fact.is_error else "skipped_here"
        yield Finding(kind=kind, subject=fact.path, text=fact.message)


def find_exit_hang(run: RunFacts) -> Iterator[Finding]:
    """Yield what kept the process alive when pytest had nothing left to do."""
    hung = [end for end in run.ends if end.kind == "hung_at_exit"]
    if not hung and run.exit_seconds < _LONG_EXIT:
        return
    text = hung[0].detail if hung else f"the process went on for {run.exit_seconds:.1f} s"
    for wait in run.waits:
        yield Finding(
            kind="exit_hang",
            subject=f"{wait.kind} {wait.name}",
            text=f"{text}, waiting for it{_say_starter(wait)}",
            where=wait.place or wait.started_at,
            tests=(wait.test,) if wait.test else (),
        )
    if run.waits:
        return
    alive = [thread for thread in run.threads if not thread.is_daemon]
    if not alive:
        text += "; no thread was alive, so that something registered with atexit waits"
        yield Finding(kind="exit_hang", subject="the end of the process", text=text)
    for thread in alive:
        yield Finding(
            kind="exit_hang", subject=f"thread {thread.name}", text=text, where=_stands(thread)
        )


def _say_starter(wait: Wait) -> str:
    said = f"; it runs {wait.owner}" if wait.owner else ""
    if wait.started_by or wait.test:
        said += f"; started by {wait.started_by or 'unknown code'}"
        said += f" in {wait.test}" if wait.test else ""
    return said


def _stands(thread: ThreadFact) -> str:
    return thread.where or "where it stands could not be told"


def find_network(views: Sequence[TestView]) -> Iterator[Finding]:
    """Yield each host with the tests that reach it, and how these ended."""
    by_host: dict[str, dict[str, TestView]] = {}
    lines: dict[str, str] = {}
    for view in views:
        for touch in view.touches:
            if touch.capability in ("network", "model"):
                host = touch.target
                by_host.setdefault(host, {})[view.nodeid] = view
                lines.setdefault(host, touch.line)
    for host, found in merge_hosts(by_host):
        tests = tuple(found)
        n_bad = sum(view.outcome in _BAD for view in found.values())
        text = f"{count(len(tests), 'test')} {'reaches' if len(tests) == 1 else 'reach'} it"
        if n_bad == len(tests):
            text += ", and fail" if n_bad > 1 else ", and fails"
        elif n_bad:
            text += f", {n_bad} of them fail"
        else:
            text += "; the result does not show it"
        yield Finding(kind="network", subject=host, text=text, where=lines[host], tests=tests)


def merge_hosts(
    by_host: dict[str, dict[str, TestView]],
) -> list[tuple[str, dict[str, TestView]]]:
    """Return the hosts, a name that was only looked up merged with the one it was used by."""
    merged = dict(by_host)
    for host in by_host:
        longer = next((one for one in by_host if one.startswith(f"{host}:")), None)
        if longer is not None and longer in merged:
            merged[longer] = {**merged.pop(host), **merged[longer]}
    return sorted(merged.items(), key=lambda pair: (-len(pair[1]), pair[0]))


def find_failing(views: Sequence[TestView]) -> Iterator[Finding]:
    """Yield what tests fail with, those of one message together."""
    groups: dict[str, list[str]] = {}
    for view in views:
        if view.outcome in (*_BAD, "xpassed_strict"):
            groups.setdefault(view.message, []).append(view.nodeid)
    for message, tests in sorted(groups.items(), key=lambda pair: -len(pair[1])):
        subject = tests[0] if len(tests) == 1 else count(len(tests), "test")
        yield Finding(kind="failing", subject=subject, text=message, tests=tuple(tests))


def find_beyond_level(views: Sequence[TestView]) -> Iterator[Finding]:
    """Yield what tests of each level touch that the level does not usually need."""
    groups: dict[tuple[str, str], dict[str, str]] = {}
    for view in views:
        for touch in view.beyond:
            if touch.capability not in ("network", "model"):
                found = groups.setdefault((view.level, touch.capability), {})
                found.setdefault(view.nodeid, f"{touch.target} ({touch.line})")
    for (level, capability), tests in sorted(groups.items()):
        first = next(iter(tests.values()))
        yield Finding(
            kind="beyond_level",
            subject=f"{level}: {capability}",
            text=f"{count(len(tests), 'test')} of level {level}: each {say_touch(capability)}",
            where=f"such as {first}",
            tests=tuple(tests),
        )


def find_skips(tests: Iterable[TestFact]) -> Iterator[Finding]:
    """Yield the tests that are skipped: always, or here; and skips that say no reason."""
    here: dict[str, list[TestFact]] = {}
    for test in tests:
        always = next((skip for skip in test.skips if skip.always), None)
        where = test.place
        said = (always.reason if always else test.message).removeprefix("Skipped: ").strip()
        if always is not None:
            text = said or "no reason is given"
            yield Finding(kind="always_skipped", subject=test.nodeid, text=text, where=where)
        elif test.outcome == "skipped":
            here.setdefault(said or "no reason is given", []).append(test)
        if (always is not None or test.outcome == "skipped") and (
            not said or said == "unconditional skip"
        ):
            text = "a skip without a reason tells nobody when it may end"
            yield Finding(kind="skip_without_reason", subject=test.nodeid, text=text, where=where)
    for reason, skipped in sorted(here.items(), key=lambda pair: -len(pair[1])):
        names = tuple(test.nodeid for test in skipped)
        subject = names[0] if len(names) == 1 else count(len(names), "test")
        where = skipped[0].place
        yield Finding(kind="skipped_here", subject=subject, text=reason, where=where, tests=names)


def find_left_out(run: RunFacts) -> Iterator[Finding]:
    """Yield the tests that pytest itself leaves out, by options of the project."""
    names = tuple(test.nodeid for test in run.tests if test.outcome == "deselected")
    if not names:
        return
    options = [f"-m {run.session.marks!r}" if run.session.marks else ""]
    options.append(f"-k {run.session.keyword!r}" if run.session.keyword else "")
    said = " ".join(filter(None, options)) or "a plugin or a conftest"
    text = f"{count(len(names), 'test')} left out by {said}"
    yield Finding(kind="left_out", subject=said, text=text, tests=names)


def find_lenient(tests: Iterable[TestFact]) -> Iterator[Finding]:
    """Yield expected failures that are not strict: when they pass, nobody hears of it."""
    for test in tests:
        if test.is_expected_to_fail and not test.is_strict:
            passes = test.outcome == "xpassed"
            text = "it passes now, unnoticed" if passes else "its passing would go unnoticed"
            yield Finding(
                kind="xfail_not_strict",
                subject=test.nodeid,
                text=text,
                where=test.place,
            )


def that(tests: int, one: str, more: str) -> str:
    """Return `1 test that fails`, `2 tests that fail`."""
    return f"{count(tests, 'test')} that {one if tests == 1 else more}"


def count(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
