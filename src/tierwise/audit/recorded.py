"""Results of a run that is in the store, put to the tests that were collected now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tierwise.audit.facts import TestFact, TouchFact
from tierwise.domain import Outcome
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.audit.facts import RunFacts
    from tierwise.records import RunStore
    from tierwise.records.rows import RecordedTest


def add_recorded(collected: RunFacts, store: RunStore, name: str) -> RunFacts:
    """Return the facts with the results of one run; MisuseError when there is no such run."""
    run_id = _find_run(store, name)
    rows = store.report.tests_of_run(run_id)
    if not rows:
        raise MisuseError(f"--from-run: the run {run_id} holds no results of tests.")
    return merge(collected, rows)


def _find_run(store: RunStore, name: str) -> str:
    if name == "last":
        last = store.report.last_run_of("tests")
        if last is None:
            raise MisuseError("--from-run last: no run of tests is recorded yet. Run pytest once.")
        return last.run_id
    found = [run.run_id for run in store.runs() if run.run_id.startswith(name)]
    if len(found) == 1 or name in found:
        return name if name in found else found[0]
    said = f"{len(found)} runs begin with it" if found else "there is none"
    raise MisuseError(f"--from-run {name!r}: {said}. Give the whole id, or `last`.")


def merge(collected: RunFacts, rows: Sequence[RecordedTest]) -> RunFacts:
    """Return the collected tests with their recorded results."""
    by_name = {row.row.nodeid: row for row in rows}
    run = rows[0].run
    tests = tuple(
        _with_result(test, by_name[test.nodeid]) if test.nodeid in by_name else test
        for test in collected.tests
    )
    n_without = sum(test.nodeid not in by_name for test in collected.tests)
    note = f"results are those of the run {run.run_id}, which began at {run.started_at}"
    if n_without:
        note += f"; {n_without:,} collected tests have none in it"
    return replace(
        collected,
        tests=tests,
        notes=(
            *collected.notes,
            note,
            "what a tier allowed was not recorded: touches are those beyond it",
        ),
        wall_seconds=sum(row.row.duration_s for row in rows),
        is_run=True,
        is_recorded=True,
    )


def _with_result(test: TestFact, recorded: RecordedTest) -> TestFact:
    row = recorded.row
    return replace(
        test,
        outcome=_say_outcome(row.outcome, is_expected=test.is_expected_to_fail),
        seconds=row.duration_s,
        message=row.message,
        touches=tuple(
            TouchFact(
                capability=str(violation.capability),
                target=violation.target,
                subject=violation.subject,
                line=violation.stack[-1] if violation.stack else "",
            )
            for violation in row.violations
        ),
    )


def _say_outcome(outcome: Outcome, *, is_expected: bool) -> str:
    if outcome is Outcome.NOT_RUN:
        return "xfailed" if is_expected else "skipped"
    return "error" if outcome is Outcome.UNOBSERVABLE else str(outcome)
