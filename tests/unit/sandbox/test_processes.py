from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Capability
from tierwise.sandbox.processes import CLASSIFIERS

if TYPE_CHECKING:
    from tierwise.sandbox.world import World


@pytest.mark.parametrize(
    ("event", "args", "program"),
    [
        ("subprocess.Popen", ("git", ["git", "log"], None, None), "git"),
        ("subprocess.Popen", (None, "git log", None, None), "git log"),
        ("subprocess.Popen", (None, [PurePosixPath("/bin/git")], None, None), "/bin/git"),
        ("subprocess.Popen", (b"git", [b"git"], None, None), "git"),
        ("subprocess.Popen", ("/py/bin/python3.11", ["x"], None, None), "python"),
        ("subprocess.Popen", ("/bin/sh", ["/bin/sh", "-c", "rm x"], None, None), "sh -c rm x"),
        ("subprocess.Popen", ("/bin/sh", ["/bin/sh", "run.sh"], None, None), "/bin/sh"),
        ("os.system", (b"true",), "sh -c true"),
        ("os.posix_spawn", ("/bin/true", ["true"], {}), "/bin/true"),
        ("os.exec", ("/bin/true", ["true"], None), "/bin/true"),
        ("os.spawn", (0, "/bin/true", ["true"], None), "/bin/true"),
        ("os.startfile", ("a.txt", None), "a.txt"),
        ("pty.spawn", (["true"],), "true"),
        ("os.fork", (), "fork"),
        ("os.forkpty", (), "fork"),
    ],
)
def test_names_the_program(world: World, event: str, args: tuple[Any, ...], program: str) -> None:
    """The target is the program, as an allowance names it; a shell shows what it is told."""
    (touch,) = CLASSIFIERS[event](event, args, world)
    assert (touch.capability, touch.target) == (Capability.SUBPROCESS, program)


def test_long_command_lines_are_cut(world: World) -> None:
    """A target stays readable, however long a command line is."""
    (touch,) = CLASSIFIERS["os.system"]("os.system", ("x" * 1000,), world)
    assert len(touch.target) < 80
