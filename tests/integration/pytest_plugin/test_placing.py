from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]


def tiers_of(result: pytest.RunResult) -> dict[str, str]:
    """Return how many tests passed in which tier, from the foot."""
    rows = [line.split() for line in result.outlines if " passed  " in line]
    return {name: count for name, count, *_ in rows}


def test_a_test_s_own_mark_moves_that_test_alone(project: Project, run: Run) -> None:
    """Tests of one module stand together, but for those that say where they stand."""
    project(
        {
            "tests/unit/test_u.py": """
                import pytest
                @pytest.mark.tier("integration")
                def test_first(tmp_path): (tmp_path / "x").write_text("x")
                def test_second(): pass
                @pytest.mark.allow("tmp", reason="writes a file")
                def test_third(tmp_path): (tmp_path / "x").write_text("x")
                def test_fourth(tmp_path): (tmp_path / "x").write_text("x")
            """
        }
    )
    result = run("--order-seed", "1")
    result.assert_outcomes(passed=3, failed=1)
    assert "FAILED tests/unit/test_u.py::test_fourth" in result.stdout.str()
    result.stdout.fnmatch_lines(["unit *2 passed, 1 failed*", "integration *1 passed*"])


def test_a_module_s_mark_is_judged_where_its_tests_stand(project: Project, run: Run) -> None:
    """A costly allowance of a module is no misuse when each test names a deliberate tier."""
    project(
        {
            "tests/unit/test_u.py": """
                import pytest
                pytestmark = pytest.mark.allow("network", reason="asks a server")
                @pytest.mark.tier("evals")
                def test_it(): pass
            """
        }
    )
    run("--tier", "evals").assert_outcomes(passed=1)


def test_a_class_stands_where_it_says(project: Project, run: Run) -> None:
    """The tests of a class and those beside it have a place each."""
    project(
        {
            "tests/unit/test_u.py": """
                import pytest
                def test_before(): pass
                @pytest.mark.tier("e2e")
                class TestAll:
                    def test_one(self): pass
                    def test_two(self): pass
                class TestOthers:
                    def test_three(self): pass
                def test_after(): pass
            """
        }
    )
    assert tiers_of(run()) == {"unit": "3", "e2e": "2"}


def test_items_of_one_file_stand_where_their_own_paths_say(project: Project, run: Run) -> None:
    """A plugin may collect one list of tests that lie in several folders."""
    project(
        {
            "conftest.py": """
                import pytest
                class Case(pytest.Item):
                    def runtest(self): pass
                class Listing(pytest.File):
                    def collect(self):
                        for line in self.path.read_text().split():
                            path = self.config.rootpath / line
                            yield Case.from_parent(self, name=line, path=path)
                def pytest_collect_file(file_path, parent):
                    if file_path.suffix == ".list":
                        return Listing.from_parent(parent, path=file_path)
            """,
            "all.list": "tests/unit/a tests/e2e/b tests/unit/c",
        }
    )
    assert tiers_of(run()) == {"unit": "2", "e2e": "1"}


def test_a_test_that_ran_elsewhere_is_counted_where_it_stands(project: Project, run: Run) -> None:
    """A plugin may run each test in a process of its own and hand the reports on."""
    project(
        {
            "conftest.py": """
                import pytest
                @pytest.hookimpl(tryfirst=True)
                def pytest_runtest_protocol(item):
                    for when in ("setup", "call", "teardown"):
                        report = pytest.TestReport(
                            item.nodeid, item.location, {}, "passed", None, when
                        )
                        item.ihook.pytest_runtest_logreport(report=report)
                    return True
            """,
            "tests/unit/test_u.py": "def test_a(): pass\ndef test_b(): pass\n",
            "tests/e2e/test_e.py": "def test_it(): pass\n",
        }
    )
    assert tiers_of(run()) == {"unit": "2", "e2e": "1"}
