"""Waits of threads and event loops take virtual time only, in the order of their deadlines."""

from __future__ import annotations

import asyncio
import queue
import sys
import threading
import time
import types
from concurrent.futures import ThreadPoolExecutor, TimeoutError as FutureTimeoutError, wait
from typing import TYPE_CHECKING

import anyio
import pytest
import stamina
import tenacity

from tierwise.errors import ClockError

if TYPE_CHECKING:
    from tierwise.clock import VirtualClock


def test_sleeping_passes_time(clock: VirtualClock) -> None:
    """An hour is slept in no time, in a tier that allows no sleep."""
    time.sleep(3600)
    assert clock.elapsed == 3600


def test_sleep_is_as_strict_as_ever(clock: VirtualClock) -> None:
    """A negative or meaningless length is the same error as without a clock; zero only yields."""
    time.sleep(0)
    with pytest.raises(ValueError, match="non-negative"):
        time.sleep(-1)
    with pytest.raises(TypeError):
        time.sleep("1")  # type: ignore[arg-type]
    assert clock.elapsed == 0


def test_asyncio_sleeps(clock: VirtualClock) -> None:
    """A coroutine sleeps an hour, and the loop's own clock agrees."""

    async def main() -> float:
        before = asyncio.get_running_loop().time()
        await asyncio.sleep(3600)
        return asyncio.get_running_loop().time() - before

    assert asyncio.run(main()) == pytest.approx(3600)
    assert clock.elapsed == pytest.approx(3600)


def test_asyncio_times_out(clock: VirtualClock) -> None:
    """All ways to limit a wait run out at their moment."""

    async def main() -> list[float]:
        seen = []
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(60):
                await asyncio.sleep(10_000)
        seen.append(clock.elapsed)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 30)
        seen.append(clock.elapsed)
        _, pending = await asyncio.wait([asyncio.create_task(asyncio.sleep(99))], timeout=5)
        seen.append(clock.elapsed)
        assert len(pending) == 1
        return seen

    assert asyncio.run(main()) == pytest.approx([60, 90, 95])


def test_a_group_of_tasks_finishes_by_deadline(clock: VirtualClock) -> None:
    """Tasks go on in the order of time and not of their start."""
    seen: list[tuple[int, float]] = []

    async def one(seconds: int) -> None:
        await asyncio.sleep(seconds)
        seen.append((seconds, round(clock.elapsed, 6)))

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            for seconds in (30, 10, 20):
                group.create_task(one(seconds))

    asyncio.run(main())
    assert seen == [(10, 10), (20, 20), (30, 30)]


def test_anyio_follows(clock: VirtualClock) -> None:
    """Sleeps, scopes and worker threads of anyio live by the same time."""

    async def main() -> None:
        with anyio.move_on_after(100) as scope:
            await anyio.sleep(10_000)
        assert scope.cancelled_caught
        await anyio.to_thread.run_sync(time.sleep, 5)

    anyio.run(main)
    assert clock.elapsed == pytest.approx(105)


def test_a_blocking_sleep_in_a_thread_passes_time_for_the_loop(clock: VirtualClock) -> None:
    """A loop that awaits a sleeping thread sees the time that the thread slept."""
    asyncio.run(asyncio.to_thread(time.sleep, 2))
    assert clock.elapsed == 2


