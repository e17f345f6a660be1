"""The page of a gateway that runs on its own: what was asked, readable, and as JSON."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any

from tierwise.domain.masking import mask_keys
from tierwise.doubles.gateway.doors.door import is_loopback
from tierwise.doubles.gateway.wire import Chunk, HttpResponse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.doubles.gateway.gateway import Gateway
    from tierwise.doubles.gateway.journal import Entry
    from tierwise.doubles.gateway.wire import HttpRequest

PAGE_PATH = "/_tierwise"
JOURNAL_PATH = f"{PAGE_PATH}/journal.json"
_MOST_SHOWN = 200
_LONGEST = 20_000
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 68rem; padding: 0 1rem;
  color: #1b1f24; background: #fff; }
h1 { font-size: 1.35rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
summary { cursor: pointer; padding: .3rem 0; font-family: ui-monospace, monospace; }
details { border-top: 1px solid #d5dae0; } .bad > summary, .bad { color: #a4141e; }
pre { background: #f4f6f8; color: #1b1f24; padding: .7rem; overflow: auto; max-height: 24rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) { body { background: #14171a; color: #e4e7ea; }
  pre { background: #1f2428; color: #e4e7ea; } .bad > summary, .bad { color: #ff8d8d; } }
"""
_HEADERS = (
    ("cache-control", "no-store"),
    ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
)


class JournalPage:
    """Answers what is asked below `/_tierwise`, and leaves all else to the vendors.

    A browser is led astray by a name of a stranger's that points to this machine; so without
    `any_host` it answers only who asks for loopback by its own name.
    """

    def __init__(self, gateway: Gateway, *, any_host: bool = False) -> None:
        self._gateway, self._any_host = gateway, any_host

    def __call__(self, http: HttpRequest) -> HttpResponse | None:
        """Return the page or the journal, or None for what is not meant for either."""
        if not http.path.startswith(PAGE_PATH):
            return None
        path = http.path.rstrip("/")
        if path != PAGE_PATH and not path.startswith(f"{PAGE_PATH}/"):
            return None
        if not (self._any_host or is_loopback(http.host)):
            return _respond("The page is for this machine.", status=403)
        if path == JOURNAL_PATH:
            return _respond(json.dumps(write_journal(self._gateway), indent=2), kind="json")
        if path == PAGE_PATH:
            return _respond(write_page(self._gateway), kind="html")
        return _respond(f"There is {PAGE_PATH} and {JOURNAL_PATH}.", status=404)


def _respond(text: str, *, kind: str = "plain", status: int = 200) -> HttpResponse:
    media = "application/json" if kind == "json" else f"text/{kind}; charset=utf-8"
    return HttpResponse(
        status=status,
        headers=(("content-type", media), *_HEADERS),
        chunks=(Chunk(text.encode("utf-8", "replace")),),
    )


def write_journal(gateway: Gateway) -> dict[str, Any]:
    """Return what was asked, answered and found wrong as plain data; keys are masked."""
    return {
        "n_requests": len(gateway.requests) + gateway.n_forgotten,
        "n_forgotten": gateway.n_forgotten,
        "complaints": list(gateway.complaints),
        "unused": list(gateway.unused),
        "verdicts": [
            {"kind": str(one.kind), "message": one.message, "is_certain": one.is_certain}
            for one in gateway.verdicts()
        ],
        "requests": [_write_entry(entry) for entry in gateway.requests],
    }


def _write_entry(entry: Entry) -> dict[str, Any]:
    return {
        "number": entry.number,
        "vendor": entry.vendor,
        "method": entry.method,
        "path": entry.path,
        "query": dict(entry.query),
        "model": entry.model,
        "status": entry.status,
        "rule": entry.rule,
        "refused": entry.refused,
        "fault": entry.fault,
        "n_chunks": entry.progress.n_chunks,
        "closed_early": entry.progress.closed_early,
        "headers": dict(entry.headers),
        "request": _read_body(entry.body),
        "response": _read_body(mask_keys(_decode(entry.response.body)).encode()),
    }


def _decode(body: bytes) -> str:
    return body.decode("utf-8", "replace")


def _read_body(body: bytes) -> Any:  # noqa: ANN401  JSON, or text
    try:
        return json.loads(body)
    except ValueError:
        return _decode(body)


def write_page(gateway: Gateway) -> str:
    """Return the page; all that is not ours is escaped, and nothing is loaded from elsewhere."""
    entries = gateway.requests
    total = len(entries) + gateway.n_forgotten
    shown = entries[::-1][:_MOST_SHOWN]
    told = f", the newest {len(shown)} below" if len(shown) < total else ""
    head = (
        "<!doctype html><html lang=en><meta charset=utf-8><title>tierwise gateway</title>"
        f'<meta name=viewport content="width=device-width"><style>{_STYLE}</style>'
        f"<h1>What was asked of the gateway</h1><p>{total} request(s){told}; "
        f'<a href="{JOURNAL_PATH}">as JSON</a></p>'
    )
    parts = [
        head,
        _write_list("Not answered by any rule", gateway.complaints),
        _write_list("Rules not used up", gateway.unused),
        _write_list("About the client", map(str, gateway.verdicts())),
        "<h2>Requests</h2>",
        *map(_write_details, shown),
        "" if shown else "<p>None yet.</p>",
    ]
    return "".join(parts)


def _write_list(title: str, lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line)}" for line in lines)
    return f"<h2>{title}</h2><ul class=bad>{items}</ul>" if items else ""


def _write_details(entry: Entry) -> str:
    asked = _show(entry.body)
    answered = _show(mask_keys(_decode(entry.response.body)).encode())
    headers = "\n".join(f"{name}: {value}" for name, value in entry.headers.items())
    kind = " class=bad" if entry.refused else ""
    rule = f"<p>{escape(entry.rule)}</p>" if entry.rule else ""
    return (
        f"<details{kind}><summary>{escape(str(entry))}</summary>{rule}<pre>{asked}</pre>"
        f"<pre>{answered}</pre><pre>{escape(headers)}</pre></details>"
    )


def _show(body: bytes) -> str:
    found = _read_body(body)
    text = found if isinstance(found, str) else json.dumps(found, indent=2, ensure_ascii=False)
    cut = f"{text[:_LONGEST]}\n... {len(text) - _LONGEST} more characters"
    return escape(text if len(text) <= _LONGEST else cut)
