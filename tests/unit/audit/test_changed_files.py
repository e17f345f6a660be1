from tierwise.audit.changed_files import find_changed_files
from tierwise.audit.facts import TestFact, TouchFact
from tierwise.audit.findings import TestView
from tierwise.audit.levels import view_test


def view(nodeid: str, *targets: str, capability: str = "write", path: str = "t.py") -> TestView:
    touches = [TouchFact(capability=capability, target=one, line="t.py:3") for one in targets]
    return view_test(TestFact(nodeid=nodeid, path=path, outcome="passed", touches=tuple(touches)))


def test_a_file_beside_the_code_is_told_by_its_name_in_the_project() -> None:
    """With who changes it, and where; temporary files are nothing."""
    views = [
        view("t.py::a", "/srv/shop/src/debug.log"),
        view("t.py::b", "/srv/shop/src/debug.log"),
        view("t.py::c", "x", capability="tmp"),
    ]
    (found,) = find_changed_files(views, "/srv/shop")
    assert (found.kind, found.subject) == ("changed_files", "src/debug.log")
    assert found.text == "t.py::a and 1 other changed it"
    assert (found.where, found.tests) == ("t.py:3", ("t.py::a", "t.py::b"))


def test_files_of_one_folder_are_told_together() -> None:
    """A test that writes a hundred would hide all others."""
    names = [f"/home/ada/.shop/{n}" for n in range(3)]
    (found,) = find_changed_files([view("t.py::a", *names)], "/srv/shop")
    assert found.subject == "/home/ada/.shop/"
    assert found.text == "t.py::a changed 3 files in it, such as /home/ada/.shop/0"


def test_what_is_beyond_a_level_is_told_as_that_alone() -> None:
    """A unit test by its folder should change nothing at all."""
    views = [view("tests/unit/t.py::a", "/srv/shop/x", path="tests/unit/t.py")]
    assert not list(find_changed_files(views, "/srv/shop"))
