import json
from pathlib import Path

from tierwise.config import Config
from tierwise.domain import Allowance, Capability, Level, Tier, Violation
from tierwise.pytest_plugin.facts import (
    facts_of_placement,
    violations_from_json,
    violations_to_json,
)
from tierwise.pytest_plugin.placing import UNPLACED_ALLOWS, Placement, allowances_of
from tierwise.pytest_plugin.violating import (
    PytestPolicyViolation,
    describe,
    own_frames,
    violations_in,
)

VIOLATION = Violation(
    capability=Capability.NETWORK,
    target="203.0.113.7:443",
    subject="tests/unit/test_a.py::test_b",
    tier="unit",
    stack=("/lib/x.py:1 in f", "tests/unit/test_a.py:3 in test_b", "/lib/y.py:9 in g"),
    event="socket.connect",
)
CONFIG = Config(root=Path("/p"), tiers=(Tier(name="unit", level=Level.UNIT),))


def test_violations_survive_the_way_from_a_worker() -> None:
    """As JSON and back, nothing is lost."""
    sent = json.loads(json.dumps({"violations": violations_to_json([VIOLATION])}))
    assert violations_from_json(sent) == (VIOLATION,)
    assert violations_from_json({}) == ()


def test_a_placement_travels_with_its_reasons() -> None:
    """Tier, level and each allowance of the test's own, with its reason."""
    tier = Tier(name="unit", level=Level.UNIT)
    extra = (Allowance(capability=Capability.TMP, reason="reads a file"),)
    assert facts_of_placement(Placement(tier=tier, extra=extra)) == {
        "tier": "unit",
        "level": "unit",
        "allowed": ["tmp (reads a file)"],
    }
    assert facts_of_placement(Placement(tier=None)) == {"tier": None, "level": None}


def test_an_unplaced_test_may_all_but_what_costs_money() -> None:
    """Neither network nor model is among what no tier's tests may touch."""
    allowed = {each.capability for each in allowances_of(CONFIG, Placement(tier=None))}
    assert allowed == set(Capability) - {Capability.NETWORK, Capability.MODEL}
    assert allowances_of(CONFIG, Placement(tier=None)) == UNPLACED_ALLOWS


def test_paths_of_allowances_start_at_the_project_s_root() -> None:
    """What a policy holds is absolute."""
    extra = (Allowance(capability=Capability.WRITE, target="build/"),)
    (found,) = allowances_of(CONFIG, Placement(tier=CONFIG.tiers[0], extra=extra))
    assert found.target == "/p/build"


def test_a_stack_starts_in_the_project() -> None:
    """Frames of the runner around it are nobody's news; without any own frame all are shown."""
    assert own_frames(VIOLATION.stack) == VIOLATION.stack[1:]
    assert own_frames(("/a.py:1 in f", "<string>:1 in g")) == ("/a.py:1 in f", "<string>:1 in g")


def test_the_claim_comes_first_and_the_frames_next() -> None:
    """The first line is what a short summary shows."""
    lines = describe([VIOLATION, VIOLATION], CONFIG).split("\n")
    assert lines[0].startswith("TW-NET  tests/unit/test_a.py::test_b opened a socket to 203")
    assert lines[1] == "    tests/unit/test_a.py:3 in test_b"
    assert sum(line.startswith("TW-NET") for line in lines) == 1


def test_a_violation_is_an_outcome_to_pytest() -> None:
    """The raised error carries its violation, no traceback, and its whole text."""
    error = PytestPolicyViolation(VIOLATION)
    assert error.violation == VIOLATION
    assert error.pytrace is False
    assert str(error).startswith("TW-NET")


def test_a_group_of_nothing_but_violations_is_those_violations() -> None:
    """A group with anything else in it keeps its own traceback."""
    error = PytestPolicyViolation(VIOLATION)
    group = BaseExceptionGroup("g", [error, BaseExceptionGroup("h", [error])])
    assert violations_in(group) == (VIOLATION, VIOLATION)
    assert violations_in(BaseExceptionGroup("g", [error, ValueError("x")])) == ()
    assert violations_in(ValueError("x")) == ()
    assert violations_in(None) == ()
