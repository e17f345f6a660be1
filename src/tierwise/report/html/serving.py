"""Serves the live view on this machine alone: a page, and the state that it asks for."""

from __future__ import annotations

import json
import sys
import threading
from datetime import UTC, datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from tierwise.errors import MisuseError, StoreError
from tierwise.records import RunStore
from tierwise.report.html.live import Watch, look
from tierwise.report.html.templating import open_templates, render

if TYPE_CHECKING:
    from pathlib import Path

_LOOPBACK = "127.0.0.1"
_PORT_OF_THE_WEB = 80
_SAFE = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class LiveServer(ThreadingHTTPServer):
    """Answers who asks it by its own address on loopback, and nobody else."""

    daemon_threads = True

    def __init__(self, port: int, *, store: Path, page: str) -> None:
        self.store, self.page = store, page
        self._watch, self._lock = Watch(), threading.Lock()
        super().__init__((_LOOPBACK, port), _Handler)

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://{_LOOPBACK}:{self.server_port}/"

    def is_asked_by_name(self, host: str) -> bool:
        """Is this our own address? A page elsewhere may have its name point to this machine."""
        ours = (_LOOPBACK, "localhost")
        if self.server_port == _PORT_OF_THE_WEB and host in ours:
            return True  # the one port that a browser leaves out
        return host in [f"{name}:{self.server_port}" for name in ours]

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401  the base's
        """Say nothing of a browser that went away, or never asked; it is no fault of ours."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    def state(self) -> dict[str, Any]:
        """Return what the store says now; one at a time, since each look goes on with the last."""
        with self._lock:
            try:
                written_at = _written_at(self.store)  # opening it may write to it
                opened = RunStore.open_existing(self.store)
                if opened is None:
                    return {"state": "waiting", "evals": []}
                with opened:
                    return look(opened, self._watch, datetime.now(UTC), written_at)
            except StoreError as error:
                return {"state": "unreadable", "problem": str(error), "evals": []}


def open_server(store: Path, *, project: str, port: int = 0) -> LiveServer:
    """Return a server that listens on loopback; port 0 takes any that is free."""
    page = render(
        open_templates(),
        "live.html.j2",
        {
            "title": f"{project}: evals, live",
            "project": project,
            "script": "live.js",
            "can_ask": True,
        },
    )
    try:
        return LiveServer(port, store=store, page=page)
    except OSError as error:
        raise MisuseError(
            f"tierwise report --serve cannot listen on {_LOOPBACK}:{port}: "
            f"{error.strerror or error}. Leave out --port to take any port that is free."
        ) from error


def serve_until_stopped(server: LiveServer) -> None:
    """Answer until Ctrl-C, then let go of the port."""
    try:
        server.serve_forever(poll_interval=0.2)
    except KeyboardInterrupt:
        pass  # how it is meant to end
    finally:
        server.server_close()


def _written_at(store: Path) -> str:
    files = (store, store.with_name(f"{store.name}-wal"))
    times = [file.stat().st_mtime for file in files if file.exists()]
    return datetime.fromtimestamp(max(times), UTC).isoformat(timespec="seconds") if times else ""


class _Handler(BaseHTTPRequestHandler):
    server: LiveServer
    timeout = 10
    """Seconds that a connection has to ask."""

    def do_GET(self) -> None:
        """Answer for the page or its state."""
        path = self.path.partition("?")[0]
        if not self.server.is_asked_by_name(self.headers.get("Host", "")):
            self._answer(
                HTTPStatus.FORBIDDEN, "text/plain", "This view answers on loopback alone."
            )
        elif path == "/":
            self._answer(HTTPStatus.OK, "text/html", self.server.page)
        elif path == "/state.json":
            state = json.dumps(self.server.state())
            self._answer(HTTPStatus.OK, "application/json", state)
        else:
            self._answer(HTTPStatus.NOT_FOUND, "text/plain", "There is / and /state.json.")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the base class's name
        """Say nothing: each second would be a line."""

    def _answer(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode("utf-8", "backslashreplace")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in _SAFE.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
