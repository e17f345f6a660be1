"""The report as JUnit XML: a suite for each tier, and one for what evals are expected to show."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from tierwise.domain import Outcome, Verdict
from tierwise.report.machine.gathering import NOT_JUDGED
from tierwise.report.machine.places import place_of_test
from tierwise.report.machine.text import xml_text
from tierwise.report.machine.wording import say_expectation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.report.machine.values import EvalEntry, Facts, TestEntry

_PARAMETERS = re.compile(r"\[.*", re.DOTALL)
_TAGS: Mapping[str, str] = {
    Outcome.FAILED: "failure",
    Outcome.ERROR: "error",
    Outcome.UNOBSERVABLE: "skipped",
    Outcome.NOT_RUN: "skipped",
    Verdict.REFUTED: "failure",
    Verdict.UNDECIDED: "error",
    NOT_JUDGED: "error",
}
"""What is no pass: could-not-tell of an eval is an error, as it is under pytest."""
UNPLACED = "unplaced"
EXPECTATIONS = "expectations of evals"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One `testcase`."""

    classname: str
    name: str
    state: str
    message: str
    duration_s: float = 0.0
    file: str = ""
    properties: tuple[tuple[str, str], ...] = field(default=())


def write_junit(facts: Facts) -> str:
    """Return the facts as one XML document."""
    suites = {name: [_case_of(test) for test in tests] for name, tests in _by_tier(facts).items()}
    if facts.evals:
        suites[EXPECTATIONS] = [case for one in facts.evals for case in _cases_of(one)]
    root = Element("testsuites", {"name": "tierwise"})
    for name, cases in suites.items():
        _add_suite(root, name, cases)
    _count(root, [case for cases in suites.values() for case in cases])
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _by_tier(facts: Facts) -> dict[str, list[TestEntry]]:
    found: dict[str, list[TestEntry]] = {}
    for test in facts.tests:
        found.setdefault(test.tier or UNPLACED, []).append(test)
    return found


def _add_suite(root: Element, name: str, cases: list[Case]) -> None:
    suite = SubElement(root, "testsuite", {"name": xml_text(name)})
    _count(suite, cases)
    for case in cases:
        _add_case(suite, case)


def _count(element: Element, cases: list[Case]) -> None:
    tags = [_TAGS.get(case.state) for case in cases]
    element.set("tests", str(len(cases)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(tags.count(tag)))
    element.set("time", f"{sum(case.duration_s for case in cases):.3f}")


def _add_case(suite: Element, case: Case) -> None:
    attributes = {"classname": case.classname, "name": case.name, "file": case.file}
    given = {name: xml_text(value) for name, value in attributes.items() if value}
    element = SubElement(suite, "testcase", {**given, "time": f"{case.duration_s:.3f}"})
    _add_properties(element, case.properties)
    tag = _TAGS.get(case.state)
    if tag is not None:
        SubElement(element, tag, {"type": case.state, "message": xml_text(case.message)})


def _add_properties(element: Element, properties: Iterable[tuple[str, str]]) -> None:
    kept = SubElement(element, "properties")
    for name, value in properties:
        SubElement(kept, "property", {"name": xml_text(name), "value": xml_text(value)})


def _case_of(test: TestEntry) -> Case:
    classname, name = split_id(test.nodeid)
    place = place_of_test(test)
    return Case(
        classname=classname,
        name=name,
        state=test.outcome,
        message=test.message,
        duration_s=test.duration_s,
        file=place.path if place else "",
        properties=(
            *(
                (name, value)
                for name, value in (("tier", test.tier), ("level", test.level))
                if value
            ),
            ("outcome", str(test.outcome)),
            ("violations", str(len(test.violations))),
            *(("violation", f"{one.capability}: {one.target}") for one in test.violations),
        ),
    )


def _cases_of(one: EvalEntry) -> Iterable[Case]:
    known = (("tier", one.tier), ("provider", one.provider), ("model", one.model))
    properties = tuple((name, value) for name, value in known if value)
    if not one.expectations:
        yield Case(
            classname=one.eval_id,
            name=f"[{one.provider}]",
            state=NOT_JUDGED,
            message=f"planned with {one.n_planned} trials and not judged",
            properties=(*properties, ("verdict", NOT_JUDGED)),
        )
    for entry in one.expectations:
        interval = entry.interval and f"{entry.interval[0]:.6g}..{entry.interval[1]:.6g}"
        numbers = (
            ("verdict", entry.verdict),
            ("metric", entry.metric),
            ("n_scored", str(entry.n_scored)),
            ("n_planned", str(entry.n_planned)),
            ("estimate", "" if entry.estimate is None else f"{entry.estimate:.6g}"),
            ("interval", interval or ""),
        )
        yield Case(
            classname=one.eval_id,
            name=f"{entry.expectation} [{one.provider}]",
            state=entry.verdict,
            message=say_expectation(entry),
            properties=(*properties, *((name, value) for name, value in numbers if value)),
        )


def split_id(nodeid: str) -> tuple[str, str]:
    """Return a node id as class name and name, as pytest writes them in its own JUnit file."""
    plain = _PARAMETERS.match(nodeid, nodeid.find("[")) if "[" in nodeid else None
    bare = nodeid[: plain.start()] if plain else nodeid
    path, *names = bare.split("::")
    module = path.removesuffix(".py").replace("/", ".")
    parameters = plain[0] if plain else ""
    if not names:
        return "", module + parameters
    return ".".join([module, *names[:-1]]), names[-1] + parameters
