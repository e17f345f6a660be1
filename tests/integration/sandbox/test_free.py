"""What is nobody's touch, by rule: each with a policy that allows nothing."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import doctest
import gc
import importlib
import inspect
import linecache
import logging
import mimetypes
import os
import platform
import select
import socket
import sqlite3
import sys
import tempfile
import threading
import time
import traceback
import warnings
import zoneinfo
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Allowance, Capability
from tierwise.sandbox import Policy, PolicyViolation, Sandbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Deed = Callable[[Path], object]


async def do_little() -> None:
    await asyncio.sleep(0)
    async with asyncio.timeout(60):
        await asyncio.to_thread(int)


def wait_for_what_is_set() -> None:
    event = threading.Event()
    thread = threading.Thread(target=event.set)
    thread.start()
    assert event.wait(60)
    thread.join(60)


def run_me() -> None:
    """Do nothing.

    >>> 1 + 1
    2
    """


def reach_the_limit() -> None:
    """Open the project's own file at every depth there is, and read sources on the way back."""
    try:
        with open(__file__, "rb"):  # noqa: PTH123  as few frames as there can be
            reach_the_limit()
    except RecursionError:
        with contextlib.suppress(RecursionError):
            importlib.import_module("colorsys")


def use_memory_databases() -> None:
    for name, is_uri in [
        (":memory:", False),
        ("", False),
        ("file::memory:", True),
        ("file:cards?mode=memory&cache=shared", True),
    ]:
        connection = sqlite3.connect(name, uri=is_uri)
        connection.execute("ATTACH ':memory:' AS other")
        connection.execute("CREATE TABLE other.t (x)")
        connection.execute("VACUUM")
        connection.close()


def talk_in_a_pair() -> None:
    left, right = socket.socketpair()
    with left, right:
        left.sendall(b"x")
        assert right.recv(1) == b"x"


def make_pair_by_loopback() -> None:
    make = getattr(socket, "_fallback_socketpair", None)
    if make is None:
        pytest.skip("before 3.12 only Windows has it")
    for end in make():
        end.close()


def show_source_of_elsewhere() -> None:
    linecache.clearcache()
    assert "def" in linecache.getline(traceback.__file__, 1) + inspect.getsource(traceback)
    try:
        int("none")
    except ValueError:
        traceback.format_exc()


def read_project(project: Path) -> None:
    assert (project / "notes.txt").read_text() == "notes"
    assert sorted(os.listdir(project)) == ["empty", "notes.txt"]  # noqa: PTH208
    assert [each.name for each in project.glob("*.txt")] == ["notes.txt"]


def reopen_descriptor(project: Path) -> None:
    descriptor = os.open(project / "notes.txt", os.O_RDONLY)
    with open(descriptor, encoding="utf-8") as file:  # noqa: PTH123
        assert file.read() == "notes"


def use_devices() -> None:
    with open(os.devnull, "w", encoding="utf-8") as sink:  # noqa: PTH123
        sink.write("x")
    with Path("/dev/urandom").open("rb") as source:
        assert len(source.read(3)) == 3
    assert len(os.urandom(3)) == 3


def speak() -> None:
    print("out", file=sys.stdout)  # noqa: T201
    print("err", file=sys.stderr)  # noqa: T201
    logging.getLogger("tierwise.test").warning("logged")


def pass_over() -> None:
    time.sleep(0)
    select.select([], [], [], 0)
    threading.Event().wait(0)
    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(asyncio.Event().wait(), 0))


def ask_for_platform() -> None:
    platform._uname_cache = None  # type: ignore[attr-defined]  # asked once a process otherwise
    platform.processor()
    platform.libc_ver()


FREE: dict[str, Deed] = {
    "an event loop": lambda _: asyncio.run(do_little()),
    "a wait that is notified": lambda _: wait_for_what_is_set(),
    "waiting for nothing": lambda _: pass_over(),
    "databases in memory": lambda _: use_memory_databases(),
    "a socket pair": lambda _: talk_in_a_pair(),
    "a socket pair by loopback": lambda _: make_pair_by_loopback(),
    "creating a socket": lambda _: socket.socket().close(),
    "looking a literal address up": lambda _: socket.getaddrinfo("203.0.113.7", 80),
    "looking a literal loopback address up": lambda _: socket.getaddrinfo("127.0.0.1", 80),
    "looking ::1 up": lambda _: socket.getaddrinfo("::1", 80),
    "running examples of a docstring": lambda _: doctest.run_docstring_examples(run_me, {}),
    "outliving a recursion error": lambda _: reach_the_limit(),
    "source look-ups": lambda _: show_source_of_elsewhere(),
    "reading the project": read_project,
    "opening a descriptor again": reopen_descriptor,
    "devices": lambda _: use_devices(),
    "output": lambda _: speak(),
    "environment": lambda _: os.environ.update({"TIERWISE_TEST": "1"}),
    "time zones": lambda _: zoneinfo.ZoneInfo.no_cache("Europe/Paris"),
    "the standard library": lambda _: Path(os.__file__).read_text(encoding="utf-8"),
    "installed packages": lambda _: Path(pytest.__file__).read_text(encoding="utf-8"),
    "the interpreter": lambda _: Path(sys.executable).open("rb").close(),
    "asking for the platform": lambda _: ask_for_platform(),
    "tables of media types": lambda _: mimetypes.init(),
    "asking whether files exist": lambda _: (Path("/etc").exists(), os.stat("/etc")),  # noqa: PTH116
}


