from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest
from machine_facts import CORPUS, entry, evaluation, every_outcome, expectation, facts, hostile

from tierwise.domain import Outcome
from tierwise.report.machine.junit import EXPECTATIONS, split_id, write_junit
from tierwise.report.machine.text import xml_text


def read(text: str) -> Element:
    return fromstring(text)  # noqa: S314  made a line before


def properties_of(case: Element) -> list[tuple[str, str]]:
    return [(one.attrib["name"], one.attrib["value"]) for one in case.iter("property")]


def test_each_outcome_has_its_element() -> None:
    """Only a pass has none; what was not run or not seen is skipped, as under pytest."""
    cases = read(write_junit(every_outcome())).findall("testsuite[@name='unit']/testcase")
    found = {case.attrib["name"]: [part.tag for part in case][1:] for case in cases}
    assert found == {
        "test_passed": [],
        "test_failed": ["failure"],
        "test_error": ["error"],
        "test_unobservable": ["skipped"],
        "test_not_run": ["skipped"],
        "test_calls": ["failure"],
    }
    unseen = next(case for case in cases if case.attrib["name"] == "test_unobservable")
    assert unseen[1].attrib == {"type": "unobservable", "message": "why unobservable"}


def test_each_verdict_has_its_element() -> None:
    """Undecided and not judged are errors: could-not-tell is never fine."""
    cases = read(write_junit(every_outcome())).findall(
        f"testsuite[@name='{EXPECTATIONS}']/testcase"
    )
    found = {case.attrib["name"]: [part.tag for part in case][1:] for case in cases}
    assert found == {
        "never leak [by-proven]": [],
        "never leak [by-refuted]": ["failure"],
        "never leak [by-undecided]": ["error"],
        "[by-nobody]": ["error"],
    }


def test_the_counts_are_those_of_the_cases() -> None:
    """Each suite and the whole count what is in them."""
    root = read(write_junit(every_outcome()))
    for element in (root, *root):
        cases = list(element.iter("testcase"))
        assert element.attrib["tests"] == str(len(cases))
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert element.attrib[name] == str(sum(case.find(tag) is not None for case in cases))
    assert (root.attrib["failures"], root.attrib["errors"], root.attrib["skipped"]) == (
        "3",
        "3",
        "2",
    )
    assert root[0].attrib["time"] == "1.500"


def test_a_test_says_tier_level_outcome_and_violations() -> None:
    """The properties are our words for what JUnit has no element for."""
    cases = read(write_junit(every_outcome())).findall("testsuite[@name='unit']/testcase")
    assert properties_of(cases[-1]) == [
        ("tier", "unit"),
        ("level", "unit"),
        ("outcome", "failed"),
        ("violations", "1"),
        ("violation", "network: 203.0.113.7:443"),
    ]
    assert cases[-1].attrib["file"] == "tests/unit/test_a.py"


def test_an_expectation_says_what_its_verdict_rests_on() -> None:
    """Verdict, n scored of n planned, estimate and interval."""
    made = facts(evals=(evaluation(expectation(verdict="refuted")),))
    (case,) = read(write_junit(made)).iter("testcase")
    assert properties_of(case) == [
        ("tier", "evals"),
        ("provider", "openai:gpt-5"),
        ("model", "gpt-5"),
        ("verdict", "refuted"),
        ("metric", "leak"),
        ("n_scored", "12"),
        ("n_planned", "15"),
        ("estimate", "0"),
        ("interval", "0..0.24249"),
    ]
    assert case[1].attrib["message"] == (
        "refuted: 12 scored of 15 planned, rate 0 (0 to 0.242, 95% interval); below the limit"
    )


def test_a_number_that_is_not_known_is_left_out() -> None:
    """No property says None."""
    made = facts(evals=(evaluation(expectation(estimate=None, interval=None), tier="", model=""),))
    (case,) = read(write_junit(made)).iter("testcase")
    assert [name for name, _ in properties_of(case)] == [
        "provider",
        "verdict",
        "metric",
        "n_scored",
        "n_planned",
    ]


def test_what_no_tier_claims_has_a_suite_of_its_own() -> None:
    """And no tier or level among its properties."""
    root = read(write_junit(facts(entry(tier="", level=""))))
    assert root[0].attrib["name"] == "unplaced"
    assert properties_of(root[0][0]) == [("outcome", "passed"), ("violations", "0")]


@pytest.mark.parametrize(
    ("nodeid", "expected"),
    [
        ("tests/unit/test_a.py::test_it", ("tests.unit.test_a", "test_it")),
        ("tests/test_a.py::TestA::TestB::test_it", ("tests.test_a.TestA.TestB", "test_it")),
        ("tests/test_a.py::test_it[a/b::c.py]", ("tests.test_a", "test_it[a/b::c.py]")),
        ("README.md", ("", "README.md")),
        ("a.py[x", ("", "a[x")),
        ("", ("", "")),
    ],
)
def test_names_are_split_as_pytest_splits_them(nodeid: str, expected: tuple[str, str]) -> None:
    """Old and new reports of one test fall together in whatever reads them."""
    assert split_id(nodeid) == expected


def test_hostile_text_stays_text() -> None:
    """The file is XML whatever is in it, holds all of it, and begins no element by it."""
    root = read(write_junit(hostile()))
    assert {element.tag for element in root.iter()} == {
        "testsuites",
        "testsuite",
        "testcase",
        "properties",
        "property",
        "failure",
    }
    told = [one.attrib["message"] for one in root.iter("failure")]
    assert told[: len(CORPUS)] == [xml_text(text) for text in CORPUS]


def test_a_pass_keeps_no_message() -> None:
    """A note of a test that passed is no failure of it."""
    (case,) = read(write_junit(facts(entry(outcome=Outcome.PASSED, message="note")))).iter(
        "testcase"
    )
    assert [part.tag for part in case] == ["properties"]
