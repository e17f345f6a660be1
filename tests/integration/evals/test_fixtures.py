"""Fixtures of evals: shared where they are wide, refused where they are narrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.errors import ExitCode
from tierwise.records import RunStore

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., None]
    Run = Callable[..., pytest.RunResult]

FINE = '@evaluate(cases=["a"], trials=20, expect=[at_least("passed", 0.8)])'


def test_a_session_fixture_is_shared_and_named(write: Write, run: Run) -> None:
    """It is set up once, and the table says that all trials share it."""
    write(
        f"""
        made = []

        @pytest.fixture(scope="session")
        def world():
            made.append(1)
            return "world"

        {FINE}
        async def test_it(case, world, trial):
            assert world == "world" and made == [1]
        """
    )
    result = run()
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*shared by all trials: fixtures world"])


@pytest.mark.parametrize(
    ("name", "way_out"),
    [
        ("narrow", "Build it in the body"),
        ("tmp_path", "trial.tmp_path"),
        ("monkeypatch", "factory"),
        ("request", "differs from trial to trial"),
    ],
)
def test_a_function_scoped_fixture_is_refused_with_the_way_out(
    write: Write, run: Run, name: str, way_out: str
) -> None:
    """Concurrent trials must not share what is made for one test."""
    write(
        f"""
        @pytest.fixture
        def narrow():
            return 1

        {FINE}
        async def test_it(case, {name}):
            pass
        """
    )
    result = run()
    assert result.ret == ExitCode.USAGE
    result.stdout.fnmatch_lines([f"*test_it asks for the fixture '{name}'*{way_out}*"])


def test_parametrize_is_refused_with_the_way_out(write: Write, run: Run) -> None:
    """The inputs of a plan are its cases."""
    write(
        f"""
        @pytest.mark.parametrize("x", [1, 2])
        {FINE}
        async def test_it(case, x):
            pass
        """
    )
    result = run()
    assert result.ret == ExitCode.USAGE
    result.stdout.fnmatch_lines(["*test_it is parametrized*@evaluate(cases=*"])


def test_a_parametrized_fixture_is_refused(write: Write, run: Run) -> None:
    """However wide it is, and also when another fixture asks for it."""
    write(
        f"""
        @pytest.fixture(scope="session", params=[1, 2])
        def several(request):
            return request.param

        @pytest.fixture(scope="session")
        def world(several):
            return several

        {FINE}
        async def test_it(case, world):
            pass
        """
    )
    result = run()
    assert result.ret == ExitCode.USAGE
    result.stdout.fnmatch_lines(["*uses the fixture 'several', which is parametrized*"])


def test_an_unknown_fixture_is_pytests_own_error(write: Write, run: Run) -> None:
    """With its list of fixtures, and trials of other evals are run all the same."""
    write(
        f"""
        {FINE}
        async def test_it(case, wrld):
            pass

        {FINE}
        async def test_fine(case):
            pass
        """
    )
    result = run()
    result.assert_outcomes(errors=1, passed=1)
    result.stdout.fnmatch_lines(["*fixture 'wrld' not found*"])


def test_module_fixtures_and_autouse_fixtures_surround_their_own_eval(
    write: Write, run: Run
) -> None:
    """An eval that needs its own set-up runs inside it, on the same scheduler."""
    write(
        f"""
        log = []

        @pytest.fixture(scope="module")
        def world():
            log.append("made")
            yield "world"
            log.append("gone")

        @pytest.fixture(autouse=True)
        def around():
            log.append("before")
            yield
            log.append("after")

        {FINE}
        async def test_it(case, world, trial):
            assert world == "world"
            assert log == ["made", "before"] or log == ["before", "made"]
        """
    )
    assert run().ret == 0


def test_evals_wait_for_what_their_own_file_sets_up(write: Write, run: Run) -> None:
    """The trials of one file do not start before the set-up of another that they need."""
    for name in ("one", "two"):
        write(
            f"""
            is_ready = False

            @pytest.fixture(scope="module", autouse=True)
            def get_ready():
                global is_ready
                is_ready = True
                yield
                is_ready = False

            {FINE}
            async def test_it(case):
                assert is_ready
            """,
            name=f"tests/evals/test_{name}.py",
        )
    result = run()
    result.assert_outcomes(passed=2)


def test_a_session_fixture_that_fails_is_reported_at_its_own_eval(write: Write, run: Run) -> None:
    """Others run without it."""
    write(
        f"""
        @pytest.fixture(scope="session")
        def broken():
            raise RuntimeError("no world today")

        {FINE}
        async def test_fine(case):
            pass

        {FINE}
        async def test_it(case, broken):
            pass
        """
    )
    result = run()
    result.assert_outcomes(errors=1, passed=1)
    result.stdout.fnmatch_lines(["*RuntimeError: no world today*"])


def test_evals_of_two_files_run_in_one_crowd(write: Write, run: Run) -> None:
    """The first eval's trials wait for the second's, so neither could run alone."""
    write(
        """
        import asyncio

        gate = asyncio.Barrier(2)
        """,
        name="conftest.py",
    )
    for name in ("one", "two"):
        write(
            """
            from conftest import gate

            @evaluate(cases=["a"], trials=1, expect=[at_least("passed", 0.01)])
            async def test_it(case):
                await gate.wait()
            """,
            name=f"tests/evals/test_{name}.py",
        )
    result = run("--eval-concurrency", "2", "--import-mode=prepend", "-p", "no:cacheprovider")
    assert result.ret == 0
    result.assert_outcomes(passed=2)


def test_evals_with_session_fixtures_are_in_the_crowd(write: Write, run: Run) -> None:
    """The first eval's turn sets up what the second needs, once."""
    write(
        """
        import asyncio

        gate, made = asyncio.Barrier(2), []

        @pytest.fixture(scope="session")
        def world():
            made.append(1)
            return "world"

        @pytest.fixture(scope="session")
        def town(world):
            return world + "'s town"

        @evaluate(cases=["a"], trials=1, expect=[at_least("passed", 0.01)])
        async def test_one(town):
            await asyncio.wait_for(gate.wait(), 10)
            assert (town, made) == ("world's town", [1])

        @evaluate(cases=["a"], trials=1, expect=[at_least("passed", 0.01)])
        async def test_two(world):
            await asyncio.wait_for(gate.wait(), 10)
            assert (world, made) == ("world", [1])
        """
    )
    result = run()
    result.assert_outcomes(passed=2)


