"""Accepted violations: what covers what, and how they are written."""

from __future__ import annotations

import pytest

from tierwise.config.baseline import (
    Baseline,
    Entry,
    Seen,
    make_entries,
    read_baseline,
    write_baseline,
)
from tierwise.domain import Capability
from tierwise.errors import ConfigError

TMP, WRITE = Capability.TMP, Capability.WRITE


def entry(test: str, target: str = "{tmp}", reason: str = "") -> Entry:
    """Return an entry of temporary files."""
    return Entry(test=test, capability=TMP, target=target, reason=reason)


@pytest.mark.parametrize(
    ("test", "subject", "is_covered"),
    [
        ("a.py::t", "a.py::t", True),
        ("a.py::t", "a.py::t[1-x]", True),
        ("a.py::t", "a.py::test", False),
        ("a.py::t", "a.py::t::x", True),
        ("a.py", "a.py::t", True),
        ("a.py", "a.pyx::t", False),
        ("tests/unit", "tests/unit/a.py::t", True),
        ("tests/unit/", "tests/unit/a.py::t", True),
        ("tests/unit", "tests/units/a.py::t", False),
        ("a.py::Test", "a.py::Test::t", True),
        ("a.py::t", "b.py::t", False),
        ("a.py::t[1]", "a.py::t", False),
        ("the session fixture 'db'", "the session fixture 'db'", True),
    ],
)
def test_an_entry_covers_a_test_or_what_holds_it(
    test: str,
    subject: str,
    is_covered: bool,  # noqa: FBT001  a parameter
) -> None:
    """Parameters, classes, files and folders are covered; names that begin alike are not."""
    assert entry(test).covers(subject) is is_covered


def test_a_violation_is_accepted_by_test_capability_and_target() -> None:
    """Another test, capability or target is a new violation."""
    baseline = Baseline(entries=(entry("a.py::t", "build"),))
    assert baseline.find(Seen("a.py::t", TMP, "build")) == baseline.entries[0]
    assert baseline.find(Seen("a.py::u", TMP, "build")) is None
    assert baseline.find(Seen("a.py::t", WRITE, "build")) is None
    assert baseline.find(Seen("a.py::t", TMP, "dist")) is None


def test_whoever_may_connect_to_a_host_may_look_it_up() -> None:
    """An air gap sees the question for the name and never the connection; not the other way."""
    network = Capability.NETWORK
    made = make_entries([Seen("a.py::t", network, "api.example.com:443")])
    baseline = Baseline(entries=made)
    assert baseline.find(Seen("a.py::t", network, "api.example.com")) == made[0]
    assert baseline.find(Seen("a.py::t", network, "example.com")) is None
    assert baseline.find(Seen("a.py::t", network, "api.example.com:80")) is None
    assert baseline.find(Seen("a.py::t", Capability.LOOPBACK, "api.example.com")) is None
    only_looked_up = Baseline(entries=make_entries([Seen("a.py::t", network, "example.com")]))
    assert only_looked_up.find(Seen("a.py::t", network, "example.com:443")) is None


def test_one_entry_stands_for_all_parameters_of_a_test() -> None:
    """Entries are sorted and each is there once; a fixture keeps its name, brackets and all."""
    seen = [
        Seen("b.py::t[2]", TMP, "{tmp}"),
        Seen("b.py::t[1]", TMP, "{tmp}"),
        Seen("a.py::C::t", WRITE, "x"),
        Seen("the class fixture 'x[0]' of a.py::C", TMP, "{tmp}"),
    ]
    made = make_entries(seen, "why")
    assert [(each.test, str(each.capability)) for each in made] == [
        ("a.py::C::t", "write"),
        ("b.py::t", "tmp"),
        ("the class fixture 'x[0]' of a.py::C", "tmp"),
    ]
    assert {each.reason for each in made} == {"why"}


def test_a_baseline_grows_and_shrinks_in_order() -> None:
    """What is taken in stands in its place, and twice is once."""
    baseline = Baseline(entries=(entry("a"), entry("c")))
    grown = baseline.with_new([entry("b"), entry("a")])
    assert [each.test for each in grown.entries] == ["a", "b", "c"]
    assert grown.without([entry("a"), entry("x")]).entries == (entry("b"), entry("c"))


def test_what_is_written_is_read_and_has_a_line_for_each_entry() -> None:
    """A review sees one line for each violation; the order does not depend on how it was made."""
    baseline = Baseline(entries=(entry("b", "ä"), entry("a", reason="until March")))
    text = write_baseline(baseline)
    assert set(read_baseline(text).entries) == set(baseline.entries)
    lines = text.splitlines()
    assert lines[2] == '  "accepted": ['
    assert lines[3].startswith('    {"test": "a", "capability": "tmp"')
    assert lines[4] == '    {"test": "b", "capability": "tmp", "target": "ä"}'
    assert read_baseline(write_baseline(Baseline())) == Baseline()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "it is no JSON"),
        ("[]", "its version is None, expected 1"),
        ('{"version": 2}', "its version is 2, expected 1"),
        ('{"version": 1}', "it has no list `accepted`"),
        ('{"version": 1, "accepted": [3]}', "entry 1 of `accepted` is 3, expected a table"),
        (
            '{"version": 1, "accepted": [{"tst": "a"}]}',
            "has a key 'tst'. Did you mean 'test'?",
        ),
        ('{"version": 1, "accepted": [{"test": ""}]}', "test is '', expected a text"),
        ('{"version": 1, "accepted": [{"test": "a"}]}', "has no 'capability'"),
        (
            '{"version": 1, "accepted": [{"test": "a", "capability": "tmpp", "target": "x"}]}',
            "there is no capability 'tmpp'. Did you mean 'tmp'?",
        ),
    ],
)
def test_any_other_text_is_refused_by_its_place(text: str, complaint: str) -> None:
    """A baseline that is not understood accepts nothing, and stops the run."""
    with pytest.raises(ConfigError) as caught:
        read_baseline(text)
    assert complaint in str(caught.value)
    assert "tierwise baseline" in str(caught.value)
