"""The report as Markdown for the summary page of a job."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tierwise.domain import Outcome, Verdict
from tierwise.report.machine.findings import list_findings
from tierwise.report.machine.markdown import code, words
from tierwise.report.machine.wording import count, say_coverage, say_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tierwise.report.machine.values import EvalEntry, Facts

_MOST_ROWS = 30
_NAMES = {outcome: str(outcome).replace("_", " ") for outcome in Outcome}


def write_job_summary(facts: Facts) -> str:
    """Return what the build proves, level by level, and all that speaks against it."""
    lines = [
        f"### tierwise: {say_coverage(facts.levels)}",
        "",
        say_counts(facts),
        "",
        "| level | status | tests | why |",
        "| --- | --- | ---: | --- |",
        *(
            f"| {row.level} | {row.status} | {row.n_tests or ''} | {words(row.reason)} |"
            for row in facts.levels
        ),
        *_section("Violations", [code(one.claim) for one in list_findings(facts)]),
        *_section("Tests that did not pass", list(_troubles(facts))),
        *_section("Evals", [line for one in facts.evals for line in _eval_lines(one)]),
    ]
    return "\n".join(lines) + "\n"


def say_counts(facts: Facts) -> str:
    """Return the outcomes of the tests, the violations and the verdicts in one sentence."""
    outcomes = Counter(test.outcome for test in facts.tests)
    told = ", ".join(f"{outcomes[one]:,} {name}" for one, name in _NAMES.items() if outcomes[one])
    verdicts = [entry.verdict for one in facts.evals for entry in one.expectations]
    whose = f"Run {code(facts.origin.run_id)}" if facts.origin.run_id else "Latest results"
    parts = [
        f"{whose}: {count(len(facts.tests), 'test')}{f' ({told})' if told else ''}",
        count(sum(len(test.violations) for test in facts.tests), "violation"),
    ]
    if facts.evals:
        proven = verdicts.count(Verdict.PROVEN)
        parts.append(f"{proven:,} of {count(len(verdicts), 'expectation')} of evals proven")
    return f"{', '.join(parts)}."


def _section(title: str, entries: Sequence[str]) -> Iterator[str]:
    if not entries:
        return
    yield from ("", f"#### {title} ({len(entries):,})", "")
    yield from (f"- {entry}" for entry in entries[:_MOST_ROWS])
    if len(entries) > _MOST_ROWS:
        yield f"- and {len(entries) - _MOST_ROWS:,} more: `tierwise report` shows all."


def _troubles(facts: Facts) -> Iterator[str]:
    worst_first = (Outcome.FAILED, Outcome.ERROR, Outcome.UNOBSERVABLE)
    for outcome in worst_first:
        for test in facts.tests:
            if test.outcome is outcome:
                why = f": {code(test.message)}" if test.message.strip() else ""
                yield f"**{_NAMES[outcome]}** {code(test.nodeid)}{why}"


def _eval_lines(one: EvalEntry) -> Iterator[str]:
    name = f"{code(one.eval_id)} by {code(one.provider)}"
    if not one.expectations:
        yield f"**{one.verdict}** {name}: {count(one.n_planned, 'trial')} planned"
    for entry in one.expectations:
        said = f"{code(entry.expectation)}: {code(say_numbers(entry))}"
        yield f"**{entry.verdict}** {name}, {said}"
