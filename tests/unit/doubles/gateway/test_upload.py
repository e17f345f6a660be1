"""Requests as bytes, in pieces of any size."""

from __future__ import annotations

import pytest

from tierwise.doubles.gateway.doors.upload import Upload, UploadReader

PLAIN = b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nX-A:  b c \r\n\r\nhello"
CHUNKED = (
    b"PUT /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"5\r\nhello\r\n2;note\r\n\r\n\r\n0\r\n\r\n"
)
BARE = b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n"


def read(text: bytes, size: int) -> Upload:
    """Feed a request piece by piece; it is whole with the last piece and not before."""
    reader = UploadReader()
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    assert [reader.feed(piece) for piece in pieces[:-1]] == [None] * (len(pieces) - 1)
    found = reader.feed(pieces[-1])
    assert found is not None
    return found


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_a_request_is_put_together_from_any_pieces(size: int) -> None:
    """With a length, in chunks, or with no body at all."""
    plain = read(PLAIN, size)
    assert (plain.method, plain.body) == ("POST", b"hello")
    assert plain.headers == {"host": "x", "content-length": "5", "x-a": "b c"}
    assert read(CHUNKED, size).body == b"hello\r\n"
    assert read(BARE, size) == Upload(method="GET", headers={"host": "x"}, body=b"")


def test_a_client_may_ask_before_it_sends_its_body() -> None:
    """The head tells it."""
    reader = UploadReader()
    assert not reader.awaits_consent
    head = b"POST /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    assert reader.feed(head) is None
    assert reader.awaits_consent
    found = reader.feed(b"ab")
    assert found is not None
    assert found.body == b"ab"
