"""How connections end: by `close`, with their loop, or with their provider; never with noise."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest
from fake_vendor import FakeVendor, Response

from tierwise.providers import Answer, FailureKind, HttpProvider

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from tierwise.providers import Request

    Serve = Callable[..., FakeVendor]
    Connect = Callable[..., HttpProvider]
    Form = Callable[..., Request[Any]]
    Await = Callable[[Callable[[], object]], None]


def is_left_alone(vendor: FakeVendor) -> bool:
    """Is no connection open?"""
    return not vendor.connections


def test_connections_end_with_their_event_loop(
    serve: Serve, connect: Connect, form: Form, await_that: Await
) -> None:
    """`asyncio.run` leaves none behind, with nobody closing anything, and nothing complains."""
    vendor = serve("ok")
    provider = connect(vendor)
    for _ in range(5):
        assert asyncio.run(provider.generate(form())).text == "ok"
        await_that(lambda: is_left_alone(vendor))
    assert vendor.n_connections == 5
    assert len(provider._client._sessions._by_loop) == 1, "sessions of ended loops are kept"
    gc.collect()


def test_close_ends_the_connections_of_an_idle_loop(
    serve: Serve, connect: Connect, form: Form, await_that: Await
) -> None:
    """A loop that is between two runs has its connections ended at once."""
    vendor = serve("ok")
    provider = connect(vendor)
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(provider.generate(form()))
        assert len(vendor.connections) == 1
        provider.close()
        await_that(lambda: is_left_alone(vendor))
        assert loop.run_until_complete(provider.generate(form())).text == "ok"
        provider.close()
    finally:
        loop.close()
    gc.collect()


async def test_close_within_the_loop_ends_its_connections(
    serve: Serve, connect: Connect, form: Form, await_that: Await
) -> None:
    """`close` does not wait; the loop that it is called in ends its connections, and is done."""
    loop = asyncio.get_running_loop()
    vendor = serve("ok")
    provider = connect(vendor)
    await provider.generate(form())
    provider.close()
    await asyncio.to_thread(await_that, lambda: is_left_alone(vendor))
    await asyncio.to_thread(await_that, lambda: len(asyncio.all_tasks(loop)) == 1)
    assert (await provider.generate(form())).text == "ok"


async def test_leaving_the_context_ends_its_connections(
    serve: Serve, connect: Connect, form: Form, await_that: Await
) -> None:
    """After `async with` the connections of this loop are closed."""
    vendor = serve("ok")
    async with connect(vendor) as provider:
        await provider.generate(form())
        assert len(vendor.connections) == 1
        (held,) = provider._client._sessions._by_loop.values()
    assert held.client.closed
    assert held._ending.ag_frame is None, "the loop still has something to shut down"
    await asyncio.to_thread(await_that, lambda: is_left_alone(vendor))


async def test_close_from_another_thread_ends_the_connections_of_a_running_loop(
    serve: Serve, connect: Connect, form: Form, await_that: Await
) -> None:
    """Whoever closes a provider need not be where it was used."""
    vendor = serve("ok")
    provider = connect(vendor)
    await provider.generate(form())
    closing = threading.Thread(target=provider.close)
    closing.start()
    await asyncio.to_thread(await_that, lambda: is_left_alone(vendor))
    closing.join()


async def test_close_from_another_loop_ends_both_loops_connections(
    serve: Serve, connect: Connect, form: Form, await_that: Await
) -> None:
    """Each loop ends its own connections, and neither is touched by the other."""
    vendor = serve("ok")
    provider = connect(vendor)
    await provider.generate(form())

    async def call_and_leave() -> None:
        async with provider:
            assert (await provider.generate(form())).text == "ok"
            assert len(vendor.connections) == 2

    await asyncio.to_thread(lambda: asyncio.run(call_and_leave()))
    await asyncio.to_thread(await_that, lambda: is_left_alone(vendor))
    assert (await provider.generate(form())).text == "ok"
    provider.close()


async def test_a_call_under_way_when_the_provider_is_closed_is_unavailable(
    serve: Serve, connect: Connect, form: Form, await_that: Await
) -> None:
    """It ends soon and in words, not by an exception of the transport's."""
    vendor = serve(Response(way="hang"))
    provider = connect(vendor)
    task = asyncio.create_task(provider.generate(form()))
    await asyncio.to_thread(await_that, lambda: vendor.n_in_flight == 1)
    provider.close()
    reply = await task
    assert reply.kind is FailureKind.UNAVAILABLE


