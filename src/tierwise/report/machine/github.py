"""Workflow commands of GitHub Actions: findings beside the lines that they are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tierwise.domain import Outcome, Verdict
from tierwise.report.machine.findings import list_findings
from tierwise.report.machine.places import Place, place_of_id, place_of_test
from tierwise.report.machine.text import one_line, xml_text
from tierwise.report.machine.wording import say_expectation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tierwise.report.machine.values import EvalEntry, Facts, TestEntry

MOST_SHOWN = 10
"""GitHub shows ten errors and ten warnings of a step and drops the rest."""
_WRONG = (Outcome.FAILED, Outcome.ERROR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One annotation."""

    command: Literal["error", "warning"]
    title: str
    text: str
    place: Place | None


def write_annotations(facts: Facts) -> str:
    """Return a line for each finding, failure and doubt: errors first, ten of each at most."""
    notices = [*notices_of_tests(facts), *(one for each in facts.evals for one in _of_eval(each))]
    errors = [one for one in notices if one.command == "error"]
    warnings = [one for one in notices if one.command == "warning"]
    lines = [*_shown(errors, facts.origin.folder), *_shown(warnings, facts.origin.folder)]
    return "".join(f"{line}\n" for line in lines)


def notices_of_tests(facts: Facts) -> Iterator[Notice]:
    """Yield what speaks against the tests, a violation before the failure that it led to."""
    for finding in list_findings(facts):
        title = f"{finding.slug.upper()} forbidden touch"
        yield Notice(command="error", title=title, text=finding.text, place=finding.place)
    for test in facts.tests:
        if test.outcome in _WRONG and not test.violations:
            yield _of_test(test, "error")
        elif test.outcome is Outcome.UNOBSERVABLE:
            yield _of_test(test, "warning")


def _of_test(test: TestEntry, command: Literal["error", "warning"]) -> Notice:
    text = f"{test.nodeid}: {test.message or 'no reason given'}"
    return Notice(
        command=command, title=f"test {test.outcome}", text=text, place=place_of_test(test)
    )


def _of_eval(one: EvalEntry) -> Iterator[Notice]:
    place = place_of_id(one.eval_id)
    if not one.expectations:
        text = f"{one.eval_id} [{one.provider}]: planned and not judged"
        yield Notice(command="warning", title="eval not judged", text=text, place=place)
    for entry in one.expectations:
        if entry.verdict != Verdict.PROVEN:
            text = f"{one.eval_id} [{one.provider}], {entry.expectation}: {say_expectation(entry)}"
            yield Notice(
                command="error" if entry.verdict == Verdict.REFUTED else "warning",
                title=f"eval {entry.verdict}",
                text=text,
                place=place,
            )


def _shown(notices: Sequence[Notice], folder: str) -> Iterable[str]:
    if len(notices) <= MOST_SHOWN:
        return [write_command(one, folder) for one in notices]
    left = notices[MOST_SHOWN - 1 :]
    more = Notice(
        command=left[0].command,
        title="tierwise",
        text=f"{len(left):,} more of this kind: see the job summary.",
        place=None,
    )
    return [write_command(one, folder) for one in (*notices[: MOST_SHOWN - 1], more)]


def write_command(notice: Notice, folder: str = "") -> str:
    """Return one workflow command; nothing in its texts can end it or begin another."""
    properties = {"title": one_line(notice.title)}
    if notice.place is not None:
        properties["file"] = one_line(notice.place.within(folder))
        if notice.place.line is not None:
            properties["line"] = str(notice.place.line)
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{notice.command} {given}::{_data(xml_text(notice.text))}"


def tame(text: str) -> str:
    """Return a text for the log of a job, without the older commands that a line may hold."""
    return text.replace("##[", "## [").replace("##vso[", "## vso[")


def _data(text: str) -> str:
    return tame(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