def test_a_loop_in_a_thread_follows(clock: VirtualClock) -> None:
    """An event loop beside the test's own thread shares its time."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, asyncio.sleep(50)).result(timeout=60)
    assert clock.elapsed == pytest.approx(50)


def test_every_wait_of_threading_runs_out(clock: VirtualClock) -> None:
    """Events, queues, conditions, semaphores, barriers and futures run out at their moment."""
    assert not threading.Event().wait(10)
    with pytest.raises(queue.Empty):
        queue.Queue[int]().get(timeout=10)
    condition = threading.Condition()
    with condition:
        assert not condition.wait_for(lambda: False, timeout=10)
    assert not threading.Semaphore(0).acquire(timeout=10)
    with pytest.raises(threading.BrokenBarrierError):
        threading.Barrier(2).wait(10)
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(FutureTimeoutError):
            pool.submit(time.sleep, 15).result(timeout=10)
        assert clock.elapsed == 60
    assert clock.elapsed == 65


def test_a_wait_that_is_notified_ends_at_that_moment(clock: VirtualClock) -> None:
    """Who is notified after three seconds has waited three seconds, not all it would have."""
    done = threading.Event()
    timer = threading.Timer(3, done.set)
    timer.start()
    assert done.wait(1000)
    assert clock.elapsed == 3
    timer.join()


def test_joining_a_thread_waits_for_its_sleep(clock: VirtualClock) -> None:
    """A join runs out, or ends with the thread."""
    thread = threading.Thread(target=time.sleep, args=(100,))
    thread.start()
    thread.join(timeout=40)
    assert thread.is_alive()
    thread.join()
    assert clock.elapsed == 100


def test_threads_take_turns_by_deadline(clock: VirtualClock) -> None:
    """Two threads with different rhythms meet in the order of virtual time, every run."""
    seen: list[tuple[str, float]] = []

    def work(name: str, rhythm: float) -> None:
        for _ in range(3):
            time.sleep(rhythm)
            seen.append((name, round(clock.elapsed, 3)))

    threads = [threading.Thread(target=work, args=args) for args in (("a", 1), ("b", 1.6))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [("a", 1), ("b", 1.6), ("a", 2), ("a", 3), ("b", 3.2), ("b", 4.8)]


def test_time_stands_still_while_a_thread_works(clock: VirtualClock) -> None:
    """A limit does not run out because another thread is busy."""
    total: list[int] = []
    thread = threading.Thread(target=lambda: total.append(sum(range(300_000))))
    thread.start()
    thread.join(timeout=1e-6)
    assert total
    assert clock.elapsed == 0


def test_a_thread_that_left_its_last_line_is_not_waited_for(clock: VirtualClock) -> None:
    """Python calls it alive for a moment yet, in which no time may pass."""

    class Lingering(threading.Thread):
        def is_alive(self) -> bool:
            return True

    thread = Lingering()
    thread.start()
    thread.join(timeout=1)
    assert clock.elapsed == 0


def test_a_pool_of_threads_is_no_obstacle(clock: VirtualClock) -> None:
    """Workers that have nothing to do do not hold time up."""
    with ThreadPoolExecutor(3) as pool:
        jobs = [pool.submit(time.sleep, seconds) for seconds in range(1, 7)]
        done, _ = wait(jobs, timeout=100)
        assert len(done) == 6
        time.sleep(1000)
    assert clock.elapsed == 1009


def test_retries_of_tenacity_take_no_time(clock: VirtualClock) -> None:
    """Back-off of nine waits, sync and async, is counted to the second."""

    @tenacity.retry(
        wait=tenacity.wait_exponential(), stop=tenacity.stop_after_attempt(10), reraise=True
    )
    def work() -> None:
        raise OSError

    @tenacity.retry(
        wait=tenacity.wait_fixed(400), stop=tenacity.stop_after_delay(3600), reraise=True
    )
    async def work_async() -> None:
        raise OSError

    with pytest.raises(OSError):  # noqa: PT011  the very error
        work()
    assert clock.elapsed == 511
    with pytest.raises(OSError):  # noqa: PT011  the very error
        asyncio.run(work_async())
    assert clock.elapsed == pytest.approx(4111)


def test_retries_of_stamina_take_no_time(clock: VirtualClock) -> None:
    """Its limit over all attempts is kept by the same time as its sleeps."""

    @stamina.retry(
        on=OSError, attempts=4, wait_initial=60, wait_max=60, wait_jitter=0, timeout=None
    )
    async def work() -> None:
        raise OSError

    with pytest.raises(OSError):  # noqa: PT011  the very error
        asyncio.run(work())
    assert clock.elapsed == pytest.approx(180)


def test_nobody_waits_really_where_nothing_else_is_under_way(
    clock: VirtualClock, real_pauses: list[float]
) -> None:
    """An hour of sleeps, time-outs and back-off in one thread costs not one real pause."""

    @tenacity.retry(wait=tenacity.wait_fixed(400), stop=tenacity.stop_after_attempt(10))
    async def tried() -> None:
        raise OSError

    @stamina.retry(on=OSError, attempts=4, wait_initial=60, wait_max=60, timeout=None)
    async def tried_too() -> None:
        raise OSError

    async def main() -> None:
        await asyncio.sleep(3600)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(60):
                await anyio.sleep(3600)
        with pytest.raises(tenacity.RetryError):
            await tried()
        with pytest.raises(OSError):  # noqa: PT011  the very error
            await tried_too()

    time.sleep(3600)
    assert not threading.Event().wait(3600)
    asyncio.run(main())
    assert clock.elapsed > 3 * 3600
    assert real_pauses == []


def test_a_thread_that_was_blocked_before_costs_nothing(real_pauses: list[float]) -> None:
    """Whoever was blocked when the clock began, and still is, holds nothing up."""
    from tierwise.clock import VirtualClock  # noqa: PLC0415  after the thread has started

    gate = threading.Lock()
    gate.acquire()
    thread = threading.Thread(target=gate.acquire)
    thread.start()
    with VirtualClock() as clock:
        time.sleep(1)  # it may be on its way to the lock still
        real_pauses.clear()
        time.sleep(3600)
        assert clock.elapsed == 3601
    gate.release()
    thread.join()
    assert sum(real_pauses) < 0.05


def test_a_worker_without_work_costs_next_to_nothing(
    clock: VirtualClock, real_pauses: list[float]
) -> None:
    """An executor that has done its work does not make time wait."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result()
        time.sleep(3600)
    assert sum(real_pauses) < 0.05