async def test_a_provider_that_nobody_holds_ends_its_connections(
    serve: Serve, connect: Connect, form: Form, await_that: Await
) -> None:
    """One made for a single call leaves nothing behind, while the loop runs on."""
    vendor = serve("ok")
    reply = await connect(vendor).generate(form())
    assert isinstance(reply, Answer)
    gc.collect()
    await asyncio.to_thread(await_that, lambda: is_left_alone(vendor))


def run_plainly(main: Coroutine[Any, Any, Any]) -> None:
    """Run a loop that is shut down by the least that is right: its generators, and no more."""
    loop = asyncio.new_event_loop()
    loop.run_until_complete(main)
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


def run_cancelling(main: Coroutine[Any, Any, Any]) -> None:
    """Run a loop whose tasks are cancelled first, as `asyncio.run` does, and nothing beyond."""
    loop = asyncio.new_event_loop()
    loop.run_until_complete(main)
    cancel_tasks(loop)
    gc.collect()
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


def cancel_tasks(loop: asyncio.AbstractEventLoop) -> None:
    """Cancel what is left, and hold no task afterwards."""
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.wait(left))


WAYS = [
    (run, n_calls, closing)
    for run in (asyncio.run, run_plainly, run_cancelling)
    for n_calls in (1, 10)
    for closing in ("never", "close", "aclose")
]


@pytest.mark.parametrize(("run_loop", "n_calls", "closing"), WAYS)
def test_a_provider_that_goes_as_its_loop_ends_goes_quietly(
    serve: Serve,
    connect: Connect,
    form: Form,
    caplog: pytest.LogCaptureFixture,
    *,
    run_loop: Callable[..., None],
    n_calls: int,
    closing: str,
) -> None:
    """Forgotten or closed in the last moment of a loop: no warning, and no task left behind."""
    vendor = serve("ok")

    async def call() -> None:
        provider = connect(vendor)
        await asyncio.gather(*(provider.generate(form()) for _ in range(n_calls)))
        if closing == "close":
            provider.close()
        if closing == "aclose":
            await provider.__aexit__(None, None, None)

    run_loop(call())
    gc.collect()
    assert [record.getMessage() for record in caplog.records] == []


def test_a_provider_that_goes_between_two_runs_of_its_loop_goes_quietly(
    serve: Serve, connect: Connect, form: Form, caplog: pytest.LogCaptureFixture
) -> None:
    """The loop ends its connections when it next runs, even if that is only to shut down."""
    loop = asyncio.new_event_loop()
    provider = connect(serve("ok"))
    loop.run_until_complete(provider.generate(form()))
    del provider
    gc.collect()
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
    gc.collect()
    assert [record.getMessage() for record in caplog.records] == []


def test_close_within_one_loop_leaves_an_idle_one_to_itself(
    serve: Serve, connect: Connect, form: Form, await_that: Await
) -> None:
    """A loop can't be run inside another: it ends its connections when it goes on."""
    vendor = serve("ok")
    provider = connect(vendor)
    idle = asyncio.new_event_loop()
    idle.run_until_complete(provider.generate(form()))

    async def close() -> None:
        provider.close()

    asyncio.run(close())
    assert len(vendor.connections) == 1
    idle.run_until_complete(asyncio.to_thread(await_that, lambda: is_left_alone(vendor)))
    run_last(idle)


