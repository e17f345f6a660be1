import json
from typing import Any

from tierwise.audit.events import Reading, parse_events, read_events, read_progress


def lines(*events: dict[str, Any]) -> list[str]:
    return [json.dumps(event) for event in events]


def phase(when: str, outcome: str = "passed", **more: Any) -> dict[str, Any]:
    return {
        "event": "phase",
        "id": "t.py::a",
        "when": when,
        "outcome": outcome,
        "seconds": 0.5,
        **more,
    }


ITEM = {"event": "item", "id": "t.py::a", "path": "t.py", "line": 3, "marks": ["slow"]}


def outcome_of(*events: dict[str, Any]) -> str:
    reading = Reading()
    read_events(reading, [ITEM, *events])
    return reading.tests["t.py::a"].outcome


def test_a_line_that_was_cut_off_tells_nothing() -> None:
    """A process that is killed while it writes spoils no other line."""
    assert parse_events([*lines({"event": "loading"}), '{"event": "beg', "[1]", '{"a": 1}']) == [
        {"event": "loading"}
    ]


def test_the_worst_phase_stands_for_the_test() -> None:
    """A test that passed and could not be torn down is an error; a failure stays one."""
    assert outcome_of(phase("call"), phase("teardown")) == "passed"
    assert outcome_of(phase("call"), phase("teardown", "failed")) == "error"
    assert outcome_of(phase("call", "failed"), phase("teardown")) == "failed"
    assert outcome_of(phase("setup", "skipped"), phase("teardown")) == "skipped"
    assert outcome_of(phase("call", "skipped", expected=True)) == "xfailed"
    assert outcome_of(phase("call", expected=True)) == "xpassed"


def test_a_set_up_that_passed_is_no_pass() -> None:
    """A test that ended its session between its phases has not passed."""
    assert outcome_of(phase("setup")) == "not_run"
    assert outcome_of() == "not_run"


def test_what_was_touched_and_left_is_kept_over_all_phases() -> None:
    """Touches of set-up and body add up, times too."""
    touch = {"capability": "tmp", "target": "/t/x", "subject": "t.py::a", "line": "t.py:4"}
    left = {"owner": "os.environ['A']", "before": "(absent)", "after": "'1'", "subject": ""}
    reading = Reading()
    read_events(
        reading,
        [ITEM, phase("setup", touches=[touch]), phase("call", touches=[touch], left=[left])],
    )
    test = reading.tests["t.py::a"]
    assert (len(test.touches), test.left[0].owner, test.seconds) == (2, "os.environ['A']", 1.0)


def test_the_progress_names_the_test_that_was_running() -> None:
    """A test runs from its beginning to its tear-down."""
    begun = [{"event": "collected", "count": 2}, {"event": "begin", "id": "t.py::a"}]
    assert read_progress([*begun, phase("call")]).running == "t.py::a"
    done = read_progress([*begun, phase("call"), phase("teardown")])
    assert (done.running, done.n_begun, done.n_wanted) == ("", 1, 2)


def test_a_test_that_is_left_out_is_no_test_that_failed_to_run() -> None:
    """Deselected is an outcome of its own, and never hides a result."""
    gone = {"event": "deselected", "ids": ["t.py::a", "t.py::unknown"]}
    assert outcome_of(gone) == "deselected"
    assert outcome_of(phase("call"), gone) == "passed"


def test_an_error_at_collection_is_told_once() -> None:
    """Each restart collects again and finds the same."""
    broken = {"event": "collect_error", "id": "b.py", "message": "ImportError: x"}
    reading = Reading()
    read_events(reading, [broken, broken])
    assert [(fact.path, fact.is_error) for fact in reading.not_collected] == [("b.py", True)]
