"""What stays of a target from run to run."""
# ruff: noqa: S108 - paths are compared with, never opened

from __future__ import annotations

from pathlib import Path

import pytest

from tierwise.domain import Capability
from tierwise.sandbox.patterns import pattern_of
from tierwise.sandbox.world import Place, World, sort_roots

C = Capability
WORLD = World(
    roots=sort_roots([("/project", Place.PROJECT), ("/tmp", Place.TMP)]),
    project_root="/project/",
    stdlib=(),
    harness=(),
    interpreters=frozenset(),
    cwd=lambda: "/project",
    real_path=str,
    path_of_descriptor=lambda _: None,
)


@pytest.mark.parametrize(
    ("capability", "target", "pattern"),
    [
        (C.TMP, "/tmp/pytest-of-me/pytest-7/test_x0/out.txt", "{tmp}"),
        (C.WRITE, "/project/build/out.txt", "build/out.txt"),
        (C.WRITE, "/project", "."),
        (C.WRITE, "/project/logs/20261201-run.log", "logs/{n}-run.log"),
        (C.WRITE, "/home/me/.cache/x", "~/.cache/x"),
        (C.WRITE, "/home/meg/x", "/home/meg/x"),
        (C.READ, "/proc/4711/status", "/proc/{n}/status"),
        (C.READ, "/proc/17/status", "/proc/{n}/status"),
        (C.READ, "/opt/python3.11/lib", "/opt/python3.11/lib"),
        (C.READ, "/var/9f8e7d6c5b4a/x", "/var/{id}/x"),
        (C.READ, "/var/0b5a4f3e-1111-2222-3333-444455556666", "/var/{id}"),
        (C.READ, "/etc/deadbeef", "/etc/deadbeef"),
        (C.LOOPBACK, "127.0.0.1:51234", "127.0.0.1:{port}"),
        (C.LOOPBACK, "127.0.0.1:0", "127.0.0.1:{port}"),
        (C.LOOPBACK, "127.0.0.1:5432", "127.0.0.1:5432"),
        (C.LOOPBACK, "[::1]:40000", "[::1]:{port}"),
        (C.LOOPBACK, "/tmp/x/server.sock", "{tmp}"),
        (C.LOOPBACK, "@bus-12345", "@bus-{n}"),
        (C.NETWORK, "api.example.com:443", "api.example.com:443"),
        (C.NETWORK, "api.example.com", "api.example.com"),
        (C.SUBPROCESS, "/usr/bin/git", "git"),
        (C.SUBPROCESS, "python", "python"),
        (C.SUBPROCESS, "sh -c cat /tmp/pytest-7/x > '/project/o' # 12345", None),
        (C.SLEEP, "1.5 s", "{time}"),
        (C.MODEL, "openai:gpt", "openai:gpt"),
    ],
)
def test_a_target_loses_what_changes_by_itself(
    capability: Capability, target: str, pattern: str | None
) -> None:
    """Temporary folders, ports that the system gives out, numbers, ids and durations."""
    wanted = "sh -c cat {tmp} > 'o' # {n}" if pattern is None else pattern
    assert pattern_of(capability, target, WORLD, "/home/me") == wanted


def test_a_pattern_does_not_tell_where_the_project_lies() -> None:
    """The file is shared by people whose folders differ."""
    for target in ("/project/x", str(Path("/project") / "a" / "b")):
        assert "project" not in pattern_of(C.WRITE, target, WORLD, "")