def run_last(loop: asyncio.AbstractEventLoop) -> None:
    """Shut a loop down."""
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


class LoopThatEndsJustNow:
    """A loop that another thread closes after it was asked whether it is closed."""

    def is_closed(self) -> bool:
        """Not yet."""
        return False

    def is_running(self) -> bool:
        """Still."""
        return True

    def call_soon_threadsafe(self, _callback: object) -> None:
        """Too late."""
        raise RuntimeError("Event loop is closed")


async def test_a_loop_that_ends_while_it_is_asked_to_close_does_no_harm(
    serve: Serve, connect: Connect, form: Form
) -> None:
    """Closing never raises for a loop that was faster."""
    async with connect(serve("ok")) as provider:
        await provider.generate(form())
        (session,) = provider._client._sessions._by_loop.values()
        provider._client._sessions._by_loop[LoopThatEndsJustNow()] = session
        provider.close()
        assert not provider._client._sessions._by_loop


def test_a_loop_that_was_closed_without_care_does_no_harm(
    serve: Serve, connect: Connect, form: Form
) -> None:
    """Its session is dropped at the next call, and closing the provider does not raise."""
    vendor = serve("ok")
    provider = connect(vendor)
    careless = asyncio.new_event_loop()
    careless.run_until_complete(provider.generate(form()))
    # What was opened in it goes down with it, by its own doing and without our session's noise.
    vendor.stop()
    careless.run_until_complete(asyncio.sleep(0.05))
    careless.close()
    again = serve("ok")
    assert asyncio.run(connect(again).generate(form())).text == "ok"
    asyncio.run(provider.generate(form()))
    assert careless not in provider._client._sessions._by_loop
    provider.close()
    gc.collect()


def test_a_loop_whose_generators_were_shut_down_can_still_be_used(
    serve: Serve, connect: Connect, form: Form
) -> None:
    """The session has ended by then; the next call makes a new one, and asyncio says so."""
    provider = connect(serve("ok"))
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(provider.generate(form()))
        loop.run_until_complete(loop.shutdown_asyncgens())
        with pytest.warns(ResourceWarning, match="shutdown_asyncgens"):
            assert loop.run_until_complete(provider.generate(form())).text == "ok"
        provider.close()
    finally:
        loop.close()


def test_close_twice_and_before_any_call_does_nothing(serve: Serve, connect: Connect) -> None:
    """Closing is always allowed."""
    provider = connect(serve())
    provider.close()
    provider.close()


PROGRAM = """
import asyncio, sys
from tierwise.domain import Message
from tierwise.providers import HttpProvider, Request

request = Request(messages=(Message(role="user", content="Hello"),))
provider = HttpProvider(sys.argv[1], "fake")
print(asyncio.run(provider.generate(request)).text)
loop = asyncio.new_event_loop()
print(loop.run_until_complete(provider.generate(request)).text)
provider.close()
loop.close()
"""


def run(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run the program above, warnings shown, and return what it said."""
    return subprocess.run(
        [sys.executable, "-X", "dev", "-W", "always", "-c", PROGRAM, *arguments],
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_program_ends_without_a_word(serve: Serve) -> None:
    """Two loops, one close, the interpreter's end: nothing is written to stderr."""
    ended = run(serve("ok").url)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("ok\nok\n", "", 0)


def test_the_environment_s_proxy_is_for_other_hosts_only(serve: Serve) -> None:
    """Loopback is reached directly; another host through the proxy, which sees the whole URL."""
    vendor, proxy = serve("direct"), serve("by proxy")
    environ = {"http_proxy": proxy.url.removesuffix("/v1")}
    assert run(vendor.url, **environ).stdout == "direct\ndirect\n"
    assert proxy.n_requests == 0
    assert run("http://models.example/v1", **environ).stdout == "by proxy\nby proxy\n"
    assert proxy.journal[0].asked.path == "http://models.example/v1/chat/completions"
    assert vendor.n_requests == 2
