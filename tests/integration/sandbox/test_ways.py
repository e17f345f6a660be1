"""Ways to touch the world, each really gone: the audit hook stops them before anything happens."""
# ruff: noqa: S602, S605, S606, S607, PTH123, SIM115, PLR0917 - each way in the words that users use

from __future__ import annotations

import asyncio
import contextlib
import gc
import http.client
import logging
import multiprocessing
import os
import pty
import queue
import select
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from concurrent.futures import Future
from multiprocessing import shared_memory
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Capability
from tierwise.sandbox import Policy, PolicyViolation, Sandbox, touch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Way = Callable[[Path], object]

# A BaseException out of the middle of the standard library leaves its sockets to the collector.
pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)


@pytest.fixture(autouse=True)
def left_behind() -> Iterator[None]:
    """Collect what a way left behind while its warnings are still expected."""
    yield
    gc.collect()


FAR = "203.0.113.7"
"""Reserved for documentation: no machine has it."""
NAME = "far.example"


def connect(address: tuple[str, int], kind: int = socket.SOCK_STREAM) -> None:
    with socket.socket(socket.AF_INET, kind) as sock:
        sock.settimeout(0)
        sock.connect_ex(address)


def send_datagram(how: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        if how == "sendto":
            sock.sendto(b"x", (FAR, 9))
        else:
            sock.sendmsg([b"x"], [], 0, (FAR, 9))


def bind(address: object, family: int = socket.AF_INET) -> None:
    with socket.socket(family) as sock:
        sock.bind(address)  # type: ignore[arg-type]


def ask_by_http() -> None:
    http.client.HTTPConnection(FAR, timeout=0.1).request("GET", "/")


async def open_stream() -> None:
    await asyncio.wait_for(asyncio.open_connection(FAR, 443), 0.1)


async def serve() -> None:
    server = await asyncio.start_server(lambda _r, _w: None, "127.0.0.1", 0)
    server.close()


NETWORK: dict[str, Way] = {
    "socket.connect": lambda _: connect((FAR, 443)),
    "socket.connect of a datagram": lambda _: connect((FAR, 53), socket.SOCK_DGRAM),
    "socket.create_connection": lambda _: socket.create_connection((FAR, 443), 0.1),
    "socket.sendto": lambda _: send_datagram("sendto"),
    "socket.sendmsg": lambda _: send_datagram("sendmsg"),
    "socket.bind to all": lambda _: bind(("", 0)),
    "socket.bind to 0.0.0.0": lambda _: bind(("0.0.0.0", 0)),  # noqa: S104
    "socket.getaddrinfo": lambda _: socket.getaddrinfo(NAME, 443),
    "socket.gethostbyname": lambda _: socket.gethostbyname(NAME),
    "socket.gethostbyname_ex": lambda _: socket.gethostbyname_ex(NAME),
    "socket.gethostbyaddr": lambda _: socket.gethostbyaddr(FAR),
    "socket.getnameinfo": lambda _: socket.getnameinfo((FAR, 443), 0),
    "http.client": lambda _: ask_by_http(),
    "urllib": lambda _: urllib.request.urlopen(f"http://{FAR}/", timeout=0.1),
    "asyncio.open_connection": lambda _: asyncio.run(open_stream()),
}
LOOPBACK: dict[str, Way] = {
    "socket.bind": lambda _: bind(("127.0.0.1", 0)),
    "socket.bind of IPv6": lambda _: bind(("::1", 0), socket.AF_INET6),
    "socket.bind of a Unix socket": lambda p: bind(str(p / "s"), socket.AF_UNIX),
    "socket.connect": lambda _: connect(("127.0.0.1", 9)),
    "socket.connect to any": lambda _: connect(("0.0.0.0", 9)),  # noqa: S104
    "socket.getaddrinfo": lambda _: socket.getaddrinfo("localhost", 80),
    "socket.getaddrinfo of nobody": lambda _: socket.getaddrinfo(None, 80),
    "asyncio.start_server": lambda _: asyncio.run(serve()),
}


def write_by_descriptor(project: Path) -> None:
    os.close(os.open(project / "new.txt", os.O_CREAT | os.O_WRONLY))


def remove_by_folder(project: Path) -> None:
    folder = os.open(project, os.O_RDONLY)
    try:
        os.remove("notes.txt", dir_fd=folder)
    finally:
        os.close(folder)


def open_with_opener(project: Path) -> None:
    with open(project / "new.txt", "w", opener=os.open):
        pass


def open_sqlite(project: Path) -> None:
    sqlite3.connect(project / "new.db").close()


WRITE: dict[str, Way] = {
    "open for writing": lambda p: open(p / "new.txt", "w"),
    "open for appending": lambda p: open(p / "notes.txt", "ab"),
    "open for reading and writing": lambda p: open(p / "notes.txt", "r+b"),
    "open with an opener": open_with_opener,
    "os.open by flags": write_by_descriptor,
    "Path.write_text": lambda p: (p / "new.txt").write_text("x"),
    "Path.touch": lambda p: (p / "notes.txt").touch(),
    "os.remove": lambda p: os.remove(os.fsencode(p / "notes.txt")),  # noqa: PTH107
    "os.remove by a folder's descriptor": remove_by_folder,
    "os.rename": lambda p: (p / "notes.txt").rename(p / "other.txt"),
    "os.replace": lambda p: (p / "notes.txt").replace(p / "other.txt"),
    "os.mkdir": lambda p: (p / "new").mkdir(),
    "os.makedirs": lambda p: (p / "new" / "deep").mkdir(parents=True),
    "os.rmdir": lambda p: (p / "empty").rmdir(),
    "os.link": lambda p: (p / "hard").hardlink_to(p / "notes.txt"),
    "os.symlink": lambda p: (p / "soft").symlink_to(p / "notes.txt"),
    "os.truncate": lambda p: os.truncate(p / "notes.txt", 0),
    "os.chmod": lambda p: (p / "notes.txt").chmod(0o600),
    "os.chown": lambda p: os.chown(p / "notes.txt", -1, -1),
    "os.utime": lambda p: os.utime(p / "notes.txt"),
    "os.mkfifo": lambda p: os.mkfifo(p / "pipe"),
    "os.mknod": lambda p: os.mknod(p / "node"),
    "os.setxattr": lambda p: os.setxattr(p / "notes.txt", "user.a", b"x"),
    "shutil.copy": lambda p: shutil.copy(p / "notes.txt", p / "other.txt"),
    "shutil.move": lambda p: shutil.move(p / "notes.txt", p / "other.txt"),
    "shutil.rmtree": lambda p: shutil.rmtree(p / "empty"),
    "logging.FileHandler": lambda p: logging.FileHandler(p / "log.txt"),
    "sqlite3.connect": open_sqlite,
    "sqlite3.connect by URI": lambda p: sqlite3.connect(f"file:{p}/new.db", uri=True),
}
TMP: dict[str, Way] = {
    "tempfile.mkdtemp": lambda _: tempfile.mkdtemp(),
    "tempfile.mkstemp": lambda _: tempfile.mkstemp(),
    "tempfile.TemporaryFile": lambda _: tempfile.TemporaryFile(),
    "tempfile.NamedTemporaryFile": lambda _: tempfile.NamedTemporaryFile(),
    "tempfile.TemporaryDirectory": lambda _: tempfile.TemporaryDirectory(),
    "writing into tmp_path": lambda p: (p.parent / "new.txt").write_text("x"),
    "listing tmp_path": lambda p: list(p.parent.iterdir()),
}
READ: dict[str, Way] = {
    "open": lambda _: Path("/etc/passwd").read_text(encoding="utf-8"),
    "os.open": lambda _: os.open("/etc/passwd", os.O_RDONLY),
    "os.listdir": lambda _: os.listdir("/etc"),  # noqa: PTH208
    "os.scandir": lambda _: os.scandir("/etc"),
    "Path.glob": lambda _: list(Path("/etc").glob("*.conf")),
    "a path that climbs out": lambda p: Path(f"{p}/{'../' * 40}etc/passwd").read_text(
        encoding="utf-8"
    ),
}


def fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def forkpty() -> None:
    if os.forkpty()[0] == 0:
        os._exit(0)


def multiply(method: str) -> None:
    process = multiprocessing.get_context(method).Process(target=int)
    process.start()
    process.join()


async def start_process() -> None:
    process = await asyncio.create_subprocess_exec("true")
    await process.wait()


TRUE = shutil.which("true") or "/bin/true"
SUBPROCESS: dict[str, Way] = {
    "subprocess.run": lambda _: subprocess.run([TRUE], check=True),
    "subprocess.run with a shell": lambda _: subprocess.run("true", shell=True, check=True),
    "os.system": lambda _: os.system("true"),
    "os.popen": lambda _: os.popen("true").close(),
    "os.fork": lambda _: fork(),
    "os.forkpty": lambda _: forkpty(),
    "os.posix_spawn": lambda _: os.posix_spawn(TRUE, [TRUE], {}),
    "os.spawnv": lambda _: os.spawnv(os.P_WAIT, TRUE, [TRUE]),
    "os.execv": lambda _: os.execv("/nowhere/true", ["true"]),
    "pty.spawn": lambda _: pty.spawn([TRUE]),
    "multiprocessing by fork": lambda _: multiply("fork"),
    "multiprocessing by spawn": lambda _: multiply("spawn"),
    "multiprocessing by forkserver": lambda _: multiply("forkserver"),
    "asyncio.create_subprocess_exec": lambda _: asyncio.run(start_process()),
}


def wait_for_condition() -> None:
    condition = threading.Condition()
    with condition:
        condition.wait(0.001)


def wait_for_queue() -> None:
    with contextlib.suppress(queue.Empty):
        queue.Queue[int]().get(timeout=0.001)


def wait_for_future() -> None:
    with contextlib.suppress(TimeoutError):
        Future[int]().result(timeout=0.001)


async def sleep_in_task() -> None:
    await asyncio.gather(asyncio.sleep(0.001), asyncio.sleep(0))


SLEEP: dict[str, Way] = {
    "time.sleep": lambda _: time.sleep(0.001),
    "asyncio.sleep": lambda _: asyncio.run(asyncio.sleep(0.001)),
    "asyncio.sleep in a task": lambda _: asyncio.run(sleep_in_task()),
    "select.select": lambda _: select.select([], [], [], 0.001),
    "threading.Event.wait": lambda _: threading.Event().wait(0.001),
    "threading.Condition.wait": lambda _: wait_for_condition(),
    "queue.Queue.get": lambda _: wait_for_queue(),
    "Future.result": lambda _: wait_for_future(),
}
MODEL: dict[str, Way] = {
    "a real provider": lambda _: touch(Capability.MODEL, "smollm2"),
}
WAYS = {
    Capability.NETWORK: NETWORK,
    Capability.LOOPBACK: LOOPBACK,
    Capability.WRITE: WRITE,
    Capability.TMP: TMP,
    Capability.READ: READ,
    Capability.SUBPROCESS: SUBPROCESS,
    Capability.SLEEP: SLEEP,
    Capability.MODEL: MODEL,
}
CASES = [
    pytest.param(capability, way, id=f"{capability}: {name}")
    for capability, ways in WAYS.items()
    for name, way in ways.items()
]


@pytest.mark.parametrize(("capability", "way"), CASES)
def test_stops_and_records(
    sandbox: Sandbox, project: Path, nothing: Policy, capability: Capability, way: Way
) -> None:
    """Each way to touch the world raises before it happens, and is recorded for its subject."""
    before = {path: path.stat().st_mtime_ns for path in project.rglob("*")}
    with sandbox.acting(nothing), pytest.raises(PolicyViolation) as caught:
        way(project)
    recorded = sandbox.take("test_it")
    assert recorded[0].capability is capability
    assert caught.value.violation.capability is capability
    assert 1 <= len(recorded[0].stack) <= 12
    assert {path: path.stat().st_mtime_ns for path in project.rglob("*")} == before


@pytest.mark.parametrize(("capability", "way"), CASES)
def test_is_found_where_the_error_is_swallowed(
    sandbox: Sandbox, project: Path, nothing: Policy, capability: Capability, way: Way
) -> None:
    """A bare except hides nothing: the touch is recorded all the same."""
    with sandbox.acting(nothing), contextlib.suppress(BaseException):
        way(project)
    assert [each.capability for each in sandbox.take("test_it")][:1] == [capability]


def test_finds_shared_memory_starting_a_helper(sandbox: Sandbox, nothing: Policy) -> None:
    """Shared memory starts a resource tracker, a process; the error is printed, not raised."""
    from multiprocessing import resource_tracker  # noqa: PLC0415

    if resource_tracker._resource_tracker._fd is not None:
        pytest.skip("this process has a resource tracker already")
    with sandbox.acting(nothing), pytest.raises(PolicyViolation):
        shared_memory.SharedMemory(create=True, size=1)
    assert sandbox.take("test_it")[0].capability is Capability.SUBPROCESS


@pytest.mark.parametrize(
    "statement", ["ATTACH '{}' AS other", "VACUUM INTO '{}'"], ids=["attach", "vacuum into"]
)
def test_refuses_to_attach_a_file(
    sandbox: Sandbox, project: Path, nothing: Policy, statement: str
) -> None:
    """SQLite is told no when a statement names a database file that the policy forbids."""
    path = project / "other.db"
    with sandbox.acting(nothing):
        connection = sqlite3.connect(":memory:")
        connection.execute("CREATE TABLE t (x)")
        with pytest.raises(sqlite3.DatabaseError):
            connection.execute(statement.format(path))
        connection.close()
    (violation,) = sandbox.take("test_it")
    assert (violation.capability, violation.target) == (Capability.WRITE, str(path))
    assert not path.exists()


def test_refuses_to_attach_what_it_cannot_tell(sandbox: Sandbox, nothing: Policy) -> None:
    """A database named by a parameter cannot be told, and is refused rather than let through."""
    with sandbox.acting(nothing):
        connection = sqlite3.connect(":memory:")
        with pytest.raises(sqlite3.DatabaseError):
            connection.execute("ATTACH ? AS other", (":memory:",))
        connection.close()
    assert "parameter" in sandbox.take("test_it")[0].target


def test_python_names_the_running_interpreter(sandbox: Sandbox, nothing: Policy) -> None:
    """Starting sys.executable is starting `python`, however the file is called."""
    with sandbox.acting(nothing), pytest.raises(PolicyViolation):
        subprocess.run([sys.executable, "-c", ""], check=True)
    assert sandbox.take("test_it")[0].target == "python"
