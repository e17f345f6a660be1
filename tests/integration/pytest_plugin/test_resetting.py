"""A project's own resets, in the sessions that run them."""

from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

OPTIONS = 'pythonpath = ["src"]'
STATE = """
    from tierwise import reset_each_test
    CACHE = {}
    @reset_each_test
    def clear():
        CACHE.clear()
"""
POLLUTERS = """
    import pytest, state
    @pytest.mark.parametrize("n", range(4))
    def test_it(n):
        assert state.CACHE == {}
        state.CACHE[n] = n
"""
TABLE = """
    order = "defined"
    [tool.tierwise.tiers.unit]
    allow = []
"""


def test_state_is_put_back_after_each_test_where_it_is(project: Project, run: Run) -> None:
    """The module that owns the state registers what clears it; nothing else has to be done."""
    project({"src/state.py": STATE, "tests/unit/test_u.py": POLLUTERS}, TABLE, OPTIONS)
    run().assert_outcomes(passed=4)


def test_without_the_reset_the_second_test_fails(project: Project, run: Run) -> None:
    """The fault that the test above would not see if tests did not share their process."""
    state = "CACHE = {}\n"
    project({"src/state.py": state, "tests/unit/test_u.py": POLLUTERS}, TABLE, OPTIONS)
    run().assert_outcomes(passed=1, failed=3)


def test_a_conftest_registers_too_and_workers_do_it_for_themselves(
    project: Project, run_apart: Run
) -> None:
    """Each process has its state and its resets."""
    conftest = """
        import state, tierwise
        tierwise.reset_each_test(state.CACHE.clear)
    """
    files = {
        "src/state.py": "CACHE = {}\n",
        "conftest.py": conftest,
        "tests/unit/test_u.py": POLLUTERS,
    }
    project(files, TABLE, OPTIONS)
    run_apart("-p", "xdist", "-n", "2").assert_outcomes(passed=4)


def test_resets_run_before_the_first_test_after_fixtures_and_in_order(
    project: Project, run: Run
) -> None:
    """A test sees what resets have left, whichever comes first."""
    test = """
        import pytest, tierwise
        SEEN = []
        tierwise.reset_each_test(lambda: SEEN.append("one"))
        tierwise.reset_each_test(lambda: SEEN.append("two"))
        @pytest.fixture
        def thing():
            yield
            SEEN.append("torn down")
        def test_a(thing):
            assert SEEN == ["one", "two"]
        def test_b():
            assert SEEN == ["one", "two", "torn down", "one", "two"]
    """
    project({"tests/unit/test_u.py": test}, TABLE)
    run().assert_outcomes(passed=2)


WIDE = """
    import pytest, state
    @pytest.fixture(scope="module")
    def wide():
        yield
        state.note("wide")
    @pytest.fixture
    def own(wide):
        yield
        state.note("own")
    def test_a(own):
        state.LEFT.append(1)
    def test_b(own):
        state.LEFT.append(1)
"""


def test_resets_come_before_the_end_of_wider_fixtures(project: Project, run: Run) -> None:
    """Whether or not one ends with the test."""
    state = """
        import tierwise
        SEEN, LEFT = [], []
        note = SEEN.append
        tierwise.reset_each_test(lambda: note("reset"))
    """
    last = """
        import state
        def test_c():
            assert state.SEEN == ["reset", "own", "reset", "own", "reset", "wide"]
    """
    files = {"src/state.py": state, "tests/unit/test_u.py": WIDE, "tests/unit/test_v.py": last}
    project(files, TABLE, OPTIONS)
    run().assert_outcomes(passed=3)


@pytest.mark.parametrize(("reset", "failed"), [("LEFT.clear()", 0), ("pass", 2)])
def test_what_is_reset_is_not_left_behind(
    project: Project, run: Run, reset: str, failed: int
) -> None:
    """Watchers of state look when resets have run."""
    state = f"""
        import tierwise
        LEFT = []
        note = str
        @tierwise.reset_each_test
        def reset():
            {reset}
    """
    table = f'packages = ["src"]\n{TABLE}\n[tool.tierwise.state]\nmodules = "fail"\n'
    project({"src/state.py": state, "tests/unit/test_u.py": WIDE}, table, OPTIONS)
    result = run()
    assert result.parseoutcomes().get("error", result.parseoutcomes().get("errors", 0)) == failed


def test_a_reset_registered_while_tests_run_counts_from_then_on(
    project: Project, run: Run
) -> None:
    """As that of a module which a test imports."""
    test = """
        def test_a():
            import state
            state.CACHE["a"] = 1
        def test_b():
            import state
            assert state.CACHE == {}
    """
    project({"src/state.py": STATE, "tests/unit/test_u.py": test}, TABLE, OPTIONS)
    run().assert_outcomes(passed=2)