def test_each_eval_gets_the_fixture_that_its_own_folder_means(write: Write, run: Run) -> None:
    """A name that means something else elsewhere waits for its own turn."""
    for name in ("one", "two"):
        fixture = f"""
        @pytest.fixture(scope="session")
        def world():
            return "{name}"
        """
        write(fixture, name=f"tests/evals/{name}/conftest.py")
        write(
            f"""
            {FINE}
            async def test_it(world):
                assert world == "{name}"
            """,
            name=f"tests/evals/{name}/test_it.py",
        )
    result = run("--import-mode=importlib")
    result.assert_outcomes(passed=2)


def test_each_trial_has_a_folder_of_its_own(write: Write, run: Run) -> None:
    """`trial.tmp_path` is empty in each."""
    write(
        f"""
        {FINE}
        def test_it(case, trial):
            assert list(trial.tmp_path.iterdir()) == []
            (trial.tmp_path / "mine").write_text("x")
        """
    )
    assert run().ret == 0


def test_an_eval_that_pytest_would_pass_over_is_refused(write: Write, run: Run) -> None:
    """A declared eval never stays silent; one that was only imported is nobody's mistake."""
    write(
        f"""
        {FINE}
        async def npc_is_discreet(case):
            pass
        """
    )
    result = run()
    assert result.ret == ExitCode.USAGE
    result.stdout.fnmatch_lines(["*npc_is_discreet is an eval whose name*test_npc_is_discreet*"])


def test_an_eval_in_a_unittest_class_is_refused(write: Write, run: Run) -> None:
    """Its methods are called without arguments."""
    write(
        f"""
        import unittest

        class TestThem(unittest.TestCase):
            {FINE}
            def test_it(self, case):
                pass
        """
    )
    result = run()
    assert result.ret == ExitCode.USAGE
    result.stdout.fnmatch_lines(["*TestThem.test_it is an eval in a unittest.TestCase*"])


def test_a_skipped_eval_spends_nothing(project: pytest.Pytester, write: Write, run: Run) -> None:
    """Its trials are not run along with the others'."""
    write(
        f"""
        {FINE}
        async def test_fine(case):
            pass

        @pytest.mark.skip(reason="not today")
        {FINE}
        async def test_it(case):
            pass
        """
    )
    result = run()
    result.assert_outcomes(passed=1, skipped=1)
    with RunStore.open(project.path / ".tierwise" / "records.db") as store:
        (found,) = store.runs()
        names = {trial.eval_id.rpartition("::")[2] for trial in store.trials_of_run(found.run_id)}
    assert names == {"test_fine"}


def test_an_expected_failure_is_a_refuted_eval_and_no_undecided_one(
    write: Write, run: Run
) -> None:
    """What could not be told is no known fault."""
    write(
        """
        @pytest.mark.xfail(reason="ticket 12", strict=True)
        @evaluate(cases=["a"], trials=20, expect=[at_least("passed", 0.8)])
        async def test_known(case):
            assert False

        @pytest.mark.xfail(reason="ticket 13", strict=True)
        @evaluate(cases=["a"], trials=5, expect=[at_least("passed", 0.8)])
        async def test_unknown(case):
            pass
        """
    )
    result = run()
    assert result.ret == ExitCode.UNDECIDED
    outcomes = result.parseoutcomes()
    assert (outcomes["xfailed"], outcomes["undecided"]) == (1, 1)


@pytest.mark.parametrize("plugin", ["pytest_asyncio", "anyio.pytest_plugin", "pytest_timeout"])
def test_plugins_that_run_tests_their_own_way_leave_evals_alone(
    project: pytest.Pytester, write: Write, plugin: str
) -> None:
    """Async bodies stay ours, and a time-out for one test does not cut the trials of all."""
    more = {
        "pytest_asyncio": ("-o", "asyncio_mode=auto"),
        "anyio.pytest_plugin": (),
        "pytest_timeout": ("--timeout=1",),
    }
    write(
        """
        import asyncio

        pytestmark = pytest.mark.anyio if ANYIO else []

        @evaluate(cases=["a"], trials=16, expect=[at_least("passed", 0.8)])
        async def test_it(case):
            await asyncio.sleep(0.4)
        """.replace("ANYIO", str(plugin.startswith("anyio")))
    )
    result = project.runpytest_subprocess(
        *("-p", "tierwise.pytest_plugin", "-p", plugin, "--tier", "evals"),
        *more[plugin],
    )
    assert result.ret == 0, result.stdout.str()
