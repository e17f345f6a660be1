import pytest

from tierwise.audit.ci.values import Ci, Invocation, Unread
from tierwise.audit.ci_selecting import evaluate, find_missing_paths, find_not_in_ci, selects
from tierwise.audit.facts import TestFact
from tierwise.audit.findings import Finding


def fact(path: str, *marks: str, outcome: str = "passed") -> TestFact:
    return TestFact(nodeid=f"{path}::test_x[a]", path=path, marks=marks, outcome=outcome)


def run(*paths: str, **more: object) -> Invocation:
    return Invocation(where="ci", command="pytest", paths=paths, **more)  # type: ignore[arg-type]


TESTS = [fact("tests/unit/test_a.py"), fact("tests/e2e/test_b.py"), fact("tests/e2e/test_c.py")]


def found(*invocations: Invocation, unread: tuple[Unread, ...] = ()) -> list[Finding]:
    ci = Ci(files=("ci.yml",), invocations=invocations, unread=unread)
    return list(find_not_in_ci(ci, TESTS, ()))


@pytest.mark.parametrize(
    ("invocation", "is_selected"),
    [
        (run("tests"), True),
        (run("tests/unit/test_a.py"), True),
        (run("tests/unit/test_a.py::test_x"), True),
        (run("tests/unit/test_a.py::test_xy"), False),
        (run("tests/unit/test_a.py::test"), False),
        (run("tests/un"), False),
        (run(), True),
        (run(folder="other"), False),
        (run("tests", ignored=("tests/unit",)), False),
        (run("tests", deselected=("tests/unit/test_a.py::test_x",)), False),
        (run("tests", marks="fast"), True),
        (run("tests", marks="not fast"), False),
        (run("tests", keyword="test_x and not other"), True),
        (run("tests", keyword="nothing"), False),
        (run(unknown="a variable"), False),
    ],
)
def test_a_run_selects_by_path_mark_and_name(invocation: Invocation, *, is_selected: bool) -> None:
    """As pytest itself would."""
    assert selects(invocation, fact("tests/unit/test_a.py", "fast"), ()) is is_selected


def test_without_a_path_testpaths_decide_and_what_pytest_leaves_out_stays_out() -> None:
    """Unless the run names marks of its own."""
    test = fact("tests/test_a.py", "slow", outcome="deselected")
    assert not selects(run(), fact("other/test_a.py"), ("tests",))
    assert not selects(run(), test, ("tests",))
    assert selects(run(marks="slow"), test, ("tests",))


def test_an_expression_is_read_as_pytest_reads_it() -> None:
    """Names with dashes and brackets included; what cannot be read is not told."""
    holds = {"slow", "a-b"}.__contains__
    assert evaluate("slow and not (fast or a-c)", holds) is True
    assert evaluate("a-b", holds) is True
    assert evaluate("fast", holds) is False
    assert evaluate("slow and", holds) is None


def test_tests_that_no_run_selects_are_told_by_their_highest_folder() -> None:
    """A folder of which none runs is one finding."""
    (finding,) = found(run("tests/unit"))
    assert (finding.kind, finding.subject) == ("not_in_ci", "tests/e2e")
    assert finding.text == "CI does not run 2 tests of tests/e2e"
    (finding,) = found(run("tests/unit"), run("tests/e2e/test_b.py"))
    assert finding.subject == "tests/e2e/test_c.py"
    assert found(run("tests")) == []


def test_where_a_run_could_not_be_told_nothing_is_claimed() -> None:
    """A variable may stand for the tests that seem to be left out."""
    kinds = {finding.kind for finding in found(run("tests/unit"), run(unknown="a variable"))}
    assert kinds == {"ci_untold"}
    unread = (Unread(where="ci.yml", reason="elsewhere"),)
    assert [finding.text for finding in found(run("tests/unit"), unread=unread)] == [
        "elsewhere",
        "nothing that could be told runs 2 tests of tests/e2e; a part of CI could not be told",
    ]
    assert {finding.kind for finding in found(run("tests/unit"), unread=unread)} == {"ci_untold"}


def test_no_ci_and_a_ci_without_tests_are_told_apart() -> None:
    """Neither is fine."""
    (none,) = find_not_in_ci(Ci(), TESTS, ())
    assert "no CI is set up" in none.text
    (idle,) = found()
    assert idle.text == "CI does not run pytest at all"
    others = Ci(others=("Makefile",), invocations=(run("tests/unit"),))
    (finding,) = find_not_in_ci(others, TESTS, ())
    assert finding.text == "No command of Makefile runs 2 tests of tests/e2e"


def test_a_path_that_ci_names_and_that_is_not_there_is_told() -> None:
    """With the file that names it."""
    ci = Ci(invocations=(run("tests", "tests/gone", ignored=("tests/old",)),))
    findings = list(find_missing_paths(ci, {"tests"}.__contains__))
    assert [(one.subject, one.where) for one in findings] == [
        ("tests/gone", "ci"),
        ("tests/old", "ci"),
    ]
