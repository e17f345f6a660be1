"""What waiting costs under virtual time: no clock, tierwise, time-machine, freezegun, looptime.

    python benchmarks/clock.py [--limit 3] [--json]

Each scenario runs under each library in a process of its own, that is ended after the limit.
`ms` is real time by a clock that none of them replaces, without start-up; `wall` and `forward`
say how many seconds `time.time` and `time.monotonic` moved: where they differ, or are not what was
waited for, the library's clocks disagree. Libraries that are not installed are left out, with a
line that says so.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib
import importlib.util
import json
import os
import queue
import ssl
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

LIBRARIES = {
    "nothing": "asyncio",
    "tierwise": "tierwise",
    "time-machine": "time_machine",
    "freezegun": "freezegun",
    "looptime": "looptime",
}
"""What is compared, and the module that has to be there."""


async def _time_out() -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(60):
            await asyncio.sleep(10_000)


async def _http() -> None:
    import httpx2  # noqa: PLC0415  for one scenario

    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)
        await never.wait()
        writer.close()

    never = asyncio.Event()
    server = await asyncio.start_server(hang, "127.0.0.1", 0)
    bare = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # loading the certificates takes 0.1 s
    async with httpx2.AsyncClient(timeout=60, trust_env=False, verify=bare) as client:
        with contextlib.suppress(httpx2.ReadTimeout):
            await client.get(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
    never.set()
    server.close()


async def _process() -> None:
    code = "import time; time.sleep(0.2)"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    await asyncio.wait_for(process.wait(), 30)


async def _tenacity() -> None:
    import tenacity  # noqa: PLC0415  for one scenario

    @tenacity.retry(wait=tenacity.wait_fixed(360), stop=tenacity.stop_after_attempt(11))
    async def work() -> None:
        raise OSError

    with contextlib.suppress(tenacity.RetryError):
        await work()


async def _stamina() -> None:
    import stamina  # noqa: PLC0415  for one scenario

    @stamina.retry(on=OSError, attempts=11, timeout=None, wait_initial=360, wait_max=360)
    async def work() -> None:
        raise OSError

    stamina.instrumentation.set_on_retry_hooks([])
    with contextlib.suppress(OSError):
        await work()


def _queue() -> None:
    with contextlib.suppress(queue.Empty):
        queue.Queue[int]().get(timeout=60)


def _timer() -> None:
    timer = threading.Timer(60, int)
    timer.daemon = True
    timer.start()
    timer.join()


COROUTINES: dict[str, Callable[[], Coroutine[None, None, object]]] = {
    "asyncio.sleep(3600)": lambda: asyncio.sleep(3600),
    "asyncio.timeout(60)": _time_out,
    "httpx2 time-out of 60 s on loopback": _http,
    "wait_for(process of 0.2 s, 30)": _process,
    "tenacity, ten waits of 360 s": _tenacity,
    "stamina, ten waits of 360 s": _stamina,
    "to_thread(time.sleep, 2)": lambda: asyncio.to_thread(time.sleep, 2),
}
FUNCTIONS: dict[str, Callable[[], object]] = {
    "time.sleep(3600)": lambda: time.sleep(3600),
    "Event.wait(60)": lambda: threading.Event().wait(60),
    "Queue.get(timeout=60)": _queue,
    "Timer(60)": _timer,
}


@contextlib.contextmanager
def under(library: str) -> Iterator[None]:
    """Make time virtual, as the library does it."""
    if library == "tierwise":
        from tierwise.clock import VirtualClock  # noqa: PLC0415  one of several

        with VirtualClock():
            yield
    elif library == "time-machine":
        import time_machine  # noqa: PLC0415  one of several

        with time_machine.travel(0, tick=False):
            yield
    elif library == "freezegun":
        import freezegun  # noqa: PLC0415  one of several

        with freezegun.freeze_time("2030-01-01"):
            yield
    else:
        yield


def run_coroutine(library: str, scenario: str) -> None:
    """Run a scenario of asyncio, on the loop that the library brings."""
    factory = None
    if library == "looptime":
        import looptime  # noqa: PLC0415  one of several

        kind = looptime.patch_event_loop(asyncio.SelectorEventLoop())
        kind.setup_looptime()
        factory = lambda: kind  # noqa: E731  what a runner asks for
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(COROUTINES[scenario]())


def measure(library: str, scenario: str) -> None:
    """Run one scenario and print what it took as JSON."""
    for module in ("httpx2", "httpcore2", "anyio._backends._asyncio", "stamina", "tenacity"):
        with contextlib.suppress(ImportError):
            importlib.import_module(module)
    with under(library):
        pass  # what it imports is start-up too
    real_before = os.times().elapsed
    with under(library):
        wall, forward = time.time(), time.monotonic()
        if scenario in COROUTINES:
            run_coroutine(library, scenario)
        else:
            FUNCTIONS[scenario]()
        moved = (time.time() - wall, time.monotonic() - forward)
    real = os.times().elapsed - real_before
    print(json.dumps({"ms": real * 1000, "wall": moved[0], "forward": moved[1]}))


def started(library: str, scenario: str, limit_s: float) -> dict[str, float] | str:
    """Return what a child process measured, or what became of it."""
    command = [sys.executable, __file__, "--one", library, scenario]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=limit_s + 2, check=False
        )
    except subprocess.TimeoutExpired:
        return "not over at the limit"
    if done.returncode:
        return "fails: " + (done.stderr.strip().splitlines() or ["?"])[-1][:50]
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def line_of(library: str, result: dict[str, float] | str) -> str:
    """Return one row of the table."""
    if isinstance(result, str):
        return f"  {library:14} {result}"
    text = (
        f"{result['ms']:9.0f} ms   wall {result['wall']:9.1f}   forward {result['forward']:9.1f}"
    )
    return f"  {library:14} {text}"


def main() -> None:
    """Compare all libraries that are installed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--limit", type=float, default=3, help="real seconds for a scenario")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--one", nargs=2, metavar=("LIBRARY", "SCENARIO"), help="in this process")
    options = parser.parse_args()
    if options.one:
        measure(*options.one)
        return
    there = [name for name, module in LIBRARIES.items() if importlib.util.find_spec(module)]
    results = {}
    for scenario in (*COROUTINES, *FUNCTIONS):
        results[scenario] = {name: started(name, scenario, options.limit) for name in there}
        if not options.json:
            lines = [line_of(name, result) for name, result in results[scenario].items()]
            print(scenario, *lines, sep="\n", flush=True)
    if options.json:
        print(json.dumps(results, indent=2))
    for name in sorted(LIBRARIES.keys() - set(there)):
        print(f"{name} is not installed and was left out", file=sys.stderr)


if __name__ == "__main__":
    main()