def test_a_reset_registered_before_the_session_counts(project: Project, run_apart: Run) -> None:
    """A plugin that imports the project comes before tierwise."""
    project({"src/state.py": STATE, "tests/unit/test_u.py": POLLUTERS}, TABLE, OPTIONS)
    plugin = "import sys; sys.path.insert(0, 'src'); import state\n"
    project({"early.py": plugin}, TABLE, OPTIONS)
    run_apart("-p", "early").assert_outcomes(passed=4)


def test_a_reset_that_raises_is_an_error_of_its_test_and_named(project: Project, run: Run) -> None:
    """With its traceback; the other resets run, and the test itself stays as it was."""
    test = """
        import tierwise
        SEEN = []
        @tierwise.reset_each_test
        def break_it():
            if SEEN:
                raise ZeroDivisionError("no such thing")
        tierwise.reset_each_test(lambda: SEEN.append("ran"))
        def test_a():
            assert SEEN == ["ran"]
        def test_b():
            assert SEEN == ["ran", "ran"]
    """
    project({"tests/unit/test_u.py": test}, TABLE)
    result = run()
    result.assert_outcomes(passed=2, errors=2)
    result.stdout.fnmatch_lines(
        [
            "*ERROR at teardown of test_a*",
            ">*raise ZeroDivisionError*",
            "*in the reset *test_u.break_it, registered by tierwise.reset_each_test*",
        ]
    )


def test_resets_that_raise_are_told_beside_each_other_and_beside_a_fixture(
    project: Project, run: Run
) -> None:
    """Nothing hides anything."""
    test = """
        import pytest, tierwise
        ARMED = []
        def first():
            if ARMED:
                raise ValueError("first trouble")
        def second():
            if ARMED:
                raise ValueError("second trouble")
        tierwise.reset_each_test(first)
        tierwise.reset_each_test(second)
        def test_both():
            ARMED.append(1)
        @pytest.fixture
        def broken():
            yield
            raise RuntimeError("trouble of the fixture")
        def test_with_fixture(broken): pass
    """
    project({"tests/unit/test_u.py": test}, TABLE)
    result = run()
    result.assert_outcomes(passed=2, errors=2)
    result.stdout.fnmatch_lines(["*2 resets raised*", "*first trouble*", "*second trouble*"])
    result.stdout.fnmatch_lines(
        ["*RuntimeError: trouble of the fixture", "*test_u.first*", "*first trouble"]
    )


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("pytest.skip('not today')", "*It skipped (not today)*"),
        ("open('/etc/hostname')", "*TW-FILE*"),
        ("pytest.fail('on purpose')", "*on purpose*"),
    ],
)
def test_a_reset_can_neither_skip_its_test_nor_do_more_than_it_may(
    project: Project, run: Run, body: str, shown: str
) -> None:
    """It acts under the policy of its test, and whatever it raises is an error."""
    test = f"""
        import pytest, tierwise
        RUN = []
        def reset():
            if RUN:
                {body}
        tierwise.reset_each_test(reset)
        def test_a():
            RUN.append(1)
    """
    project({"tests/unit/test_u.py": test}, TABLE)
    result = run()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines([shown])


def test_a_session_inside_has_its_own_resets(project: Project, run: Run) -> None:
    """They are gone with it, and those of the session outside are not run in it."""
    outer = """
        import tierwise
        SEEN = []
        tierwise.reset_each_test(lambda: SEEN.append("outer"))
        def test_a(pytester):
            pytester.makepyfile(test_inner='''
                import tierwise
                SEEN = []
                tierwise.reset_each_test(lambda: SEEN.append("inner"))
                def test_a(): assert SEEN == ["inner"]
            ''')
            inner = pytester.runpytest_inprocess("-p", "tierwise.pytest_plugin")
            inner.assert_outcomes(passed=1)
            assert SEEN == ["outer"]
        def test_b():
            assert SEEN == ["outer", "outer"]
    """
    table = '[tool.tierwise.tiers.unit]\nallow = ["tmp", "read", "write"]\n'
    project(
        {"conftest.py": "pytest_plugins = ['pytester']\n", "tests/unit/test_u.py": outer}, table
    )
    run("--order-seed", "1", "-k", "test_a").assert_outcomes(passed=1, deselected=1)


def test_nothing_runs_where_tierwise_is_off(project: Project, run_apart: Run) -> None:
    """Off is inert; to report is to run what the project itself asks for."""
    test = """
        import tierwise
        tierwise.reset_each_test(lambda: 1 / 0)
        def test_a(): pass
    """
    project({"tests/unit/test_u.py": test}, TABLE)
    run_apart("--tierwise-mode", "off").assert_outcomes(passed=1)
    run_apart("--tierwise-mode", "report").assert_outcomes(errors=2)