def test_a_deadlock_of_threads_names_who_waits(clock: VirtualClock) -> None:
    """Instead of hanging, the test fails with each thread, what it waits for and where."""
    go = threading.Event()
    thread = threading.Thread(target=go.wait, name="the worker")
    thread.start()
    with pytest.raises(ClockError) as raised:
        queue.Queue[int]().get()
    go.set()
    thread.join()
    assert "thread 'the worker' waits for a notification" in str(raised.value)
    assert "thread 'MainThread' waits for a notification" in str(raised.value)
    assert "test_waiting.py" in str(raised.value)


def test_a_deadlock_of_tasks_names_who_waits(clock: VirtualClock) -> None:
    """The tasks of the loop are named with the line that each stands at."""

    async def never() -> None:
        await asyncio.Event().wait()

    async def main() -> None:
        await asyncio.create_task(never(), name="the writer")

    with pytest.raises(ClockError) as raised:
        asyncio.run(main())
    assert "task 'the writer' waits at" in str(raised.value)
    assert "test_waiting.py" in str(raised.value)


def test_a_loop_out_of_reach_is_refused(clock: VirtualClock) -> None:
    """A loop that is not asyncio's own, such as uvloop's, is refused when it starts to run."""

    class Loop(asyncio.AbstractEventLoop):
        """A loop of another package."""

    with pytest.raises(
        ClockError, match=r"Loop, which waits where the clock cannot.*SelectorEventLoop"
    ):
        asyncio._set_running_loop(Loop())
    assert asyncio._get_running_loop() is None


@pytest.mark.parametrize("name", ["uvloop.Loop.run_forever", "trio.run"])
def test_packages_that_wait_in_their_own_way_are_refused_at_their_start(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they start with says why not, and is itself again after the clock."""
    from tierwise.clock import VirtualClock  # noqa: PLC0415  after the packages are there

    package, *path, last = name.split(".")
    module = holder = types.ModuleType(package)
    for part in path:
        setattr(holder, part, type(part, (), {"run_until_complete": None}))
        holder = getattr(holder, part)
    setattr(holder, last, int)
    monkeypatch.setitem(sys.modules, package, module)
    with VirtualClock(), pytest.raises(ClockError, match=f"is one of {package}, which waits"):
        getattr(holder, last)()
    assert getattr(holder, last)() == 0


async def test_an_async_test_uses_the_clock(clock: VirtualClock) -> None:
    """A test that pytest-asyncio runs, on a loop of the plugin's, has virtual time as well."""
    await asyncio.sleep(3600)
    assert clock.elapsed == pytest.approx(3600)
