"""Real input and output still completes under virtual time, and time waits for it."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import httpx2
import pytest

if TYPE_CHECKING:
    from tierwise.clock import VirtualClock

LATE = "import time; time.sleep(0.2); print('late')"
TOO_LATE = "import time; time.sleep(60)"
ANSWERING = """
import socket, time
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
connection, _ = server.accept()
connection.recv(100)
time.sleep(0.1)
connection.sendall(b"late")
"""


async def answer_of(port: int, *, within_s: float) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"hello")
    try:
        return await asyncio.wait_for(reader.read(100), within_s)
    finally:
        writer.close()


async def exchanged(answer: bytes | None, *, within_s: float) -> bytes:
    """Ask a server of this process that answers, or never does."""
    never = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        if answer is None:
            await never.wait()
        writer.write(answer or b"")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        return await answer_of(server.sockets[0].getsockname()[1], within_s=within_s)
    finally:
        never.set()
        server.close()
        await asyncio.sleep(1)


def test_an_answer_on_loopback_arrives_before_any_time_passes(clock: VirtualClock) -> None:
    """A server that answers is never late, however short the limit is."""

    async def main() -> float:
        assert await exchanged(b"fine", within_s=0.001) == b"fine"
        return clock.elapsed

    assert asyncio.run(main()) == pytest.approx(1)


def test_a_server_that_hangs_runs_into_the_limit(clock: VirtualClock) -> None:
    """Where no answer comes, the limit runs out by virtual time."""
    with pytest.raises(TimeoutError):
        asyncio.run(exchanged(None, within_s=60))
    assert clock.elapsed == pytest.approx(61)


def test_a_time_out_of_httpx2_agrees_with_all_clocks(
    clock: VirtualClock, real_pauses: list[float]
) -> None:
    """The client's own limit of a minute is a minute on every clock, and a blink in truth."""
    never = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        await never.wait()
        writer.close()

    async def main() -> tuple[float, float]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        before = (time.time(), time.monotonic())
        async with httpx2.AsyncClient(timeout=60) as client:
            with pytest.raises(httpx2.ReadTimeout):
                await client.get(f"http://127.0.0.1:{port}/")
        after = (time.time(), time.monotonic())
        never.set()
        server.close()
        await asyncio.sleep(1)
        return (after[0] - before[0], after[1] - before[1])

    assert asyncio.run(main()) == pytest.approx((60, 60), abs=1e-3)
    assert sum(real_pauses) < 0.05


