import pytest

from tierwise.domain import Allowance, Capability, Mode
from tierwise.pytest_plugin.fixtures import find_requesters, name_fixture, policy_of_requesters
from tierwise.sandbox import Policy


def policy(subject: str, tier: str | None = "unit", *allow: Capability) -> Policy:
    return Policy(
        subject=subject, tier=tier, allow=tuple(Allowance(capability=each) for each in allow)
    )


ONE = policy("tests/a/test_x.py::test_1")
TWO = policy("tests/ab/test_x.py::TestC::test_2", "integration", Capability.TMP)


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("", [ONE, TWO]),
        (".", [ONE, TWO]),
        ("tests", [ONE, TWO]),
        ("tests/a", [ONE]),
        ("tests/ab/", [TWO]),
        ("tests/ab/test_x.py", [TWO]),
        ("tests/ab/test_x.py::TestC", [TWO]),
        ("tests/ab/test_x.py::Test", []),
    ],
)
def test_requesters_are_those_below_the_fixture(base: str, expected: list[Policy]) -> None:
    """A folder whose name only begins alike is not below."""
    assert find_requesters([ONE, TWO], base, None) == tuple(expected)


def test_whoever_runs_now_is_a_requester() -> None:
    """Also when it asked by name, and only once."""
    assert find_requesters([], "tests/a", ONE) == (ONE,)
    assert find_requesters([ONE], "tests/a", ONE) == (ONE,)


def test_a_fixture_may_what_any_requester_may() -> None:
    """The union of the allowances, under the fixture's own name and its requesters' tiers."""
    built = policy_of_requesters("fixture", [ONE, TWO], Mode.ENFORCE)
    assert built.subject == "fixture"
    assert built.tier == "integration and unit"
    assert [each.capability for each in built.allow] == [Capability.TMP]
    assert policy_of_requesters("fixture", [], Mode.REPORT).tier is None


def test_fixtures_are_named_as_their_author_knows_them() -> None:
    """xunit-style set-ups by their function, others by scope, name and place."""
    assert name_fixture("db", "module", "tests/a") == "the module fixture 'db' of tests/a"
    assert name_fixture("db", "session", "") == "the session fixture 'db'"
    name = "_xunit_setup_module_fixture_test_x"
    assert name_fixture(name, "module", "tests/test_x.py") == "setup_module of tests/test_x.py"
