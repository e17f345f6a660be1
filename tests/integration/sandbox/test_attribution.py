"""Whose touch is it? Threads, executors, tasks, contexts, nested sessions."""

from __future__ import annotations

import _thread
import asyncio
import contextlib
import contextvars
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Allowance, Capability, Mode
from tierwise.errors import MisuseError
from tierwise.sandbox import Policy, PolicyViolation, Sandbox, touch
from tierwise.sandbox.slot import SLOT

if TYPE_CHECKING:
    from collections.abc import Callable


def report_only(subject: str) -> Policy:
    return Policy(subject=subject, tier="unit", mode=Mode.REPORT)


def read_far() -> None:
    Path("/etc/passwd").read_bytes()


def subjects(sandbox: Sandbox) -> list[str]:
    return sorted(violation.subject for violation in sandbox.pending())


def run_in_thread(function: Callable[[], None]) -> None:
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()


def run_in_timer(function: Callable[[], None]) -> None:
    timer = threading.Timer(0, function)
    timer.start()
    timer.join()


def run_in_bare_thread(function: Callable[[], None]) -> None:
    done = threading.Event()

    def work() -> None:
        try:
            function()
        finally:
            done.set()

    _thread.start_new_thread(work, ())
    done.wait(60)


def run_in_executor(function: Callable[[], None]) -> None:
    with ThreadPoolExecutor(1) as executor:
        executor.submit(function).result()


def run_by_map(function: Callable[[], None]) -> None:
    with ThreadPoolExecutor(1) as executor:
        list(executor.map(lambda _: function(), [1]))


def run_by_asyncio(function: Callable[[], None]) -> None:
    asyncio.run(asyncio.to_thread(function))


def run_in_empty_context(function: Callable[[], None]) -> None:
    run_in_thread(lambda: contextvars.Context().run(function))


def run_in_grandchild(function: Callable[[], None]) -> None:
    run_in_thread(lambda: run_in_thread(function))


RUNNERS = {
    "thread": run_in_thread,
    "timer": run_in_timer,
    "bare thread": run_in_bare_thread,
    "executor": run_in_executor,
    "executor map": run_by_map,
    "asyncio.to_thread": run_by_asyncio,
    "empty context": run_in_empty_context,
    "thread of a thread": run_in_grandchild,
}


@pytest.mark.parametrize("run", RUNNERS.values(), ids=RUNNERS)
def test_a_thread_belongs_to_who_started_it(
    sandbox: Sandbox, run: Callable[[Callable[[], None]], None]
) -> None:
    """However a thread was started, its touches belong to the test that did."""
    with sandbox.acting(report_only("a")):
        run(read_far)
    assert subjects(sandbox) == ["a"]


@pytest.mark.parametrize("run", RUNNERS.values(), ids=RUNNERS)
def test_a_thread_keeps_a_policy_of_its_context(
    sandbox: Sandbox, run: Callable[[Callable[[], None]], None]
) -> None:
    """A policy that acts here is inherited by threads that are started here."""
    with sandbox.acting(report_only("session")), sandbox.acting_here(report_only("here")):
        run(read_far)
    assert subjects(sandbox) == ["here"]


@pytest.mark.parametrize("run", RUNNERS.values(), ids=RUNNERS)
def test_a_thread_of_nobody_is_nobodys(
    sandbox: Sandbox, run: Callable[[Callable[[], None]], None]
) -> None:
    """A thread that the harness starts, or that starts outside any phase, is not judged."""
    run(read_far)
    with sandbox.acting(report_only("a")), sandbox.suspended():
        run(read_far)
        read_far()
    assert subjects(sandbox) == []


POOL_CALLS: dict[str, Callable[[ThreadPool, Callable[[object], None]], object]] = {
    "apply": lambda pool, work: pool.apply(work, (1,)),
    "apply_async": lambda pool, work: pool.apply_async(func=work, args=(1,)).get(60),
    "map": lambda pool, work: pool.map(work, [1]),
    "map in chunks": lambda pool, work: pool.map(work, [1, 2, 3], chunksize=2),
    "map_async": lambda pool, work: pool.map_async(work, [1]).get(60),
    "starmap": lambda pool, work: pool.starmap(work, [(1,)]),
    "imap": lambda pool, work: list(pool.imap(work, [1])),
    "imap in chunks": lambda pool, work: list(pool.imap(work, [1, 2, 3], 2)),
    "imap_unordered": lambda pool, work: list(pool.imap_unordered(work, [1])),
}


