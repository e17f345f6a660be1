"""Secrets taken out of an interaction before it is written: by header, by value, by shape."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from tierwise.domain.masking import mask_keys, mask_leaves, mask_values
from tierwise.doubles.gateway.cassettes.streams import mask_across_events
from tierwise.doubles.gateway.wire import Chunk
from tierwise.errors import GatewayError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.doubles.gateway.cassettes.cassette import Interaction

_CREDENTIALS = frozenset(
    {"authorization", "x-api-key", "x-goog-api-key", "api-key", "proxy-authorization", "cookie"}
)
_IDENTIFYING = frozenset({"openai-organization", "openai-project", "anthropic-organization-id"})
_UNKEPT = frozenset(
    {
        *("connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding"),
        *("set-cookie", "date", "server", "alt-svc", "via", "strict-transport-security", "cf-ray"),
    }
)
"""What belongs to one connection, one moment or one caller."""
_SHORTEST = 6
"""A value this short is in ordinary words too."""


def find_credentials(headers: Mapping[str, str], query: Mapping[str, str]) -> tuple[str, ...]:
    """Return the values by which a request's caller is known."""
    found = [query["key"]] if "key" in query else []
    for name, value in headers.items():
        if name not in _CREDENTIALS:
            continue
        scheme, blank, rest = value.partition(" ")
        found += [value, rest] if blank and scheme.isalpha() else [value]
    return tuple(value for value in found if len(value) >= _SHORTEST)


class Mask:
    """Masks the same secrets in each interaction of a recording."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._values: set[str] = set()
        self.add(secrets)

    def add(self, secrets: Iterable[str]) -> None:
        """Know more of them, each in the forms in which it may be written."""
        for secret in secrets:
            if secret:
                coded = base64.b64encode(secret.encode("utf-8", "surrogatepass")).decode()
                self._values |= {secret, quote(secret, safe="", errors="replace")}
                self._values |= {coded, json.dumps(secret)[1:-1]}

    def text(self, text: str) -> str:
        """Return a text without them, and without whatever looks like a key."""
        return mask_keys(mask_values(text, self._values))

    def interaction(self, one: Interaction) -> Interaction:
        """Return an interaction as it may be written."""
        asking = replace(
            one.asking,
            path=self.text(one.asking.path),
            query=mask_leaves(one.asking.query, self.text),
            body=mask_leaves(one.asking.body, self.text),
        )
        return replace(
            one,
            asking=asking,
            headers=self.headers(one.headers),
            json=mask_leaves(one.json, self.text),
            chunks=self._chunks(one.chunks),
        )

    def headers(self, headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        """Return the headers of an answer that are kept."""
        return tuple(
            (name, "[masked value]" if name.lower() in _IDENTIFYING else self.text(value))
            for name, value in headers
            if name.lower() not in _UNKEPT
        )

    def _chunks(self, chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
        try:
            texts = [chunk.data.decode() for chunk in chunks]
        except UnicodeDecodeError:
            return tuple(Chunk(self._bytes(chunk.data), chunk.after_s) for chunk in chunks)
        masked = mask_across_events(texts, self.text)
        return tuple(
            Chunk(text.encode(), chunk.after_s) for chunk, text in zip(chunks, masked, strict=True)
        )

    def _bytes(self, data: bytes) -> bytes:
        # One character a byte, so that what is no text stays what it is.
        return self.text(data.decode("latin-1")).encode("latin-1")

    def refuse_remains(self, written: str) -> None:
        """Raise `GatewayError` where a secret would be written all the same."""
        for value in self._values:
            if value in written or json.dumps(value, ensure_ascii=False)[1:-1] in written:
                raise GatewayError(
                    "A secret was left in the cassette after masking, in a place that the "
                    "recorder does not know; nothing was written. Leave it out of what is sent "
                    "to the model, and record again."
                )
