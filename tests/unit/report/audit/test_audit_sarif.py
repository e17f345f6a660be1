from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from machine_facts import CORPUS
from sarif_subset import SCHEMA

from tierwise.audit.facts import RunFacts, SessionFact
from tierwise.audit.findings import KINDS, Audit, Finding, TestView
from tierwise.report.audit.sarif import category_of, write_sarif

TEST = "tests/unit/test_cart.py::test_a"
RUN = RunFacts(session=SessionFact(rootdir="/home/x/shop"), is_complete=True)


def found(kind: str = "always_skipped", **more: Any) -> Finding:
    return Finding(**{"kind": kind, "subject": TEST, "text": "why", **more})


def audited(*findings: Finding, run: RunFacts = RUN, **more: Any) -> Audit:
    view = TestView(
        nodeid=TEST,
        path="tests/unit/test_cart.py",
        line=7,
        level="unit",
        reason="",
        outcome="passed",
        seconds=0,
    )
    return Audit(project="shop", run=run, tests=(view,), findings=findings, **more)


def run_of(audit: Audit, **more: Any) -> Any:
    text = write_sarif(audit, version="1.2.3", **{"folder": "", **more})
    assert text.isascii()
    log = json.loads(text)
    jsonschema.validate(log, SCHEMA)
    return log["runs"][0]


def physical(finding: Finding, run: RunFacts = RUN, folder: str = "") -> Any:
    (result,) = run_of(audited(finding, run=run), folder=folder)["results"]
    place = result["locations"][0].get("physicalLocation")
    if place is None:
        return None
    return place["artifactLocation"]["uri"], place.get("region", {}).get("startLine")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_a_rule_that_says_what_to_do(kind: str) -> None:
    """A kind without a rule, or a rule without a next step, is seen here."""
    run = run_of(audited(found(kind)))
    (result,) = run["results"]
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert rule["id"] == result["ruleId"] == f"audit/{kind.replace('_', '-')}"
    assert rule["shortDescription"]["text"] == KINDS[kind]
    assert "Next step: " in rule["help"]["text"]
    assert result["level"] == rule["defaultConfiguration"]["level"]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("tests/unit/test_cart.py:9", ("tests/unit/test_cart.py", 9)),
        ("src/a b.py:3 in send", ("src/a%20b.py", 3)),
        ("such as x.db (src/wire.py:4 in <module>)", ("src/wire.py", 4)),
        ("/home/x/shop/src/wire.py:4", ("src/wire.py", 4)),
        ("", ("tests/unit/test_cart.py", 7)),
        ("/usr/lib/x.py:3 in f", ("tests/unit/test_cart.py", 7)),
        ("../up.py:3", ("tests/unit/test_cart.py", 7)),
        ("C:\\shop\\x.py:3", ("tests/unit/test_cart.py", 7)),
        ("os.environ['X']", ("tests/unit/test_cart.py", 7)),
    ],
)
def test_a_finding_is_shown_at_its_line(where: str, expected: tuple[str, int]) -> None:
    """Where it says it is, when that lies in the project, or else at its test."""
    assert physical(found(where=where)) == expected


def test_what_is_about_a_file_is_shown_at_the_file() -> None:
    """Also where CI names a folder, and what is about the whole suite."""
    assert physical(found("empty_test_file", subject="tests/x.py")) == ("tests/x.py", None)
    ci = found("missing_folder", subject="tests/gone", where=".github/workflows/ci.yml, job a")
    assert physical(ci) == (".github/workflows/ci.yml", None)
    many = found("failing", subject="2 tests", tests=(TEST, "b.py::y"))
    assert physical(many) == ("tests/unit/test_cart.py", 7)
    whole = found("left_out", subject="-m 'not slow'")
    assert physical(whole) is None
    session = replace(RUN.session, inifile="/home/x/shop/pyproject.toml")
    assert physical(whole, replace(RUN, session=session)) == ("pyproject.toml", None)
    assert physical(found(where="a.py:2"), folder="apps/shop") == ("apps/shop/a.py", 2)


