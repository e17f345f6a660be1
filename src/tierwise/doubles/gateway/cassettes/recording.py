"""The recorder: passes requests on to the real vendor, and keeps what comes back."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tierwise.domain.fake_keys import FAKE_KEY
from tierwise.doubles.gateway.cassettes.cassette import Cassette, Interaction
from tierwise.doubles.gateway.cassettes.comparing import form_asking
from tierwise.doubles.gateway.cassettes.decoding import cut_events, decompress, join_characters
from tierwise.doubles.gateway.cassettes.file import replace_file, write_text
from tierwise.doubles.gateway.cassettes.masking import Mask, find_credentials
from tierwise.doubles.gateway.cassettes.upstream import fetch, read_upstreams
from tierwise.errors import GatewayError

if TYPE_CHECKING:
    import os
    from collections.abc import Awaitable, Iterable, Mapping
    from datetime import datetime

    from tierwise.doubles.gateway.cassettes.cassette import Asking
    from tierwise.doubles.gateway.cassettes.upstream import Fetched
    from tierwise.doubles.gateway.wire import Chunk, HttpRequest, HttpResponse

_KEY_HEADERS = ("authorization", "x-api-key", "x-goog-api-key")


class Recorder:
    """Answers with what the vendor says, and writes it down, secrets masked.

    All that is complete is in `FILE.partial` at each moment; `finish` puts it in place of FILE.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        recorded_at: datetime,
        upstreams: Mapping[str, str] | None = None,
        keys: Mapping[str, str] | None = None,
        secrets: Iterable[str] = (),
    ) -> None:
        self.path = Path(path)
        self.upstreams = read_upstreams(upstreams or {})
        self._partial = self.path.with_name(f"{self.path.name}.partial")
        self._recorded_at = recorded_at
        self._keys = dict(keys or {})
        self._mask = Mask([*secrets, *self._keys.values()])
        self._found: dict[int, Interaction] = {}
        self._n_begun = 0
        self._lock = threading.Lock()

    @property
    def n_recorded(self) -> int:
        """How many interactions were kept so far."""
        return len(self._found)

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts that have to be reached."""
        return frozenset(urlsplit(url).hostname or "" for url in self.upstreams.values())

    def find(self, http: HttpRequest) -> Awaitable[HttpResponse]:
        """Return the vendor's answer, once it is complete and written."""
        with self._lock:
            number = self._n_begun = self._n_begun + 1
        return asyncio.to_thread(self._exchange, http, number)

    def explain(self, http: HttpRequest) -> str:
        """Return nothing: all requests are answered."""
        del http
        return ""

    def finish(self) -> tuple[str, ...]:
        """Put the recording in place of the file; one that holds nothing changes nothing."""
        with self._lock:
            if self._found:
                self._partial.replace(self.path)
                self._found = {}
        return ()

    def _exchange(self, http: HttpRequest, number: int) -> HttpResponse:
        asking = form_asking(http)
        asked = self._with_real_key(http, asking.vendor)
        fetched = fetch(self.upstreams[asking.vendor], asked)
        one = form_interaction(asking, fetched, is_stream=_is_stream(asking))
        self._keep(number, one, find_credentials(asked.headers, asked.query))
        return one.form_response()

    def _keep(self, number: int, one: Interaction, credentials: Iterable[str]) -> None:
        with self._lock:
            self._mask.add(credentials)
            self._found[number] = self._mask.interaction(one)
            ordered = tuple(self._found[n] for n in sorted(self._found))
            cassette = Cassette(recorded_at=self._recorded_at, interactions=ordered)
            text = write_text(cassette)
            try:
                self._mask.refuse_remains(text)
            except GatewayError:
                del self._found[number]
                raise
            replace_file(self._partial, text)

    def _with_real_key(self, http: HttpRequest, vendor: str) -> HttpRequest:
        """Put the real key where the client has sent the obviously fake one."""
        key = self._keys.get(vendor)
        if key is None:
            return http
        headers = dict(http.headers)
        for name in _KEY_HEADERS:
            if FAKE_KEY in headers.get(name, ""):
                headers[name] = f"Bearer {key}" if name == "authorization" else key
        query = {n: key if FAKE_KEY in v and n == "key" else v for n, v in http.query.items()}
        return replace(http, headers=headers, query=query)


def form_interaction(asking: Asking, fetched: Fetched, *, is_stream: bool) -> Interaction:
    """Return an exchange as a cassette keeps it: unpacked, whole JSON as JSON, events apart."""
    headers = dict(fetched.headers)
    chunks = decompress(fetched.chunks, headers.get("content-encoding", ""))
    kept = tuple(
        (name, value)
        for name, value in fetched.headers
        if name not in ("content-encoding", "content-length", "transfer-encoding", "connection")
    )
    characters = join_characters(chunks)
    found: Any = None
    has_json = False
    if characters is not None:
        if headers.get("content-type", "").startswith("text/event-stream"):
            characters = cut_events(characters)
        elif not is_stream:
            found, has_json = _read_json(characters)
    return Interaction(
        asking=asking,
        status=fetched.status,
        headers=kept,
        json=found,
        has_json=has_json,
        chunks=() if has_json else chunks if characters is None else characters,
        before_s=fetched.before_s,
        ending=fetched.ending,
    )


def _read_json(chunks: Iterable[Chunk]) -> tuple[Any, bool]:
    try:
        return json.loads(b"".join(chunk.data for chunk in chunks)), True
    except ValueError:
        return None, False


def _is_stream(asking: Asking) -> bool:
    wants = isinstance(asking.body, dict) and asking.body.get("stream") is True
    return wants or "stream" in asking.path.rpartition("/")[2].lower()
