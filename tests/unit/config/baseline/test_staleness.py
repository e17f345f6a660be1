"""When an entry is stale, and when nothing can be said of it."""

from __future__ import annotations

import pytest

from tierwise.config.baseline import Baseline, Entry, Observed, Seen, find_stale, say_moved
from tierwise.domain import Capability

ENTRY = Entry(test="a.py::t", capability=Capability.TMP, target="{tmp}")
BASELINE = Baseline(entries=(ENTRY,))


def test_an_entry_that_accepted_something_is_not_stale() -> None:
    """It is what it is there for."""
    observed = Observed(used={ENTRY}, ended={"a.py::t": True}, whole={"a.py::t"}, is_whole=True)
    assert find_stale(BASELINE, observed) == ()


def test_a_test_that_ran_to_its_end_without_the_touch_makes_it_stale() -> None:
    """All of its parameters passed in a tier that ran whole."""
    ended = {"a.py::t[1]": True, "a.py::t[2]": True}
    (stale,) = find_stale(BASELINE, Observed(ended=ended, whole=set(ended)))
    assert str(stale) == "a.py::t: tmp {tmp}: it no longer does"


@pytest.mark.parametrize(
    "observed",
    [
        Observed(ended={"a.py::t": False}, whole={"a.py::t"}, is_whole=True),
        Observed(ended={"a.py::t": True}),
        Observed(ended={"a.py::t[1]": True, "a.py::t[2]": False}, whole={"a.py::t[1]"}),
        Observed(ended={"b.py::t": True}, whole={"b.py::t"}),
        Observed(),
    ],
)
def test_nothing_is_said_where_the_run_cannot_tell(observed: Observed) -> None:
    """A test that failed, was skipped or left out may still do it: silence is no proof."""
    assert find_stale(BASELINE, observed) == ()


def test_a_test_that_is_gone_is_told_with_the_one_that_does_the_same() -> None:
    """Of similar names, one that violates just the same is the likelier successor."""
    observed = Observed(
        ended={"a.py::tt": True, "a.py::txy": False},
        whole={"a.py::tt"},
        is_whole=True,
        new={Seen("a.py::txy[1]", Capability.TMP, "{tmp}")},
    )
    (stale,) = find_stale(BASELINE, observed)
    assert stale.is_gone
    assert str(stale).endswith("there is no such test; the closest is a.py::txy")


def test_without_such_a_one_the_closest_name_is_told_or_none() -> None:
    """A name that is not alike is not offered."""
    alike = Observed(ended={"a.py::tt": True}, is_whole=True)
    other = Observed(ended={"somewhere/else.py::other": True}, is_whole=True)
    assert find_stale(BASELINE, alike)[0].moved_to == "a.py::tt"
    assert str(find_stale(BASELINE, other)[0]).endswith("there is no such test")


@pytest.mark.parametrize(
    "test",
    [
        "the session fixture 'db'",
        "the class fixture 'db' of tests/a.py::TestA",
        "setUpClass of tests/a.py::TestA",
        "setup_module of tests/a.py",
        "collecting tests/a.py",
    ],
)
def test_what_is_no_test_is_judged_by_the_whole_run_alone(test: str) -> None:
    """A fixture shows what it does only where all that may ask for it ended well."""
    fixture = Entry(test=test, capability=Capability.TMP, target="{tmp}")
    baseline = Baseline(entries=(fixture,))
    well, badly = {"a.py::t": True}, {"a.py::t": False}
    assert [one.entry for one in find_stale(baseline, Observed(ended=well, is_whole=True))] == [
        fixture
    ]
    assert not find_stale(baseline, Observed(ended=well, is_whole=True))[0].is_gone
    assert find_stale(baseline, Observed(ended=well)) == ()
    assert find_stale(baseline, Observed(ended=badly, is_whole=True)) == ()


def test_a_new_violation_is_told_with_the_entry_that_it_may_have_moved_from() -> None:
    """The same touch of a test that is called alike, and that no longer makes it."""
    moved = Seen("a.py::t2", Capability.TMP, "{tmp}")
    other = Seen("a.py::t2", Capability.TMP, "elsewhere")
    assert say_moved(BASELINE, Observed(new={moved, other})) == {moved: ENTRY}
    assert say_moved(BASELINE, Observed(new={moved}, used={ENTRY})) == {}
