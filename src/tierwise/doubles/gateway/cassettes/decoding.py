"""The body of an answer as it came over the network, made into text that can be reviewed."""

from __future__ import annotations

import codecs
import re
import zlib
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.wire import Chunk
from tierwise.errors import GatewayError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_EVENT_END = re.compile(r"\r\n\r\n|\n\n|\r\r")
_EITHER_HEADER = 32 + zlib.MAX_WBITS
"""zlib's word for gzip or zlib, whichever the first bytes show."""


def decompress(chunks: Iterable[Chunk], encoding: str) -> tuple[Chunk, ...]:
    """Undo a content encoding chunk by chunk; raises `GatewayError` for one that is unknown."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return tuple(chunks)
    undo, finish = _decoder_of(name)
    found: list[Chunk] = []
    waited = 0.0
    for chunk in chunks:
        waited += chunk.after_s
        try:
            data = undo(chunk.data)
        except Exception as error:
            raise GatewayError(f"The vendor's body is no {name}: {error}.") from error
        if data:
            found.append(Chunk(data, waited))
            waited = 0.0
    rest = finish()
    return (*found, Chunk(rest, waited)) if rest else tuple(found)


def _decoder_of(name: str) -> tuple[Callable[[bytes], bytes], Callable[[], bytes]]:
    if name in ("gzip", "x-gzip", "deflate"):
        unzip = zlib.decompressobj(_EITHER_HEADER)
        return unzip.decompress, unzip.flush
    if name == "br":
        for module in ("brotli", "brotlicffi"):
            try:
                decoder: Any = import_module(module).Decompressor()
            except ModuleNotFoundError:
                continue
            return getattr(decoder, "process", None) or decoder.decompress, bytes
        raise GatewayError(
            "The vendor's body is compressed with br, although the gateway had asked for none: "
            "pip install brotli."
        )
    raise GatewayError(
        f"The vendor's body is compressed with {name!r}; expected gzip, deflate, br or identity."
    )


def join_characters(chunks: Iterable[Chunk]) -> tuple[Chunk, ...] | None:
    """Return chunks cut between characters, never inside one; None for what is no UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    found: list[Chunk] = []
    waited = 0.0
    try:
        for chunk in chunks:
            waited += chunk.after_s
            if text := decoder.decode(chunk.data):
                found.append(Chunk(text.encode(), waited))
                waited = 0.0
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return None
    return tuple(found)


def cut_events(chunks: Iterable[Chunk]) -> tuple[Chunk, ...]:
    """Return one chunk for each server-sent event, timed by the chunk that completed it.

    What comes after the last complete event is a chunk of its own.
    """
    found: list[Chunk] = []
    rest, waited = "", 0.0
    for chunk in chunks:
        waited += chunk.after_s
        rest += chunk.data.decode()
        while end := _EVENT_END.search(rest):
            if end.end() == len(rest) and rest.endswith("\r\r"):
                break  # the half of "\r\n\r\n", perhaps
            found.append(Chunk(rest[: end.end()].encode(), waited))
            rest, waited = rest[end.end() :], 0.0
    return (*found, Chunk(rest.encode(), waited)) if rest else tuple(found)
