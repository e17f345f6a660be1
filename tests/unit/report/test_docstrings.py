"""What tests exercise, by their docstrings."""

from __future__ import annotations

from tierwise.report.docstrings import (
    Described,
    describe_tests,
    is_written,
    say_what,
    split_nodeid,
)

SOURCE = '''
"""Grants: who may do what. More of it."""

def test_alone():
    """One grant is enough."""

async def test_waiting():
    pass

if True:
    class TestGrants(Base):
        """Granting to
        a person.

        More.
        """
        def test_first(self):
            """It holds. Always."""

        class TestInner:
            def test_a(self):
                """A is a."""
            def test_b(self):
                """B is b!"""
            def test_c(self):
                """C is c."""
            def test_d(self):
                """D is d."""
'''


def test_a_file_is_described_by_class() -> None:
    """First sentences of modules, classes and tests, nested ones too."""
    found = describe_tests(SOURCE)
    assert found[""] == Described(
        says="Grants: who may do what.",
        tests={"test_alone": "One grant is enough.", "test_waiting": ""},
    )
    assert found["TestGrants"].says == "Granting to a person."
    assert found["TestGrants"].tests == {"test_first": "It holds."}
    assert "TestGrants::TestInner" in found


def test_a_class_without_a_docstring_is_described_by_its_tests() -> None:
    """Three of them, and how many more there are; only tests that have results count."""
    inner = describe_tests(SOURCE)["TestGrants::TestInner"]
    every = ["test_a", "test_b", "test_c", "test_d"]
    assert say_what(inner, every) == "A is a; B is b!; C is c; and 1 more"
    assert say_what(inner, ["test_d", "test_d"]) == "D is d"
    assert say_what(inner, ["test_unknown"]) == ""
    assert say_what(None, every) == ""


def test_what_is_no_python_says_nothing() -> None:
    """A file in the middle of an edit does not break the map."""
    for source in ("def (", "\0", "(" * 500 + ")" * 500):
        assert describe_tests(source) == {}


def test_a_node_id_is_split_where_its_names_end() -> None:
    """A parameter may hold what separates names."""
    assert split_nodeid("t/a.py::TestA::TestB::test_c[x::y-[]") == (
        "t/a.py",
        "TestA::TestB",
        "test_c",
    )
    assert split_nodeid("t/a.py::test_c") == ("t/a.py", "", "test_c")


def test_a_test_is_written_where_it_or_a_base_of_its_class_is() -> None:
    """A test that a class inherits is not to be found in the file."""
    found = describe_tests(SOURCE)
    assert is_written(found, "test_alone[1]")
    assert is_written(found, "TestGrants::test_inherited")
    assert not is_written(found, "TestGrants::TestInner::test_gone")
    assert not is_written(found, "test_gone")
    assert not is_written({}, "test_alone")
