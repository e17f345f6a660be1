"""What `tierwise bisect` shows."""

from __future__ import annotations

import shlex
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from tierwise.errors import ExitCode
from tierwise.pollution.findings import Dependence, Proof, Stop, Way
from tierwise.pollution.wording import say_ending, say_tests

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tierwise.pollution.endings import Ended
    from tierwise.pollution.findings import Finding, Leak
    from tierwise.pytest_plugin.pollution_bisect import BisectResult

_CODES = {
    Dependence.POLLUTED: ExitCode.FAILED,
    Dependence.BRITTLE: ExitCode.FAILED,
    Dependence.BROKEN: ExitCode.FAILED,
    Dependence.INDEPENDENT: ExitCode.OK,
    Dependence.UNDECIDED: ExitCode.UNDECIDED,
}
_STOPS = {Stop.INTERRUPTED: ExitCode.INTERRUPTED, Stop.BUDGET: ExitCode.STOPPED_BY_BUDGET}
_MOST_LEAKS = 10


def exit_code_of(result: BisectResult) -> ExitCode:
    """Return how the command ends."""
    stopped = result.finding.stopped
    return _STOPS[stopped] if stopped is not None else _CODES[result.finding.dependence]


def as_data(result: BisectResult, code: ExitCode) -> Mapping[str, object]:
    """Return the result as plain data."""
    return {**finding_as_data(result.finding), "notes": result.notes, "exit_code": int(code)}


def finding_as_data(finding: Finding) -> Mapping[str, object]:
    """Return one test's finding as plain data."""
    return {
        "test": finding.test,
        "dependence": finding.dependence,
        "reason": finding.reason,
        "culprits": finding.culprits,
        "way": finding.way,
        "alone": _ended_as_data(finding.alone),
        "together": _ended_as_data(finding.together),
        "leaks": [_leak_as_data(leak) for leak in finding.leaks],
        "orders": finding.orders,
        "candidates": finding.candidates,
        "left_out": finding.left_out,
        "stopped": finding.stopped,
        "runs": finding.effort.runs,
        "tests_run": finding.effort.tests,
        "seconds": round(finding.effort.seconds, 3),
    }


def _ended_as_data(ended: Ended | None) -> Mapping[str, object] | None:
    return None if ended is None else {"ending": ended.ending, "message": ended.message}


def _leak_as_data(leak: Leak) -> Mapping[str, object]:
    return {
        "owner": leak.owner,
        "watcher": leak.watcher,
        "before": leak.before,
        "after": leak.after,
        "proof": leak.proof,
    }


def print_result(result: BisectResult) -> None:
    """Print it for a person."""
    for line in describe(result):
        click.echo(line)


def describe(result: BisectResult) -> Iterator[str]:
    """Return the lines that a person reads."""
    finding = result.finding
    yield f"{finding.test}: {finding.dependence}"
    yield f"  {finding.reason}"
    for ended in (finding.alone, finding.together):
        if ended is not None and ended.message and ended.message not in finding.reason:
            yield f"  it {say_ending(ended)} with: {ended.message}"
    yield from _describe_leaks(finding)
    if finding.culprits:
        yield f"  see it: {_command(result)}"
    if finding.left_out:
        yield f"  left out, as they crash or hang: {', '.join(finding.left_out)}"
    for note in result.notes:
        yield f"  note: {note}"
    effort = finding.effort
    runs = f"{effort.runs:,} run{'' if effort.runs == 1 else 's'}"
    yield f"  {runs} of {say_tests(effort.tests)} altogether, {effort.seconds:.1f} s"


def _describe_leaks(finding: Finding) -> Iterator[str]:
    for leak in finding.leaks[:_MOST_LEAKS]:
        is_proven = leak.proof is Proof.CONFIRMED
        yield f"  {'left changed' if is_proven else 'suspected'}: {leak.owner}"
        yield f"    {leak.before} -> {leak.after}"
    if len(finding.leaks) > _MOST_LEAKS:
        yield f"  and {len(finding.leaks) - _MOST_LEAKS} more changes"
    if any(leak.proof is Proof.CONFIRMED for leak in finding.leaks) and finding.alone:
        alone = say_ending(finding.alone)
        yield f"  confirmed: with that change taken back, it {alone} behind them too"


def _command(result: BisectResult) -> str:
    options = ["--tierwise-mode", "off"] if result.is_random else []
    if find_spec("pytest_randomly") is not None:
        options += ["-p", "no:randomly"]
    if result.finding.way is Way.IMPORTING:
        # Files named before the test are imported before it, and none of their tests is chosen.
        chosen = result.finding.test.partition("[")[0].rpartition("::")[2]
        options += ["-k", chosen]
    # As the search has run it: a bare pytest may not find what lies in the project's folder.
    return shlex.join(
        ["python", "-m", "pytest", *options, *result.finding.culprits, result.finding.test]
    )
