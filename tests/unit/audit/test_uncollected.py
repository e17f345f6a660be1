from tierwise.audit.facts import CollectFact, RunFacts, SessionFact, TestFact
from tierwise.audit.findings import Finding
from tierwise.audit.test_files import ClassFacts, FileFacts
from tierwise.audit.uncollected import find_uncollected

SETTINGS = {
    "python_files": ("test_*.py", "*_test.py"),
    "python_classes": ("Test",),
    "norecursedirs": (".*", "slow"),
    "testpaths": ("tests",),
}
TESTS = (("test_x", 1),)


def run(*paths: str, **more: object) -> RunFacts:
    return RunFacts(
        session=SessionFact(settings=SETTINGS),
        tests=tuple(TestFact(nodeid=f"{path}::test_x", path=path) for path in paths),
        is_complete=True,
        **more,  # type: ignore[arg-type]
    )


def found(file: FileFacts, facts: RunFacts | None = None) -> list[Finding]:
    return list(find_uncollected([file], facts or run("tests/test_other.py")))


def reason(path: str) -> str:
    (finding,) = found(FileFacts(path=path, functions=TESTS))
    assert (finding.kind, finding.subject) == ("never_collected", path)
    return finding.text


def test_each_reason_for_not_being_collected_is_told() -> None:
    """The name, the folder, testpaths; and where none of them is why, that."""
    assert "matches none of python_files (test_*.py, *_test.py)" in reason("tests/checks.py")
    assert "norecursedirs leaves its folder slow out" in reason("tests/slow/test_a.py")
    assert "outside testpaths (tests)" in reason("other/test_a.py")
    assert "no setting says why" in reason("tests/test_a.py")


def test_what_is_collected_or_told_otherwise_is_not_told_again() -> None:
    """A file with an error at collection has a finding of its own."""
    file = FileFacts(path="tests/test_a.py", functions=TESTS)
    assert found(file, run("tests/test_a.py")) == []
    broken = CollectFact(path="tests/test_a.py", message="ImportError")
    assert found(file, run(not_collected=(broken,))) == []


def test_functions_of_the_program_named_like_tests_are_none() -> None:
    """Only a file that is one of tests, by name, folder or imports, is told."""
    product = FileFacts(path="src/shop/checks.py", functions=(("test_connection", 3),))
    assert found(product) == []
    tests = FileFacts(path="src/shop/checks.py", functions=TESTS, frameworks=frozenset({"pytest"}))
    assert len(found(tests)) == 1


def test_data_in_a_folder_that_is_kept_out_is_no_test() -> None:
    """A project keeps examples of code there on purpose."""
    assert found(FileFacts(path="tests/slow/E101.py", functions=TESTS)) == []


def test_empty_files_of_tests_are_found() -> None:
    """Empty ones by any name of a test file; those without a test by pytest's own."""
    (empty,) = found(FileFacts(path="src/shop/orders.test.py", is_empty=True))
    assert (empty.kind, empty.text) == ("empty_test_file", "the file is empty")
    (none,) = found(FileFacts(path="tests/test_a.py"))
    assert none.text == "it is named like a file of tests and holds none"
    assert found(FileFacts(path="tests/__init__.py", is_empty=True)) == []


def test_classes_that_pytest_leaves_out_are_found_in_collected_files() -> None:
    """A constructor, or a name that no pattern matches; unittest's own need no name."""

    def classes(**more: object) -> list[Finding]:
        one = ClassFacts(line=4, tests=("test_a",), **more)  # type: ignore[arg-type]
        return found(FileFacts(path="t.py", classes=(one,)), run("t.py"))

    (built,) = classes(name="TestCart", has_constructor=True)
    assert "a class with a constructor is left out" in built.text
    assert built.where == "t.py:4"
    (named,) = classes(name="CartTests")
    assert "its name matches none of python_classes (Test)" in named.text
    assert classes(name="CartTests", bases=("unittest.TestCase",)) == []
    assert classes(name="TestCart", is_switched_off=True) == []


def test_a_class_that_others_build_on_is_not_missed() -> None:
    """Its tests run in those that inherit them."""
    base = ClassFacts(name="CartTests", line=1, tests=("test_a",))
    child = ClassFacts(name="TestCart", line=9, tests=(), bases=("CartTests",))
    file = FileFacts(path="t.py", classes=(base, child))
    assert found(file, run("t.py")) == []


def test_nothing_is_told_when_pytest_never_collected() -> None:
    """Where collecting did not begin, no setting can be the reason."""
    file = FileFacts(path="tests/test_a.py", functions=TESTS)
    assert found(file, RunFacts()) == []
