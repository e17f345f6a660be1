from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from machine_facts import (
    TOUCH,
    entry,
    evaluation,
    every_outcome,
    expectation,
    facts,
    hostile,
    levels,
    origin,
)

from tierwise.report.evidence import Evidence, Share
from tierwise.report.machine.as_json import VERSION, as_data, read_schema, write_json

if TYPE_CHECKING:
    from tierwise.report.machine.values import Facts


def strictly(schema: Any) -> Any:
    """Return a schema that allows no field beside those that it names."""
    if isinstance(schema, list):
        return [strictly(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: strictly(value) for key, value in schema.items()}
    if "properties" in kept and "required" in kept:
        kept["additionalProperties"] = False
    return kept


@pytest.mark.parametrize("made", [facts, every_outcome, hostile])
def test_what_is_written_is_what_the_schema_says_and_no_more(made: Any) -> None:
    """Each field is documented, and each documented field is there."""
    jsonschema.Draft202012Validator.check_schema(json.loads(read_schema()))
    jsonschema.validate(json.loads(write_json(made())), strictly(json.loads(read_schema())))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"version": VERSION + 1}, "was expected"),
        ({"levels": []}, "non-empty|too short|minItems|short"),
        ({"tests": [{}]}, "required"),
        ({"evals": [{"verdict": "fine"}]}, "required|not one of"),
    ],
)
def test_the_schema_refuses_another_shape(change: dict[str, Any], complaint: str) -> None:
    """A schema that takes anything would prove nothing."""
    with pytest.raises(jsonschema.ValidationError, match=complaint):
        jsonschema.validate({**as_data(facts()), **change}, json.loads(read_schema()))


def test_each_test_says_where_it_stands_and_what_it_touched() -> None:
    """Tier, level, file and line, and each violation with the project's nearest frame."""
    (told,) = as_data(
        facts(entry(TOUCH.subject, violations=(TOUCH,), location="tests/unit/test_a.py:9"))
    )["tests"]
    assert (told["tier"], told["level"], told["file"], told["line"]) == (
        "unit",
        "unit",
        "tests/unit/test_a.py",
        9,
    )
    (touch,) = told["violations"]
    assert (touch["capability"], touch["file"], touch["line"]) == ("network", "src/a/wire.py", 3)
    assert touch["stack"] == list(TOUCH.stack)


def test_what_is_not_known_is_null_and_never_a_number() -> None:
    """An unplaced test, an eval that nobody judged, and an estimate that there is none of."""
    data = as_data(
        facts(
            entry("nowhere", tier="", level=""),
            evals=(evaluation(), evaluation(expectation(estimate=None, interval=None))),
        )
    )
    (test,) = data["tests"]
    assert [test[name] for name in ("tier", "level", "line")] == [None, None, None]
    assert data["source"]["run"] is None
    unjudged, judged = data["evals"]
    assert (unjudged["verdict"], unjudged["expectations"]) == ("not judged", [])
    assert judged["expectations"][0]["estimate"] is None
    assert judged["expectations"][0]["interval"] is None


def test_counts_add_up() -> None:
    """The head counts levels, outcomes and violations."""
    counts = as_data(every_outcome())["counts"]
    assert counts["levels"] == {"covered": 1, "partial": 1, "gap": 10}
    assert counts["tests"] == {
        "passed": 1,
        "failed": 2,
        "error": 1,
        "unobservable": 1,
        "not_run": 1,
    }
    assert counts["violations"] == 1


def test_a_level_says_what_else_speaks_for_it() -> None:
    """Shares of contracts, guards and gates, and what serves it by a record of its own."""
    proof = Evidence(guards=Share(good=2, of=3), served_by=("ruff",), missing=("mypy",))
    rows = tuple(replace(row, evidence=proof) for row in levels())
    assert as_data(facts(levels=rows))["levels"][0]["evidence"] == {
        "contracts": {"good": 0, "of": 0},
        "guards": {"good": 2, "of": 3},
        "gates": {"good": 0, "of": 0},
        "served_by": ["ruff"],
        "missing": ["mypy"],
    }


def test_the_run_is_named() -> None:
    """A report of one run says which."""
    made: Facts = facts(origin=origin(run_id="r7", commit="abc"))
    assert as_data(made)["source"]["run"] == "r7"
    assert as_data(made)["source"]["commit"] == "abc"


def test_hostile_text_reaches_no_terminal_and_is_not_lost() -> None:
    """All of it is in the file, and none of it as a character that a terminal obeys."""
    text = write_json(hostile())
    assert text.isascii()
    assert not [char for char in text if ord(char) < 32 and char != "\n"]
    assert "\x7f" not in text
    told = [test["message"] for test in json.loads(text)["tests"]]
    assert told == [test.message for test in hostile().tests]
