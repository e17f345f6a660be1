# ruff: noqa: S108 - paths of a made-up machine, never opened
from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Capability, Touch
from tierwise.sandbox.exemptions import exemption_of
from tierwise.sandbox.frames import Step

if TYPE_CHECKING:
    from tierwise.sandbox.world import World

LIB = "/py/lib/python3"
SITE = f"{LIB}/site-packages"
USER = "/tmp/pt/project/tests/test_a.py:test_a"
IMPORT = "<frozen importlib._bootstrap_external>:get_data"


def touch(event: str = "open", target: str = "/x/a.txt", capability: str = "write") -> Touch:
    return Touch(capability=Capability(capability), target=target, event=event)


def steps(*frames: str) -> list[Step]:
    """Return frames, innermost first, each given as path:function."""
    return [Step(path, 1, function) for path, _, function in (f.rpartition(":") for f in frames)]


@pytest.mark.parametrize(
    ("rule", "made", "frames"),
    [
        ("import", touch(target="/x/a.py"), [IMPORT, USER]),
        ("import", touch(target="/x/a.cpython-311.pyc.1234"), [IMPORT, USER]),
        ("import", touch("os.rename", "/x/a.cpython-311.pyc.1234"), [IMPORT, USER]),
        ("import", touch("os.mkdir", "/x/__pycache__"), [IMPORT, USER]),
        ("import", touch("os.listdir", "/x"), [IMPORT, USER]),
        ("import", touch(target="/x/a.whl"), ["<frozen zipimport>:_read", USER]),
        (
            "import of a library",
            touch(target="/sys/limits", capability="read"),
            [f"{SITE}/frames/limits.py:<module>", "<frozen importlib._bootstrap>:exec", USER],
        ),
        (
            "import of a library",
            touch(target="/sys/limits", capability="read"),
            [
                f"{LIB}/pathlib.py:open",
                f"{SITE}/frames/limits.py:ask",
                "<frozen importlib._bootstrap>:exec",
                USER,
            ],
        ),
        (
            "machine look-up",
            touch(target="/etc/os-release", capability="read"),
            [f"{SITE}/distro/distro.py:_os_release_info", USER],
        ),
        ("source look-up", touch(), [f"{LIB}/linecache.py:updatecache", USER]),
        (
            "debugger's rc file",
            touch(target="/root/.pdbrc", capability="read"),
            [f"{LIB}/pdb.py:__init__", f"{LIB}/doctest.py:__init__", USER],
        ),
        (
            "source look-up",
            touch(),
            [f"{LIB}/tokenize.py:open", f"{LIB}/linecache.py:updatecache", USER],
        ),
        (
            "pytest's own files",
            touch("os.mkdir"),
            [f"{LIB}/pathlib.py:mkdir", f"{SITE}/_pytest/tmpdir.py:mktemp", USER],
        ),
        ("pytest's own files", touch(), [f"{SITE}/_pytest/assertion/rewrite.py:_write_pyc"]),
        ("pytest's own files", touch(), [f"{SITE}/_pytest/cacheprovider.py:set", USER]),
        (
            "coverage's own files",
            touch("sqlite3.connect"),
            [f"{SITE}/coverage/sqldata.py:_connect"],
        ),
        ("Hypothesis's own files", touch(), [f"{SITE}/hypothesis/database.py:save", USER]),
        ("socket pair", touch("socket.bind"), [f"{LIB}/socket.py:_fallback_socketpair", USER]),
        ("judged at its start", touch("os.posix_spawn"), [f"{LIB}/subprocess.py:_execute_child"]),
        ("judged at its start", touch("time.sleep"), [f"{LIB}/subprocess.py:_wait", USER]),
        (
            "machine look-up",
            touch("subprocess.Popen", "uname", "subprocess"),
            [f"{LIB}/subprocess.py:__init__", f"{LIB}/platform.py:from_subprocess", USER],
        ),
        (
            "forgotten temporary file",
            touch("os.rmdir"),
            [
                f"{LIB}/shutil.py:rmtree",
                f"{LIB}/tempfile.py:_cleanup",
                f"{LIB}/weakref.py:__call__",
            ],
        ),
        (
            "forgotten temporary file",
            touch("os.remove"),
            [f"{LIB}/tempfile.py:close", f"{LIB}/tempfile.py:__del__", USER],
        ),
    ],
)
def test_the_machinery_is_excused(world: World, rule: str, made: Touch, frames: list[str]) -> None:
    """Each rule tells its machinery by the frames nearest to the touch."""
    assert exemption_of(made, steps(*frames), world) == rule


@pytest.mark.parametrize(
    ("made", "frames"),
    [
        (touch(), [USER]),
        (touch(), []),
        (touch(target="/x/a.txt"), [IMPORT, USER]),
        (touch("os.remove", "/x/a.txt"), [IMPORT, USER]),
        (touch(target="/x/a.py"), ["/tmp/pt/project/lazy.py:<module>", IMPORT, USER]),
        (
            touch(target="/sys/limits", capability="read"),
            ["/tmp/pt/project/app.py:<module>", "<frozen importlib._bootstrap>:exec", USER],
        ),
        (
            touch(target="/sys/limits", capability="write"),
            [f"{SITE}/frames/limits.py:<module>", "<frozen importlib._bootstrap>:exec", USER],
        ),
        (
            touch(target="/sys/limits", capability="read"),
            [f"{SITE}/frames/limits.py:ask", USER, "<frozen importlib._bootstrap>:exec"],
        ),
        (
            touch(target="/etc/os-release", capability="write"),
            [f"{SITE}/distro/distro.py:_os_release_info", USER],
        ),
        (
            touch(target="/etc/passwd", capability="read"),
            [f"{SITE}/distro/distro.py:_os_release_info", USER],
        ),
        (touch(), [f"{LIB}/tokenize.py:open", USER]),
        (touch("os.remove"), [f"{LIB}/linecache.py:updatecache", USER]),
        (touch(), [f"{LIB}/pathlib.py:write_text", f"{SITE}/_pytest/pytester.py:makefile", USER]),
        (touch("os.remove"), [f"{SITE}/_pytest/fixtures.py:finish", USER]),
        (touch(), [USER, f"{SITE}/_pytest/tmpdir.py:mktemp"]),
        (touch(), [f"{SITE}/hypothesis/strategies/_internal/core.py:do_draw", USER]),
        (touch(), [f"{SITE}/other/linecache.py:updatecache", USER]),
        (touch("socket.bind"), [f"{LIB}/socket.py:create_server", USER]),
        (touch("subprocess.Popen", "git", "subprocess"), [f"{LIB}/subprocess.py:__init__", USER]),
        (
            touch("subprocess.Popen", "git", "subprocess"),
            [f"{LIB}/subprocess.py:__init__", USER, f"{LIB}/platform.py:uname"],
        ),
        (touch("time.sleep"), [f"{LIB}/sched.py:run", f"{LIB}/subprocess.py:_wait"]),
        (
            touch("os.rmdir"),
            [f"{LIB}/shutil.py:rmtree", f"{LIB}/tempfile.py:cleanup", USER],
        ),
        (
            touch("os.rmdir"),
            [f"{LIB}/tempfile.py:_cleanup", USER, f"{LIB}/weakref.py:__call__"],
        ),
    ],
)
def test_what_it_calls_is_not(world: World, made: Touch, frames: list[str]) -> None:
    """Code of a user stays judged when machinery calls it, or when it calls the wrong part."""
    assert exemption_of(made, steps(*frames), world) is None
