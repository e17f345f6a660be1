"""What collecting made is kept from the garbage collector, in large suites that are enforced."""

from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

SUITE = {
    "tests/unit/test_many.py": """
        import gc, weakref
        import pytest

        @pytest.mark.parametrize("n", range({n}))
        def test_nothing(n): pass

        def test_frozen():
            # Python 3.12 sets some hundreds of its own objects aside.
            assert gc.get_freeze_count() > 5000, "nothing is set aside"

        def test_what_a_test_makes_is_collected():
            class Knot: pass
            knot = Knot()
            knot.self, seen = knot, weakref.ref(knot)
            del knot
            gc.collect()
            assert seen() is None
    """,
    "conftest.py": """
        import gc
        import pytest

        @pytest.hookimpl(trylast=True)
        def pytest_unconfigure():
            print(f"is left frozen: {{gc.get_freeze_count() > 5000}}")
    """,
}


def suite_of(n: int) -> dict[str, str]:
    return {name: text.format(n=n) for name, text in SUITE.items()}


def test_a_large_suite_is_set_aside_and_given_back(project: Project, run_apart: Run) -> None:
    """While tests run nothing of the collection is walked; at the end all of it is again."""
    project(suite_of(600))
    result = run_apart("-q")
    result.assert_outcomes(passed=602)
    result.stdout.fnmatch_lines(["*is left frozen: False*"])


@pytest.mark.parametrize(
    ("n", "mode"), [(600, "report"), (100, "enforce")], ids=["report mode", "few tests"]
)
def test_nothing_else_is_changed(project: Project, run_apart: Run, n: int, mode: str) -> None:
    """Report mode leaves the collector alone, and so does a suite that ends before it costs."""
    project(suite_of(n))
    result = run_apart("-q", "--tierwise-mode", mode)
    result.assert_outcomes(passed=n + 1, failed=1)
    result.stdout.fnmatch_lines(["*nothing is set aside*"])


@pytest.mark.parametrize(("n", "n_seen"), [(600, 0), (100, 1)])
def test_what_is_kept_of_process_state_is_set_aside_too(
    project: Project, run_apart: Run, n: int, n_seen: int
) -> None:
    """It is made with the first test, after the collection; in a small suite it is not."""
    body = f"""
        import gc
        import pytest

        @pytest.mark.parametrize("n", range({n}))
        def test_nothing(n): pass

        def test_seen():
            names = [type(one).__name__ for one in gc.get_objects()]
            assert names.count("Baseline") == {n_seen}
    """
    project({"tests/unit/test_many.py": body})
    run_apart("-q").assert_outcomes(passed=n + 1)