@pytest.mark.parametrize("call", POOL_CALLS.values(), ids=POOL_CALLS)
@pytest.mark.parametrize("made_by", ["nobody", "another"])
def test_work_in_a_shared_pool_belongs_to_who_gave_it(
    sandbox: Sandbox,
    call: Callable[[ThreadPool, Callable[[object], None]], object],
    made_by: str,
) -> None:
    """A pool of threads that outlives tests does not blame, or excuse, whoever made it."""
    act = sandbox.suspended() if made_by == "nobody" else sandbox.acting(report_only("maker"))
    with act:
        pool = ThreadPool(1)
    with pool:
        with sandbox.acting(report_only("giver")):
            call(pool, lambda _: read_far())
        call(pool, lambda _: read_far())
    assert set(subjects(sandbox)) == {"giver"}


def test_a_violation_in_a_pool_reaches_who_waits(sandbox: Sandbox) -> None:
    """The pool's worker would die of a violation, and whoever waits would wait forever."""
    with (
        sandbox.acting(Policy(subject="a", tier="unit")),
        ThreadPool(1) as pool,
        pytest.raises(RuntimeError, match="TW-FILE  a opened"),
    ):
        pool.apply_async(read_far).get(10)
    assert subjects(sandbox) == ["a"]


def test_a_late_thread_belongs_to_its_own_test(sandbox: Sandbox) -> None:
    """Work that goes on after its test ended is judged by that test's policy, not the next's."""
    go = threading.Event()

    def work() -> None:
        go.wait()
        read_far()

    with sandbox.acting(report_only("first")):
        thread = threading.Thread(target=work)
        thread.start()
    with sandbox.acting(Policy(subject="second", allow=(Allowance(capability=Capability.READ),))):
        go.set()
        thread.join()
    assert sandbox.take("second") == ()
    assert [each.subject for each in sandbox.take("first")] == ["first"]


def test_an_ended_thread_leaves_nothing_to_the_next(sandbox: Sandbox) -> None:
    """The system gives idents out again: a new thread must not inherit from a dead one."""
    with sandbox.acting(report_only("first")):
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()
    assert thread.ident not in SLOT.threads
    for _ in range(20):
        run_in_thread(read_far)
    assert subjects(sandbox) == []


def test_a_shared_executor_works_for_who_submits(sandbox: Sandbox) -> None:
    """An executor outlives the test that made it; each piece of work belongs to its submitter."""
    with ThreadPoolExecutor(1) as executor:
        with sandbox.acting(report_only("first")):
            executor.submit(int).result()
        with sandbox.acting(report_only("second")):
            executor.submit(read_far).result()
        executor.submit(touch, Capability.MODEL, "x").result()
    assert subjects(sandbox) == ["second"]