class _Slow(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """Answer after a minute of the server's own time."""
        time.sleep(60)
        self.send_response(200)
        self.send_header("Content-Length", "4")
        self.end_headers()
        self.wfile.write(b"fine")

    def log_message(self, *_arguments: object) -> None:
        """Keep the terminal clean."""


def test_a_server_in_a_thread_lives_by_the_same_time(clock: VirtualClock) -> None:
    """A server that sleeps a minute answers in time for a limit of two, and none is lost."""
    server = HTTPServer(("127.0.0.1", 0), _Slow)
    thread = threading.Thread(target=server.handle_request)
    thread.start()

    async def main() -> str:
        async with httpx2.AsyncClient(timeout=120) as client:
            return (await client.get(f"http://127.0.0.1:{server.server_port}/")).text

    assert asyncio.run(main()) == "fine"
    thread.join()
    server.server_close()
    assert 60 <= clock.elapsed < 61


def test_a_blocking_client_times_out_by_the_same_time(clock: VirtualClock) -> None:
    """`settimeout` and a synchronous client's limit run out by virtual time."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = listening.getsockname()
        listening.settimeout(30)
        with pytest.raises(TimeoutError):
            listening.accept()
        assert clock.elapsed == 30
        with socket.create_connection(address, timeout=60) as client:
            with pytest.raises(TimeoutError):
                client.recv(1)
            with pytest.raises(TimeoutError), client.makefile("rb") as file:
                file.read(1)
        assert clock.elapsed == 150
        with pytest.raises(httpx2.ReadTimeout):
            httpx2.get(f"http://127.0.0.1:{address[1]}/", timeout=60)
        assert clock.elapsed == 210


def test_a_blocking_client_gets_an_answer_in_time(clock: VirtualClock) -> None:
    """A server in a thread that sleeps less than the limit is heard, at its moment."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listening.accept()
        connection.recv(10)
        time.sleep(59)
        connection.sendall(b"fine")
        connection.close()

    thread = threading.Thread(target=serve)
    thread.start()
    with socket.create_connection(listening.getsockname(), timeout=60) as client:
        client.sendall(b"hello")
        assert client.recv(10) == b"fine"
    thread.join()
    listening.close()
    assert clock.elapsed == 59


def test_a_process_is_given_the_time_it_takes(clock: VirtualClock) -> None:
    """Whoever awaits a child process within a limit gets its end, and not a false time-out."""
    clock.patience = 0

    async def main() -> tuple[bytes, int | None]:
        one = await asyncio.create_subprocess_exec(
            sys.executable, "-c", LATE, stdout=subprocess.PIPE
        )
        other = await asyncio.create_subprocess_exec(
            sys.executable, "-c", LATE, stdout=subprocess.DEVNULL
        )
        output, _ = await asyncio.wait_for(one.communicate(), 300)
        return output, await asyncio.wait_for(other.wait(), 300)

    assert asyncio.run(main()) == (b"late\n", 0)
    assert clock.elapsed < 200


def test_threads_give_a_process_its_time_too(clock: VirtualClock) -> None:
    """subprocess.run and Popen.wait with a limit wait for the real end."""
    clock.patience = 0
    done = subprocess.run(
        [sys.executable, "-c", LATE], capture_output=True, timeout=300, check=True
    )
    with subprocess.Popen([sys.executable, "-c", LATE], stdout=subprocess.DEVNULL) as process:
        assert process.wait(timeout=300) == 0
    assert done.stdout == b"late\n"
    assert clock.elapsed < 200
    time.sleep(36_000)
    assert 36_000 < clock.elapsed < 36_200


def test_a_process_that_takes_too_long_is_noticed(clock: VirtualClock) -> None:
    """A limit on a process runs out by the machine's time, with the limit in the error."""
    with subprocess.Popen([sys.executable, "-c", TOO_LATE]) as process:
        with pytest.raises(subprocess.TimeoutExpired) as raised:
            process.wait(timeout=0.05)
        process.kill()
    assert raised.value.timeout == 0.05
    assert 0.05 <= clock.elapsed < 50


def test_a_process_that_nobody_awaits_holds_nothing_up(clock: VirtualClock) -> None:
    """A server that lives beside the test does not keep time from jumping."""
    with subprocess.Popen([sys.executable, "-c", TOO_LATE]) as process:
        time.sleep(3600)
        asyncio.run(asyncio.sleep(3600))
        process.kill()
    assert clock.elapsed == pytest.approx(7200, abs=60)


def test_another_process_s_answer_is_waited_for_patiently(clock: VirtualClock) -> None:
    """What another process sends within the clock's patience is in time for any limit."""
    clock.patience = 20
    with subprocess.Popen([sys.executable, "-c", ANSWERING], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        assert asyncio.run(answer_of(port, within_s=5)) == b"late"
    assert clock.elapsed < 5


def test_without_patience_another_process_is_too_late(clock: VirtualClock) -> None:
    """Zero patience lets time jump although an answer may be on its way."""
    clock.patience = 0
    with subprocess.Popen([sys.executable, "-c", ANSWERING], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        with pytest.raises(TimeoutError):
            asyncio.run(answer_of(port, within_s=5))
        process.kill()
    assert clock.elapsed >= 5


def test_a_server_of_a_wider_fixture_is_at_work_too() -> None:
    """A thread that was there before the clock is waited for like one that came after."""
    from tierwise.clock import VirtualClock  # noqa: PLC0415  after the server has started

    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listening.accept()
        connection.recv(100)
        connection.sendall(str(sum(range(200_000)) and "fine").encode())
        connection.close()

    thread = threading.Thread(target=serve)
    thread.start()
    with VirtualClock() as clock:
        answer = asyncio.run(answer_of(listening.getsockname()[1], within_s=0.001))
        assert clock.elapsed == 0
    thread.join()
    listening.close()
    assert answer == b"fine"
