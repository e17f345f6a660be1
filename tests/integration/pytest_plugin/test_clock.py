"""The fixture `clock` in pytest sessions: policies, plugins, workers and durations."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

UNIT = """
[tool.tierwise]
packages = []

[tool.tierwise.tiers.unit]
question = "Is it right?"
level = "unit"
paths = ["test_*.py"]
allow = []
"""


def test_a_virtual_wait_is_no_sleep(pytester: pytest.Pytester) -> None:
    """A unit tier that allows nothing lets a test sleep by the clock, and by no other."""
    pytester.makefile(".toml", pyproject=UNIT)
    pytester.makepyfile(
        """
        import asyncio, threading, time

        def test_virtual(clock):
            time.sleep(3600)
            asyncio.run(asyncio.sleep(3600))
            threading.Event().wait(3600)

        def test_real(): time.sleep(0.001)
        """
    )
    result = pytester.runpytest("-p", "no:randomly")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*TW-SLEEP*test_real*"])


def test_a_failing_test_leaves_real_time_behind(pytester: pytest.Pytester) -> None:
    """Neither an error in the test nor one in a later fixture keeps time virtual."""
    pytester.makepyfile(
        """
        import time
        import pytest

        START = time.monotonic()

        @pytest.fixture
        def broken(clock):
            time.sleep(1e6)
            raise ValueError

        def test_a(clock):
            time.sleep(1e6)
            assert False

        def test_b(broken): pass

        def test_c(): assert time.monotonic() - START < 1000
        """
    )
    result = pytester.runpytest("-p", "no:randomly", "-p", "no:tierwise_order")
    result.assert_outcomes(passed=1, failed=1, errors=1)


def test_durations_stay_real(pytester: pytest.Pytester) -> None:
    """Durations are measured by the machine's time: an hour that was skipped is no slow test."""
    pytester.makepyfile("import time\ndef test_it(clock): time.sleep(36_000)\n")
    pytester.makeconftest(
        """
        def pytest_runtest_logreport(report):
            assert 0 <= report.duration < 3600, report
        """
    )
    result = pytester.runpytest("--durations=3")
    result.assert_outcomes(passed=1)
    assert result.ret == 0


def test_both_plugins_for_coroutines_have_virtual_time(pytester: pytest.Pytester) -> None:
    """Tests of pytest-asyncio and of anyio sleep by the clock, on loops made before or after."""
    pytester.makepyfile(
        """
        import asyncio
        import anyio
        import pytest
        import pytest_asyncio

        @pytest_asyncio.fixture
        async def early():
            return asyncio.get_running_loop().time()

        @pytest.mark.asyncio
        async def test_asyncio(early, clock):
            await asyncio.sleep(3600)
            assert round(asyncio.get_running_loop().time() - early) >= 3600

        @pytest.fixture
        def anyio_backend(): return "asyncio"

        @pytest.mark.anyio
        async def test_anyio(clock):
            with anyio.move_on_after(3600):
                await anyio.sleep(7200)
            assert round(clock.elapsed) == 3600
        """
    )
    pytester.runpytest("-o", "asyncio_mode=strict").assert_outcomes(passed=2)


def test_workers_have_clocks_of_their_own(pytester: pytest.Pytester) -> None:
    """Under pytest-xdist each worker's tests have virtual time, from threads as well."""
    pytester.makepyfile(
        """
        import threading, time
        import pytest

        @pytest.mark.parametrize("n", range(6))
        def test_it(n, clock):
            thread = threading.Thread(target=time.sleep, args=(3600,))
            thread.start()
            thread.join(7200)
            assert not thread.is_alive()
            assert clock.elapsed == 3600
        """
    )
    pytester.runpytest("-n", "2").assert_outcomes(passed=6)


def test_hypothesis_does_not_mistake_virtual_hours_for_slow_examples(
    pytester: pytest.Pytester,
) -> None:
    """A deadline of Hypothesis is one of the machine's time."""
    pytester.makepyfile(
        """
        import time
        from hypothesis import given, settings, strategies
        from tierwise.clock import VirtualClock

        @settings(max_examples=5, database=None)
        @given(strategies.integers(0, 9))
        def wait(n):
            time.sleep(3600)

        def test_it():
            with VirtualClock():
                wait()
        """
    )
    pytester.runpytest().assert_outcomes(passed=1)


def test_a_test_that_would_hang_shows_its_own_line_and_no_code_of_the_clock(
    pytester: pytest.Pytester,
) -> None:
    """Whoever waits in a coroutine is no part of the traceback, so that nothing cuts it."""
    pytester.makefile(".toml", pyproject=UNIT)
    pytester.makepyfile(
        """
        import asyncio, threading

        def test_thread(clock): threading.Event().wait()

        def test_loop(clock): asyncio.run(asyncio.Event().wait())
        """
    )
    result = pytester.runpytest("-p", "no:randomly")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*TW-CLOCK*", "*TW-CLOCK*"])
    result.stdout.no_fnmatch_line("*sandbox?clock?*.py:*")
    result.stdout.no_fnmatch_line("*pytest_plugin?phases.py:*")
