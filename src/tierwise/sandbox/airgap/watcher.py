"""A process beside the session: it reads what leaves the namespace, and ends the attempt."""

from __future__ import annotations

import json
import os
import secrets
import selectors
import signal
import socket
import struct
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING

from tierwise.sandbox.airgap.attempt import Attempt
from tierwise.sandbox.airgap.client import address_of
from tierwise.sandbox.airgap.counts import count_unroutable
from tierwise.sandbox.airgap.owners import Owner, find_owner
from tierwise.sandbox.airgap.packets import (
    TCP,
    UDP,
    answer_to,
    parse_packet,
    read_attempt,
    read_question,
    refuse_question,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_LARGEST = 65536
_MOST_KEPT = 1000
"""Attempts that wait for one session to ask; what is beyond tells nothing new."""


_REMEMBERED_S = 0.5
"""A port is not given to another process as fast as that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """What a watcher reads."""

    way: int | None
    """Where packets that leave are read; None where only the kernel counts them."""
    name_servers: tuple[socket.socket, ...] = ()


def start_watcher(watched: Watched) -> str:
    """Start the process and return the name by which it is reached.

    It is nobody's child, so that a test that waits for its own children never meets it, and it
    ends with the last session that is connected to it.
    """
    token = secrets.token_hex(8)
    server = socket.socket(socket.AF_UNIX)
    server.bind(address_of(token))
    server.listen()
    child = os.fork()
    if child == 0:
        _detach(watched, server)
    os.waitpid(child, 0)
    server.close()
    for stand_in in watched.name_servers:
        stand_in.close()
    if watched.way is not None:
        os.close(watched.way)
    return token


def _detach(watched: Watched, server: socket.socket) -> None:
    try:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            _close_others(watched, server)
            Watcher(watched, server).run()
    finally:
        os._exit(0)


def _close_others(watched: Watched, server: socket.socket) -> None:
    """Keep nothing open that somebody else waits to see closed, such as the session's output."""
    kept = {server.fileno(), watched.way, *(one.fileno() for one in watched.name_servers)}
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208
        if int(name) > 2 and int(name) not in kept:  # noqa: PLR2004  the standard streams
            with suppress(OSError):
                os.close(int(name))


@dataclass(slots=True)
class _Session:
    pid: int
    waiting: deque[Attempt]


class Watcher:
    """Reads packets and answers sessions, one at a time, until the last session is gone."""

    def __init__(self, watched: Watched, server: socket.socket) -> None:
        """Watch from now on."""
        self._watched, self._server = watched, server
        self._sessions: dict[socket.socket, _Session] = {}
        self._first: _Session | None = None
        self._last_owner = ((0, 0), 0.0, Owner())
        self._n_counted = 0
        self._selector = selectors.DefaultSelector()
        self._add(server, self._accept)
        for stand_in in watched.name_servers:
            self._add(stand_in, self._drain)
        if watched.way is not None:
            self._add(watched.way, self._drain)

    def run(self) -> None:
        """Go on until nobody is connected any more."""
        while self._first is None or self._sessions:
            for key, _ in self._selector.select():
                key.data()

    def _add(self, source: socket.socket | int, call: Callable[[], None]) -> None:
        self._selector.register(source, selectors.EVENT_READ, call)

    def _accept(self) -> None:
        connection, _ = self._server.accept()
        size = struct.calcsize("3i")
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)  # type: ignore[attr-defined,unused-ignore]  # Linux
        session = _Session(struct.unpack("3i", credentials)[0], deque(maxlen=_MOST_KEPT))
        self._first = self._first or session
        self._sessions[connection] = session
        self._add(connection, lambda: self._answer(connection))

    def _answer(self, connection: socket.socket) -> None:
        try:
            is_asked = bool(connection.recv(1))
        except OSError:
            is_asked = False
        if not is_asked:
            self._selector.unregister(connection)
            connection.close()
            del self._sessions[connection]
            return
        # All that had left before the question is part of the answer.
        self._drain()
        waiting = self._sessions[connection].waiting
        text = json.dumps([attempt.as_data() for attempt in waiting]) + "\n"
        waiting.clear()
        with suppress(OSError):
            connection.sendall(text.encode())

    def _drain(self) -> None:
        if self._watched.way is None:
            self._count()
        else:
            while (raw := _read(self._watched.way)) is not None:
                self._judge(raw, self._watched.way)
        for stand_in in self._watched.name_servers:
            self._hear(stand_in)

    def _count(self) -> None:
        counted = count_unroutable()
        for _ in range(min(counted - self._n_counted, _MOST_KEPT)):
            self._keep(Attempt(kind="unnamed", host="another machine"), 0)
        self._n_counted = counted

    def _judge(self, raw: bytes, way: int) -> None:
        packet = parse_packet(raw)
        if packet is None:
            return
        attempt = read_attempt(packet)
        if attempt is not None:
            self._keep(attempt, packet.protocol)
        # Kept before it is answered: whoever waits for the answer can't be ahead of the record.
        answer = answer_to(packet, raw)
        if answer is not None:
            with suppress(OSError):
                os.write(way, answer)

    def _hear(self, stand_in: socket.socket) -> None:
        while True:
            try:
                message, sender = stand_in.recvfrom(_LARGEST)
            except OSError:
                return
            name = read_question(message)
            if name:
                self._keep(Attempt(kind="look_up", host=name, local_port=sender[1]), UDP)
                with suppress(OSError):
                    stand_in.sendto(refuse_question(message), sender)

    def _keep(self, attempt: Attempt, protocol: int) -> None:
        if self._first is None:
            return
        session = self._first
        if attempt.local_port is not None and protocol in (TCP, UDP):
            owner = self._owner_of(protocol, attempt.local_port)
            attempt = replace(attempt, **owner._asdict())
            session = self._session_of(owner.ancestors) or session
        session.waiting.append(attempt)

    def _owner_of(self, protocol: int, local_port: int) -> Owner:
        """Return whose socket has this port; of one that has just gone, whose it was."""
        key, until, owner = self._last_owner
        if key == (protocol, local_port) and monotonic() < until:
            return owner  # many packets of one socket: looking for it each time is too slow
        found = find_owner(protocol, local_port, self._first.pid if self._first else 0)
        if found.ancestors:
            self._last_owner = ((protocol, local_port), monotonic() + _REMEMBERED_S, found)
        return found

    def _session_of(self, ancestors: tuple[int, ...]) -> _Session | None:
        """Return the nearest session above a process."""
        by_pid = {session.pid: session for session in self._sessions.values()}
        return next((by_pid[pid] for pid in ancestors if pid in by_pid), None)


def _read(way: int) -> bytes | None:
    try:
        return os.read(way, _LARGEST)
    except OSError:
        return None
