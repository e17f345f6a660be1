from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import jsonschema
import pytest
from machine_facts import TOUCH, entry, every_outcome, facts, hostile, origin
from sarif_subset import SCHEMA

from tierwise.domain import Capability
from tierwise.report.machine.sarif import rule_of, write_sarif

if TYPE_CHECKING:
    from tierwise.report.machine.values import Facts

PAGES = {"tw-net": "# tw-net: a test used the network\n\nSee [doubles](../doubles.md).\n"}


def run_of(made: Facts, site: str = "") -> Any:
    log = json.loads(write_sarif(made, pages=PAGES, site=site))
    return log["runs"][0]


def touched(*violations: Any, nodeid: str = TOUCH.subject) -> Facts:
    return facts(entry(nodeid, violations=violations))


@pytest.mark.parametrize("made", [facts, every_outcome, hostile])
@pytest.mark.parametrize("site", ["", "https://docs.test/tierwise"])
def test_what_is_written_is_sarif(made: Any, site: str) -> None:
    """Every field has the name, type and limits of SARIF 2.1.0."""
    log = json.loads(write_sarif(made(), pages=PAGES, site=site))
    jsonschema.validate(log, SCHEMA)
    for result in log["runs"][0]["results"]:
        rule = log["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]


def test_a_violation_is_shown_beside_the_line_that_touched() -> None:
    """The project's innermost frame, as a path below the root, and the test as its name."""
    (result,) = run_of(every_outcome())["results"]
    assert result["ruleId"] == "TW-NET"
    assert result["level"] == "error"
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "src/a/wire.py", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 3},
            },
            "logicalLocations": [{"fullyQualifiedName": TOUCH.subject}],
        }
    ]
    text = result["message"]["text"]
    assert "opened a socket to 203.0.113.7:443" in text
    assert "ways out:" in text


def test_a_project_in_a_folder_is_seen_from_the_repository() -> None:
    """A code host knows the repository's root alone."""
    made = replace(every_outcome(), origin=origin(folder="apps/a b"))
    (result,) = run_of(made)["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place["uri"] == "apps/a%20b/src/a/wire.py"


def test_without_a_frame_of_the_project_s_the_test_is_the_place() -> None:
    """Its line where that is known, else its file, else nothing but its name."""
    bare = replace(TOUCH, stack=("/usr/lib/x.py:3 in f", "../up.py:2 in g"))
    known = entry(TOUCH.subject, violations=(bare,), location="tests/unit/test_a.py:7")
    (result,) = run_of(facts(known))["results"]
    physical = result["locations"][0]["physicalLocation"]
    assert physical["region"] == {"startLine": 7}
    (result,) = run_of(touched(bare))["results"]
    assert "region" not in result["locations"][0]["physicalLocation"]
    (result,) = run_of(touched(bare, nodeid="/etc/passwd::x"))["results"]
    assert "physicalLocation" not in result["locations"][0]


def test_the_same_fault_is_the_same_finding_in_the_next_run() -> None:
    """Lines move, ports and process ids change: the fingerprint does not."""
    moved = replace(TOUCH, stack=("src/a/wire.py:99 in connect",), target="203.0.113.9:8443")
    (one,) = run_of(touched(TOUCH))["results"]
    (two,) = run_of(touched(moved))["results"]
    assert one["partialFingerprints"] == two["partialFingerprints"]


@pytest.mark.parametrize(
    "change",
    [
        {"capability": Capability.LOOPBACK},
        {"target": "vendor.test:443"},
        {"event": "socket.getaddrinfo"},
        {"stack": ("src/a/wire.py:3 in other",)},
        {"stack": ("src/a/other.py:3 in connect",)},
    ],
)
def test_another_fault_is_another_finding(change: dict[str, Any]) -> None:
    """What was touched, how and where tell faults apart."""
    assert len(run_of(touched(TOUCH, replace(TOUCH, **change)))["results"]) == 2


def test_another_test_is_another_finding() -> None:
    """One fault in code that two tests reach is reported at both."""
    made = facts(*(entry(name, violations=(TOUCH,)) for name in ("a.py::x", "a.py::y")))
    assert len(run_of(made)["results"]) == 2


def test_a_touch_made_again_is_counted() -> None:
    """A loop of a thousand touches is one finding."""
    (result,) = run_of(touched(TOUCH, TOUCH, TOUCH))["results"]
    assert result["occurrenceCount"] == 3


def test_no_violation_is_a_run_with_no_results() -> None:
    """A code host closes what it has open by that; an absent run would leave it."""
    run = run_of(facts(entry()))
    assert run["results"] == []
    assert run["tool"]["driver"]["rules"] == []


def test_a_rule_brings_its_page() -> None:
    """The page's text without links that lead nowhere, and its address where there is one."""
    rule = rule_of("tw-net", PAGES["tw-net"], "https://docs.test/tierwise/")
    assert rule["shortDescription"] == {"text": "a test used the network"}
    more = "Read it again with: `tierwise explain tw-net`"
    said = f"See doubles.\n\n{more}"
    assert rule["help"] == {"text": said, "markdown": said}
    assert rule["helpUri"] == "https://docs.test/tierwise/errors/tw-net.html"
    bare = rule_of("tw-net", "", "")
    assert bare["help"] == {"text": more, "markdown": more}
    assert "helpUri" not in bare


def test_hostile_text_stays_text() -> None:
    """Nothing leaves the repository, and no character is one that a terminal obeys."""
    text = write_sarif(hostile(), pages=PAGES, site="")
    assert text.isascii()
    assert not [char for char in text if ord(char) < 32 and char != "\n"]
    for result in json.loads(text)["runs"][0]["results"]:
        shown = result["message"]["text"]
        assert all(char.isprintable() or char == "\n" for char in shown)
        for location in result["locations"]:
            uri = location.get("physicalLocation", {}).get("artifactLocation", {}).get("uri", "x")
            assert ".." not in unquote(uri).split("/")
