"""Watches a process from the moment when pytest is done until it ends."""

from __future__ import annotations

import atexit
import os
import threading
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tierwise.sandbox.exit_report import ExitReport

_STDERR = 2


class ExitWatch:
    """Says on stderr who keeps the process alive for longer than `patience_s`.

    Made before the code under test is imported: what that registers for the end runs earlier than
    ours, and the time that it takes is counted. Whatever is needed to tell is loaded when there
    is something to tell.
    """

    def __init__(self, *, patience_s: float, path: Path | None, root: Path, tells: bool) -> None:
        self._patience_s, self._path, self._tells = patience_s, path, tells
        self._root = root
        self._pid = os.getpid()
        self._make: Callable[[], ExitReport] | None = None
        self._report: ExitReport | None = None
        self._began = 0.0
        self._is_leaving, self._has_left = threading.Event(), threading.Event()
        atexit.register(self._finish)

    def begin(self, make: Callable[[], ExitReport]) -> None:
        """Take what the session took, made when it is needed: pytest is done."""
        self._make, self._began = make, monotonic()
        if self._path is not None:
            self._report = make()
            self._write()
        # The end begins when Python runs these; who called pytest may have more to do before.
        # No thread can be started any more by then, so it waits from here on, at no cost.
        with suppress(RuntimeError, AttributeError):  # it has begun, or there is no such door
            threading._register_atexit(self._is_leaving.set)  # type: ignore[attr-defined]  # noqa: SLF001  there is no public one
            threading.Thread(target=self._watch, name="tierwise-exit", daemon=True).start()

    def _watch(self) -> None:
        self._is_leaving.wait()
        left_at = monotonic()
        while not self._has_left.wait(self._patience_s):
            self._look(monotonic() - left_at)

    def _look(self, seconds: float) -> None:
        from tierwise.sandbox.exit_report import adding  # noqa: PLC0415  only who hangs pays

        if self._make is not None:
            self._report = self._report or self._make()
            self._report, lines = adding.add_waits(self._report, root=self._root, seconds=seconds)
            if lines:
                self._write()
                self._say(lines)

    def _finish(self) -> None:
        self._has_left.set()
        if self._report is None or os.getpid() != self._pid:
            return  # there is nothing to tell, or this is a child that was forked off
        from tierwise.sandbox.exit_report import adding  # noqa: PLC0415  as above

        self._report, lines = adding.end(self._report, seconds=monotonic() - self._began)
        self._write()
        self._say(lines)

    def _write(self) -> None:
        if self._path is not None and self._report is not None:
            with suppress(OSError):  # its folder may be gone by now
                self._path.write_text(self._report.to_json(), encoding="utf-8")

    def _say(self, lines: tuple[str, ...]) -> None:
        # No buffer, and so no lock that a thread could hold while Python ends.
        if self._tells and lines:
            with suppress(OSError):
                os.write(_STDERR, "".join(f"{line}\n" for line in lines).encode())
