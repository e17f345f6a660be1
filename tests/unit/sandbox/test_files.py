# ruff: noqa: S108 - paths of a made-up machine, never opened
from __future__ import annotations

import os
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.sandbox.files import CLASSIFIERS
from tierwise.sandbox.places import place_of
from tierwise.sandbox.world import Place

if TYPE_CHECKING:
    from tierwise.sandbox.world import World

READ, WRITE = os.O_RDONLY, os.O_WRONLY | os.O_CREAT


def classify(event: str, args: tuple[Any, ...], world: World) -> list[tuple[str, str]]:
    return [
        (touch.capability.value, touch.target) for touch in CLASSIFIERS[event](event, args, world)
    ]


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/tmp/pt/project/src/a.py", Place.PROJECT),
        ("/tmp/pt/project", Place.PROJECT),
        ("/tmp/pt/project2/a.py", Place.TMP),
        ("/tmp/pt/project/base/x", Place.TMP),
        ("/tmp/pt/project/.tierwise/records.db", Place.EXEMPT),
        ("/tmp", Place.TMP),
        ("/tmpfoo/x", Place.OUTSIDE),
        ("/py/lib/python3/os.py", Place.LIBRARY),
        ("/etc/passwd", Place.OUTSIDE),
        ("/", Place.OUTSIDE),
    ],
)
def test_the_most_specific_root_wins(world: World, path: str, place: Place) -> None:
    """A project in the temporary folder is the project, a base folder in it temporary again."""
    assert place_of(path, world) is place


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("/etc/passwd", "r", READ), [("read", "/etc/passwd")]),
        ((b"/etc/passwd", "rb", READ), [("read", "/etc/passwd")]),
        ((PurePosixPath("/etc/passwd"), None, READ), [("read", "/etc/passwd")]),
        (("../../../etc/passwd", "r", READ), [("read", "/etc/passwd")]),
        (("/tmp/pt/project/../../../etc/./x", "r", READ), [("read", "/etc/x")]),
        (("/tmp/x", "r", READ), [("tmp", "/tmp/x")]),
        (("/tmp/x", "w", WRITE), [("tmp", "/tmp/x")]),
        (("/tmp/link/x", "w", WRITE), [("write", "/home/me/x")]),
        (("a.txt", "w", WRITE), [("write", "/tmp/pt/project/a.txt")]),
        (("a.txt", "a", 0), [("write", "/tmp/pt/project/a.txt")]),
        (("a.txt", "r+", os.O_RDWR), [("write", "/tmp/pt/project/a.txt")]),
        (("a.txt", None, WRITE), [("write", "/tmp/pt/project/a.txt")]),
        (("a.txt", None, os.O_RDWR), [("write", "/tmp/pt/project/a.txt")]),
        (("/py/lib/python3/os.py", "x", WRITE), [("write", "/py/lib/python3/os.py")]),
        (("base/x", "r", READ), [("tmp", "/tmp/pt/project/base/x")]),
        (("a.txt", "r", READ), []),
        (("a.txt", None, READ), []),
        (("/py/lib/python3/os.py", "r", READ), []),
        ((".tierwise/records.db", "w", WRITE), []),
        ((5, "w", WRITE), []),
        (("/dev/null", "w", WRITE), []),
        (("/dev/urandom", "rb", READ), []),
        (("/dev/fd/3", "w", WRITE), []),
    ],
)
def test_opening_is_judged_by_mode_and_flags(
    world: World, args: tuple[Any, ...], expected: list[tuple[str, str]]
) -> None:
    """Reading and writing are told apart, wherever a path leads and however it is spelt."""
    assert classify("open", args, world) == expected


@pytest.mark.parametrize(
    ("event", "args", "expected"),
    [
        ("os.remove", ("a", -1), [("write", "/tmp/pt/project/a")]),
        ("os.remove", ("a", 7), [("write", "/home/me/a")]),
        ("os.remove", ("a", 8), [("tmp", "/tmp/x/a")]),
        ("os.remove", ("a", 9), [("write", "/descriptor 9/a")]),
        ("os.remove", ("/tmp/link", -1), [("tmp", "/tmp/link")]),
        (
            "os.rename",
            ("/tmp/a", "b", -1, -1),
            [("tmp", "/tmp/a"), ("write", "/tmp/pt/project/b")],
        ),
        ("os.rename", ("b", "b", 7, 7), [("write", "/home/me/b")]),
        ("os.mkdir", ("a", 0o777, -1), [("write", "/tmp/pt/project/a")]),
        ("os.rmdir", ("a", 8), [("tmp", "/tmp/x/a")]),
        ("os.link", ("/etc/a", "b", -1, -1), [("read", "/etc/a"), ("write", "/tmp/pt/project/b")]),
        ("os.symlink", ("/etc/a", "b", -1), [("write", "/tmp/pt/project/b")]),
        ("os.truncate", ("a", 0), [("write", "/tmp/pt/project/a")]),
        ("os.truncate", (5, 0), []),
        ("os.chmod", ("a", 0o600, -1), [("write", "/tmp/pt/project/a")]),
        ("os.chmod", (5, 0o600, -1), []),
        ("os.chown", ("a", 1, 1, -1), [("write", "/tmp/pt/project/a")]),
        ("os.utime", ("a", None, None, -1), [("write", "/tmp/pt/project/a")]),
        ("os.setxattr", ("a", "user.b", b"x", 0), [("write", "/tmp/pt/project/a")]),
        ("os.removexattr", ("a", "user.b"), [("write", "/tmp/pt/project/a")]),
        ("os.mkfifo", ("a", -1), [("write", "/tmp/pt/project/a")]),
        ("os.mknod", ("a", 7), [("write", "/home/me/a")]),
        ("os.listdir", ("/etc",), [("read", "/etc")]),
        ("os.listdir", (None,), []),
        ("os.listdir", (5,), []),
        ("os.scandir", ("/tmp",), [("tmp", "/tmp")]),
    ],
)
def test_changes_and_listings(
    world: World, event: str, args: tuple[Any, ...], expected: list[tuple[str, str]]
) -> None:
    """Each event is judged at every path it changes, relative ones from their folder."""
    assert classify(event, args, world) == expected