def prints(*findings: Finding) -> list[str]:
    results = run_of(audited(*findings))["results"]
    return [result["partialFingerprints"]["tierwiseAudit/v1"] for result in results]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (found(where="a.py:2"), found(where="a.py:90")),
        (found("network", subject="h:1", text="1 test"), found("network", subject="h:1")),
        (
            found("failing", subject="2 tests", text="took 3 s"),
            found("failing", subject="5 tests", text="took 4 s"),
        ),
        (found("exit_hang", subject="thread T-1"), found("exit_hang", subject="thread T-2")),
    ],
)
def test_the_same_fault_is_known_again(one: Finding, two: Finding) -> None:
    """Lines move, and a group of tests grows: the fingerprint stays."""
    assert prints(one) == prints(two)


def test_other_faults_are_told_apart() -> None:
    """By kind, subject and, of what is grouped by it, the text; the same twice by its number."""
    others = (
        found(),
        found("left_out"),
        found(subject="b.py::test_1"),
        found(subject="b.py::test_2"),
        found("failing", subject="2 tests", text="a"),
        found("failing", subject="2 tests", text="b"),
        found(),
    )
    assert len(set(prints(*others))) == len(others)


def test_an_audit_that_came_to_its_end_says_so() -> None:
    """And what it did not look for, as a note."""
    (told,) = run_of(audited(not_looked_for=("order dependence",)))["invocations"]
    assert told["executionSuccessful"] is True
    (note,) = told["toolExecutionNotifications"]
    assert note == {"level": "note", "message": {"text": "Not looked for: order dependence"}}


@pytest.mark.parametrize(
    "cut",
    [
        audited(run=replace(RUN, is_complete=False)),
        audited(order_unfinished="time ran out", is_order_searched=True),
    ],
)
def test_half_an_audit_is_no_success(cut: Audit) -> None:
    """What was not reached is not fine: the log says that it did not get to the end."""
    (told,) = run_of(cut)["invocations"]
    assert told["executionSuccessful"] is False
    assert told["toolExecutionNotifications"][0]["level"] == "error"


def test_what_was_not_looked_for_closes_nothing() -> None:
    """Each way to audit has a category of its own, and so does a part of the suite."""
    ways = [
        audited(),
        audited(is_order_searched=True),
        audited(run=replace(RUN, is_run=False)),
        audited(run=replace(RUN, is_recorded=True)),
    ]
    assert len({category_of(way) for way in ways}) == len(ways)
    whole, part = run_of(audited()), run_of(audited(), is_part=True)
    assert whole["automationDetails"]["id"] == "tierwise/audit/"
    assert part["automationDetails"]["id"] == "tierwise/audit-part/"


@pytest.mark.parametrize("text", [*CORPUS, "\ud800", "a\nb\r\x1b[31m%0A", "D:x.py:3", "/etc/a:1"])
def test_hostile_text_stays_text(text: str) -> None:
    """It is no place outside of the repository, and no character that is obeyed."""
    made = found(subject=text, text=text, where=text, tests=(text,))
    about = replace(made, kind="collection_error")
    for result in run_of(audited(made, about))["results"]:
        shown = result["message"]["text"]
        assert all(char.isprintable() or char == "\n" for char in shown)
        for location in result["locations"]:
            uri = location.get("physicalLocation", {}).get("artifactLocation", {}).get("uri", "x")
            assert ".." not in unquote(uri).split("/")
            assert not unquote(uri).startswith(("/", "D:"))


def test_many_tests_are_cut_short() -> None:
    """A finding of a thousand tests names twenty."""
    made = found("left_out", subject="x", tests=tuple(f"a.py::t{n}" for n in range(1000)))
    (result,) = run_of(audited(made))["results"]
    assert "a.py::t19\nand 980 more" in result["message"]["text"]
