"""Whose socket is that? Read from /proc, while the socket is still there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from tierwise.sandbox.airgap.packets import TCP, UDP

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_TABLES = {TCP: ("tcp", "tcp6"), UDP: ("udp", "udp6")}
_MOST_ANCESTORS = 64


class Owner(NamedTuple):
    """Who has a socket."""

    process: str = ""
    ancestors: tuple[int, ...] = ()
    thread: int = 0


def find_owner(protocol: int, local_port: int, pid: int) -> Owner:
    """Return whose socket has a port, as far as the system tells.

    `pid` is asked first: it is the likeliest.
    """
    inodes = {
        inode
        for table in _TABLES.get(protocol, ())
        for inode in inodes_at(_lines(f"/proc/self/net/{table}"), local_port)
    }
    wanted = {f"socket:[{inode}]" for inode in inodes}
    for each in _processes(pid):
        for descriptor, opened in _open_in(each):
            if opened in wanted:
                thread = _thread_at(each, descriptor)
                return Owner(_name_of(each), tuple(_ancestors(each)), thread)
    return Owner()


def inodes_at(lines: Iterable[str], local_port: int) -> Iterator[str]:
    """Return the inodes of the sockets with this port in a table of the kernel's."""
    for line in lines:
        fields = line.split()
        if len(fields) > 9 and fields[1].endswith(f":{local_port:04X}"):  # noqa: PLR2004  up to the inode
            yield fields[9]


def parent_in(stat: str) -> int:
    """Return the parent that a `/proc/PID/stat` names; a process's own name may hold anything."""
    return int(stat.rpartition(")")[2].split()[1])


def _processes(first: int) -> Iterator[int]:
    yield first
    for name in os.listdir("/proc"):  # noqa: PTH208  many, and plain text
        if name.isdigit() and int(name) not in (first, os.getpid()):
            yield int(name)


def _open_in(pid: int) -> Iterator[tuple[int, str]]:
    folder = f"/proc/{pid}/fd"
    try:
        for name in os.listdir(folder):  # noqa: PTH208
            yield int(name), os.readlink(f"{folder}/{name}")  # noqa: PTH115
    except OSError:
        return  # it has ended, or is somebody else's


def _thread_at(pid: int, descriptor: int) -> int:
    """Return the thread that waits in a call on a descriptor; 0 when none is seen to."""
    folder = f"/proc/{pid}/task"
    try:
        threads = os.listdir(folder)  # noqa: PTH208
    except OSError:
        return 0
    told = ((name, "".join(_lines(f"{folder}/{name}/syscall"))) for name in threads)
    return next((int(name) for name, call in told if waits_on(call, descriptor)), 0)


def waits_on(call: str, descriptor: int) -> bool:
    """Tell whether the call that a `/proc/PID/task/TID/syscall` shows is one on a descriptor."""
    fields = call.split()
    return len(fields) > 1 and fields[0] != "-1" and int(fields[1], 16) == descriptor


def _ancestors(pid: int) -> Iterator[int]:
    for _ in range(_MOST_ANCESTORS):
        if pid <= 0:
            return
        yield pid
        try:
            pid = parent_in("".join(_lines(f"/proc/{pid}/stat")))
        except (ValueError, IndexError):
            return


def _name_of(pid: int) -> str:
    return "".join(_lines(f"/proc/{pid}/comm")).strip()


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.readlines()
    except OSError:
        return []