def test_a_shared_loop_works_for_who_asks(sandbox: Sandbox) -> None:
    """A loop in a thread of its own belongs to one test; a coroutine given to it to another."""
    loop = asyncio.new_event_loop()

    async def read_in_task() -> None:
        await asyncio.create_task(asyncio.to_thread(read_far))

    with sandbox.acting(report_only("first")):
        thread = threading.Thread(target=loop.run_forever)
        thread.start()
    with sandbox.acting(report_only("second")):
        asyncio.run_coroutine_threadsafe(read_in_task(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
    assert subjects(sandbox) == ["second"]


def test_policies_of_tasks_do_not_meet(sandbox: Sandbox) -> None:
    """Concurrent trials act side by side, each under its own policy."""

    async def trial(name: str) -> None:
        with sandbox.acting_here(report_only(name)):
            await asyncio.sleep(0)
            await asyncio.create_task(asyncio.to_thread(read_far))

    async def session() -> None:
        await asyncio.gather(trial("a"), trial("b"))

    asyncio.run(session())
    assert subjects(sandbox) == ["a", "b"]


def test_the_policy_below_acts_again(sandbox: Sandbox) -> None:
    """A wider fixture's policy acts within a test's phase, and the test's comes back after it."""
    test, fixture = report_only("test"), report_only("fixture")
    with sandbox.acting(test):
        with sandbox.acting(fixture):
            read_far()
        Path("/etc/hosts").read_bytes()
    read_far()
    assert [(each.subject, each.target) for each in sandbox.pending()] == [
        ("fixture", "/etc/passwd"),
        ("test", "/etc/hosts"),
    ]


def test_leaving_twice_or_out_of_order_is_harmless(sandbox: Sandbox) -> None:
    """What pytest tears down in another order than it set up leaves the right policy acting."""
    outer, inner = report_only("outer"), report_only("inner")
    sandbox.enter(outer)
    sandbox.enter(inner)
    sandbox.leave(outer)
    read_far()
    sandbox.leave(inner)
    sandbox.leave(inner)
    read_far()
    assert subjects(sandbox) == ["inner"]


def test_a_nested_session_does_not_disturb_the_outer(sandbox: Sandbox, project: Path) -> None:
    """A pytest session inside a test has a sandbox of its own, and the outer one goes on after."""
    inner = Sandbox(project_root=project)
    with sandbox.acting(report_only("outer")):
        inner.install()
        read_far()
        with inner.acting(report_only("inner")):
            read_far()
        inner.uninstall()
        inner.uninstall()
        Path("/etc/hosts").read_bytes()
    assert subjects(inner) == ["inner"]
    assert [each.target for each in sandbox.pending()] == ["/etc/hosts"]


def test_acting_where_nothing_is_installed_is_refused(project: Path) -> None:
    """A policy that could judge nothing says so."""
    with pytest.raises(MisuseError, match=r"install\(\)"):
        Sandbox(project_root=project).enter(report_only("a"))


def test_take_returns_each_violation_once(sandbox: Sandbox) -> None:
    """Taking forgets; what belongs to others stays; the same touch later is a new one."""
    for name in ("a", "b"):
        with sandbox.acting(report_only(name)):
            read_far()
            read_far()
    assert [each.subject for each in sandbox.take("a")] == ["a"]
    assert sandbox.take("a") == ()
    assert subjects(sandbox) == ["b"]
    with sandbox.acting(report_only("a")):
        read_far()
    assert subjects(sandbox) == ["a", "b"]


def test_reporting_does_not_stop(sandbox: Sandbox) -> None:
    """In mode report the deed is done, and recorded."""
    with sandbox.acting(report_only("a")):
        assert Path("/etc/passwd").read_bytes()
    assert subjects(sandbox) == ["a"]


@pytest.mark.parametrize(
    "policy",
    [
        Policy(subject="off", mode=Mode.OFF),
        Policy(subject="collection", watched=frozenset({Capability.NETWORK})),
        Policy(subject="allowed", allow=(Allowance(capability=Capability.READ),)),
        Policy(subject="narrow", allow=(Allowance(capability=Capability.READ, target="/etc"),)),
    ],
    ids=lambda policy: policy.subject,
)
def test_what_is_not_forbidden_passes(sandbox: Sandbox, policy: Policy) -> None:
    """Off, unwatched, allowed or narrowly allowed: nothing is recorded."""
    with sandbox.acting(policy):
        read_far()
    assert sandbox.pending() == ()


def test_a_violation_is_no_exception(sandbox: Sandbox) -> None:
    """`except Exception` does not catch it, and its text names test, target and ways out."""
    with (
        sandbox.acting(Policy(subject="t.py::test_a", tier="unit")),
        pytest.raises(
            PolicyViolation, match=r"TW-FILE  t\.py::test_a opened /etc/passwd"
        ) as caught,
        contextlib.suppress(Exception),
    ):
        read_far()
    assert not isinstance(caught.value, Exception)
    assert 'allow = ["read"] under [tool.tierwise.tiers.unit]' in str(caught.value)


def test_a_name_that_is_allowed_may_be_connected_to(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An allowance for a name covers the addresses that the name was turned into."""
    import socket  # noqa: PLC0415

    monkeypatch.setitem(SLOT.names, "203.0.113.7", "api.example.com")
    target = "api.example.com:443"
    allow = (Allowance(capability=Capability.NETWORK, target=target),)
    with (
        sandbox.acting(Policy(subject="a", tier="x", allow=allow)),
        # Connecting a datagram socket sends nothing.
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock,
    ):
        sock.connect_ex(("203.0.113.7", 443))
        with pytest.raises(PolicyViolation, match=r"api\.example\.com:80"):
            sock.connect_ex(("203.0.113.7", 80))
