from tierwise.audit.test_files import read_test_file
from tierwise.audit.tree import is_named_like_tests

SOURCE = b'''
"""Words."""
import pytest
from unittest import TestCase

@pytest.fixture
def test_data(): return 1

def test_one(): pass

if True:
    async def test_two(): pass

class TestInit:
    def __init__(self): pass
    def test_three(self): pass

class Old(TestCase):
    def test_four(self): pass
    def test_four(self): pass

class TestOff:
    __test__ = False
    def test_five(self): pass

def test_one(): pass
def helper(): pass
'''


def test_the_tree_of_a_file_tells_its_tests() -> None:
    """Functions, also below `if`; fixtures named like tests are none."""
    facts = read_test_file("t.py", SOURCE)
    assert sorted(name for name, _ in facts.functions) == ["test_one", "test_one", "test_two"]
    assert [(one.name, one.tests) for one in facts.classes] == [
        ("TestInit", ("test_three",)),
        ("Old", ("test_four", "test_four")),
        ("TestOff", ("test_five",)),
    ]
    assert [one.has_constructor for one in facts.classes] == [True, False, False]
    assert [one.is_unittest for one in facts.classes] == [False, True, False]
    assert [one.is_switched_off for one in facts.classes] == [False, False, True]
    assert facts.frameworks == {"pytest", "unittest"}


def test_a_test_that_a_later_one_hides_is_found() -> None:
    """At the top and in a class, with the line of the hidden one."""
    assert read_test_file("t.py", SOURCE).twice == (("test_one", 9), ("Old::test_four", 19))


def test_two_tests_of_one_name_in_two_branches_hide_nothing() -> None:
    """Only one of the branches is ever defined."""
    source = b"if x:\n    def test_a(): pass\nelse:\n    def test_a(): pass\n"
    assert read_test_file("t.py", source).twice == ()


def test_a_file_is_empty_when_it_does_nothing() -> None:
    """Comments and a docstring do nothing."""
    assert read_test_file("t.py", b'"""Later."""\n# to do\n').is_empty
    assert read_test_file("t.py", b"").is_empty
    assert not read_test_file("t.py", b"import os\n").is_empty


def test_a_file_that_is_no_python_says_why() -> None:
    """It is never taken for one without tests."""
    facts = read_test_file("t.py", b"def test_a(:\n")
    assert "invalid syntax" in facts.error
    assert not facts.is_empty


def test_names_of_test_files_are_known_in_many_forms() -> None:
    """As people write them, pytest's own patterns or not."""
    for name in ("test_a.py", "a_test.py", "tests.py", "a.test.py", "a_tests.py", "test.py"):
        assert is_named_like_tests(f"x/{name}"), name
    for name in ("contest.py", "latest.py", "conftest.py", "testing_tools.py", "a.py"):
        assert not is_named_like_tests(f"x/{name}"), name
