"""A session's side of the watch: ask what has tried to leave since the last time."""

from __future__ import annotations

import socket
from json import loads
from typing import TYPE_CHECKING

from tierwise.sandbox.airgap.attempt import attempt_from_data

if TYPE_CHECKING:
    from tierwise.sandbox.airgap.attempt import Attempt

LONGEST_ANSWER_S = 5.0


class Airgap:
    """A session without a network, and what tried to reach one from it."""

    def __init__(
        self, *, token: str = "", note: str = "", connection: socket.socket | None = None
    ) -> None:
        """Hold the connection to the watcher; without one nothing is ever named."""
        self.token, self.note = token, note
        self.lost = ""
        """Why attempts can no longer be told, in a session where they could at first."""
        self._connection = connection

    @property
    def is_watched(self) -> bool:
        """Can attempts be told at all?"""
        return self._connection is not None

    def take(self) -> tuple[Attempt, ...]:
        """Return what has tried to leave since the last time, up to this moment.

        After the watcher was lost there is nothing to return, and `lost` says so.
        """
        if self._connection is None:
            return ()
        try:
            self._connection.send(b"?")
            text = self._receive()
        except OSError as error:
            self.lost = f"the watcher of the air gap does not answer ({error})"
            self.leave()
            return ()
        return tuple(attempt_from_data(data) for data in loads(text))

    def leave(self) -> None:
        """End the watch; the network stays gone."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _receive(self) -> bytes:
        connection = self._connection
        text = b""
        while not text.endswith(b"\n"):
            part = connection.recv(65536) if connection is not None else b""
            if not part:
                raise ConnectionError("it has ended")
            text += part
        return text


def join(token: str, *, note: str = "") -> Airgap:
    """Connect to the watcher that goes by this name, in this namespace."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(LONGEST_ANSWER_S)
    connection.connect(address_of(token))
    return Airgap(token=token, note=note, connection=connection)


def address_of(token: str) -> str:
    """Return where a watcher is reached: a name without a file, known in its namespace alone."""
    return f"\0tierwise-airgap-{token}"