@pytest.mark.parametrize("deed", FREE.values(), ids=FREE)
def test_is_free(sandbox: Sandbox, project: Path, nothing: Policy, deed: Deed) -> None:
    """Nothing of this is a touch, even where nothing is allowed."""
    with sandbox.acting(nothing):
        deed(project)
    assert sandbox.pending() == ()


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make a folder on sys.path that is neither project nor library, where bytecode is written."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    known = set(sys.modules)
    yield folder
    for name in set(sys.modules) - known:
        if name.startswith("lazy_"):
            del sys.modules[name]


def test_lazy_imports_are_free(sandbox: Sandbox, nothing: Policy, elsewhere: Path) -> None:
    """Importing reads source anywhere on sys.path and writes bytecode beside it."""
    package = elsewhere / "lazy_package"
    package.mkdir()
    (package / "__init__.py").write_text("from . import inner\n")
    (package / "inner.py").write_text("value = 1\n")
    with sandbox.acting(nothing):
        importlib.import_module("lazy_package")
    assert sandbox.pending() == ()
    assert list((package / "__pycache__").glob("inner.*.pyc"))


def test_code_that_an_import_runs_is_not(
    sandbox: Sandbox, project: Path, nothing: Policy, elsewhere: Path
) -> None:
    """A module that writes a file when it is imported is caught: the import system did not."""
    target = project / "made_by_import.txt"
    (elsewhere / "lazy_writer.py").write_text(f"open({str(target)!r}, 'w')\n")
    with sandbox.acting(nothing), pytest.raises(PolicyViolation):
        importlib.import_module("lazy_writer")
    assert sandbox.take("test_it")[0].target == str(target)
    assert not target.exists()


def test_data_read_through_a_loader_is_not(
    sandbox: Sandbox, nothing: Policy, elsewhere: Path
) -> None:
    """A module's loader is no way round: what is not code is judged."""
    (elsewhere / "lazy_plain.py").write_text("")
    module = importlib.import_module("lazy_plain")
    assert module.__spec__ is not None
    loader = module.__spec__.loader
    with sandbox.acting(nothing), pytest.raises(PolicyViolation):
        loader.get_data("/etc/passwd")  # type: ignore[union-attr]


def test_forgotten_temporary_files_are_nobodys(sandbox: Sandbox, nothing: Policy) -> None:
    """What one test forgot vanishes in another, which must not be blamed."""
    forgotten = [tempfile.TemporaryDirectory(), tempfile.NamedTemporaryFile()]  # noqa: SIM115
    with warnings.catch_warnings(), sandbox.acting(nothing):
        warnings.simplefilter("ignore", ResourceWarning)
        forgotten.clear()
        gc.collect()
    assert sandbox.pending() == ()


def test_cleaning_up_oneself_is_not(sandbox: Sandbox, nothing: Policy) -> None:
    """A test that cleans a temporary folder up by itself uses it."""
    folder = tempfile.TemporaryDirectory()
    try:
        with sandbox.acting(nothing), pytest.raises(PolicyViolation):
            folder.cleanup()
    finally:
        folder.cleanup()


def test_waiting_for_a_process_is_no_sleep(sandbox: Sandbox) -> None:
    """Awaiting a child with a time limit polls by sleeping; starting it is what is judged."""
    import subprocess  # noqa: PLC0415

    policy = Policy(
        subject="test_it", tier="x", allow=(Allowance(capability=Capability.SUBPROCESS),)
    )
    with sandbox.acting(policy):
        subprocess.run(
            [sys.executable, "-c", "import time; time.sleep(0.05)"], timeout=60, check=True
        )
    assert sandbox.pending() == ()


def test_exempt_paths_are_nobodys(project: Path, nothing: Policy) -> None:
    """Files of the harness itself are read and written freely."""
    store = project / ".tierwise"
    store.mkdir()
    sandbox = Sandbox(project_root=project, exempt_paths=[store])
    sandbox.install()
    try:
        with sandbox.acting(nothing):
            (store / "records.txt").write_text("x")
            assert (store / "records.txt").read_text() == "x"
    finally:
        sandbox.uninstall()
    assert sandbox.pending() == ()


def test_given_temporary_folders_are_temporary(project: Path, nothing: Policy) -> None:
    """A temporary folder inside the project counts as one, and not as the project."""
    base = project / "base"
    base.mkdir()
    sandbox = Sandbox(project_root=project, tmp_paths=[base])
    sandbox.install()
    try:
        with sandbox.acting(nothing), pytest.raises(PolicyViolation):
            (base / "new.txt").write_text("x")
    finally:
        sandbox.uninstall()
    assert sandbox.take("test_it")[0].capability is Capability.TMP


def test_a_link_in_the_temporary_folder_is_no_way_out(
    sandbox: Sandbox, project: Path, tmp_path: Path
) -> None:
    """Writing through a link follows it: what is allowed in the temporary folder stays there."""
    link = tmp_path / "link"
    link.symlink_to(project)
    policy = Policy(subject="test_it", tier="x", allow=(Allowance(capability=Capability.TMP),))
    with sandbox.acting(policy), pytest.raises(PolicyViolation):
        (link / "new.txt").write_text("x")
    assert sandbox.take("test_it")[0].target == str(project / "new.txt")


def test_what_c_does_by_itself_is_not_seen(sandbox: Sandbox, nothing: Policy) -> None:
    """The limit that the docs name: a C library that opens files or sockets has no event."""
    libc = ctypes.CDLL(None)
    with sandbox.acting(nothing):
        descriptor = libc.open(b"/etc/passwd", os.O_RDONLY)
    assert descriptor > 0
    os.close(descriptor)
    assert sandbox.pending() == ()
