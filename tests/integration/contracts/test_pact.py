"""Pact files: written, read, played to a consumer, verified on a provider on loopback."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from tierwise.contracts import Rule, anything, matching, same_type
from tierwise.contracts.pact import (
    Pact,
    PactDouble,
    PactInteraction,
    PactRequest,
    PactResponse,
    ask_at,
    read_pact,
    verify_pact,
    write_pact,
)
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

JSON = {"Content-Type": "application/json"}
PACT = Pact(
    consumer="basket",
    provider="shelf",
    interactions=(
        PactInteraction(
            description="a book is looked up",
            given={"book 7 is there": {"title": "Emma"}},
            request=PactRequest(
                path="/books/7",
                query={"lang": ("en", "de")},
                headers={"Accept": "application/json"},
                rules={"path": {"": Rule(matchers=(matching(r"/books/\d+"),))}},
            ),
            response=PactResponse(
                headers=JSON,
                body={"id": 7, "title": "Emma", "tags": [{"name": "novel"}]},
                rules={
                    "body": {
                        "$.id": Rule(matchers=(same_type(),)),
                        "$.tags": Rule(matchers=(same_type(),)),
                    }
                },
            ),
        ),
        PactInteraction(
            description="a book is put",
            request=PactRequest(
                method="POST", path="/books", headers=JSON, body={"title": "Ulla"}
            ),
            response=PactResponse(status=201),
        ),
    ),
)


class Handler(BaseHTTPRequestHandler):
    """A provider that gives books and takes them."""

    book: ClassVar[Any] = {
        "id": 8,
        "title": "Emma",
        "tags": [{"name": "a"}, {"name": "b"}],
        "more": 1,
    }

    def do_GET(self) -> None:
        """Give the book, whatever was asked, if its languages are named."""
        ok = self.path == "/books/7?lang=en&lang=de"
        self._send(200 if ok else 404, json.dumps(self.book))

    def do_POST(self) -> None:
        """Take a book that has a title, or be brought into a state."""
        data = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        wanted = 200 if self.path == "/states" else 201 if data == {"title": "Ulla"} else 400
        self._send(wanted, "")

    def _send(self, status: int, text: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    """Give the address of a provider that runs while the test does."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_file_comes_back_as_it_was_written(tmp_path: Path) -> None:
    """Requests, responses, states, matchers, text and bytes."""
    more = PactInteraction(
        description="a picture",
        request=PactRequest(method="PUT", path="/p", body=b"\x89\xff"),
        response=PactResponse(status=200, headers={"Content-Type": "text/plain"}, body="ok"),
    )
    pact = Pact(consumer="a", provider="b", interactions=(*PACT.interactions, more))
    write_pact(tmp_path / "deep" / "pact.json", pact)
    back = read_pact(tmp_path / "deep" / "pact.json")
    assert back.interactions[:2] == PACT.interactions
    assert back.interactions[2].request.body == b"\x89\xff"
    assert back.interactions[2].response == more.response
    assert (back.consumer, back.provider) == ("a", "b")


def test_secrets_are_masked_in_what_is_written(tmp_path: Path) -> None:
    """A key in a header or a body does not reach the file."""
    request = PactRequest(headers={"Authorization": "Bearer t-4711"}, body={"key": "t-4711"})
    one = PactInteraction(description="d", request=request, response=PactResponse())
    pact = Pact(consumer="a", provider="b", interactions=(one,))
    write_pact(tmp_path / "pact.json", pact, secrets={"token": "t-4711"})
    text = (tmp_path / "pact.json").read_text()
    assert "4711" not in text
    assert "[masked token]" in text


def test_a_provider_that_keeps_the_pact_is_proven(url: str) -> None:
    """Matchers hold, and what nobody asked for is none of the consumer's business."""
    seen: list[Any] = []
    report = verify_pact(PACT, ask_at(url), given={"book 7 is there": seen.append})
    assert report.verdict == "proven", report.render()
    assert seen == [{"title": "Emma"}]


def test_each_difference_of_a_provider_is_shown(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value, a type, an empty list, a missing key: by their places in the body."""
    monkeypatch.setattr(Handler, "book", {"id": "8", "tags": []})
    report = verify_pact(PACT, ask_at(url), given={"book 7 is there": lambda _: None})
    assert report.verdict == "refuted"
    assert report.render().splitlines() == [
        "failed a book is looked up",
        "    body $.id: '8' is a string, expected a number",
        "    body $.title: it is missing",
        "    body $.tags: 0 items, expected at least 1",
        "passed a book is put",
    ]


def test_status_and_headers_are_compared() -> None:
    """Names in any case; a charset that nobody asked for is no difference."""
    pact = Pact(consumer="a", provider="b", interactions=PACT.interactions[1:])
    expected = PACT.interactions[1]
    strict = PactInteraction(
        description="d",
        request=expected.request,
        response=PactResponse(headers={**JSON, "X-Page": "1, 2"}),
    )

    def answer(_: PactRequest) -> PactResponse:
        return PactResponse(
            status=500,
            headers={"content-type": "Application/JSON; charset=utf-8", "x-page": "1,3"},
        )

    assert verify_pact(pact, answer).render().splitlines()[1:] == ["    status: 500, expected 201"]
    strict_pact = Pact(consumer="a", provider="b", interactions=(strict,))
    assert verify_pact(strict_pact, answer).render().splitlines()[1:] == [
        "    status: 500, expected 200",
        "    header $.x-page: '1, 3', expected '1, 2'",
    ]


def test_a_provider_may_be_asked_in_a_loop_and_may_be_gone() -> None:
    """A coroutine asks; what can't be asked is an error, and never passed."""

    async def answer(_: PactRequest) -> PactResponse:
        return PactResponse(status=201)

    def gone(_: PactRequest) -> PactResponse:
        raise ConnectionRefusedError("no one there")

    pact = Pact(consumer="a", provider="b", interactions=PACT.interactions[1:])
    assert verify_pact(pact, answer).verdict == "proven"
    report = verify_pact(pact, gone)
    assert report.verdict == "undecided"
    assert "ConnectionRefusedError: no one there" in report.render()


def test_a_double_answers_what_was_agreed_and_nothing_else() -> None:
    """A request that is not held is refused with the nearest; what was never asked is told."""
    double = PactDouble(PACT)
    asked = PactRequest(
        path="/books/99",
        query={"lang": ("en", "de")},
        headers={"accept": "application/json", "x-more": "1"},
    )
    assert double.answer(asked).body["title"] == "Emma"
    refused = double.answer(
        PactRequest(method="POST", path="/books", headers=JSON, body={"title": "Ulla", "n": 1})
    )
    assert refused.status == 500
    assert "nearest is 'a book is put': body $.n: nobody expected it" in refused.body
    told = double.finish()
    assert told[0] == refused.body
    assert told[1] == "Never asked: 'a book is put'."
    double.answer(PACT.interactions[1].request)
    assert double.finish() == (refused.body,)
    other_query = PactRequest(
        path="/books/7", query={"lang": ("en",)}, headers=dict(asked.headers)
    )
    assert "query $.lang: 1 items, expected 2" in double.answer(other_query).body


def test_messages_are_kept_and_never_passed(tmp_path: Path, url: str) -> None:
    """What is not HTTP is unobservable here, and written back as it was."""
    message = {"type": "Asynchronous/Messages", "description": "an event", "contents": {}}
    pact = Pact(consumer="a", provider="b", interactions=PACT.interactions[1:], others=(message,))
    write_pact(tmp_path / "pact.json", pact)
    assert read_pact(tmp_path / "pact.json").others == (message,)
    report = verify_pact(tmp_path / "pact.json", ask_at(url))
    assert report.verdict == "undecided"
    assert "unobservable an event: it is of type 'Asynchronous/Messages'" in report.render()


def test_what_checks_nothing_is_refused(tmp_path: Path) -> None:
    """No file, another version, an unknown matcher or state, no address, nothing in it."""
    file = tmp_path / "pact.json"
    with pytest.raises(MisuseError, match="can't be read"):
        read_pact(file)
    write_pact(file, PACT)
    whole = file.read_text()
    for old, new, complaint in [
        ('"4.0"', '"2.0"', "of Pact version 2.0, expected 4"),
        ('"match": "type"', '"match": "eachKey"', "no matcher 'eachKey'"),
        ('"match": "type"', '"match": "type", "odd": 1', "no Pact file"),
        ('"request"', '"asked"', "no Pact file"),
    ]:
        file.write_text(whole.replace(old, new))
        with pytest.raises(MisuseError, match=complaint):
            read_pact(file)
    with pytest.raises(MisuseError, match="state 'book 7 is there'"):
        verify_pact(PACT, ask_at("http://127.0.0.1:1"))
    with pytest.raises(MisuseError, match="no interactions"):
        verify_pact(Pact(consumer="a", provider="b"), ask_at("http://127.0.0.1:1"))
    with pytest.raises(MisuseError, match="no address"):
        ask_at("shelf")(PactRequest())
    rules = {"body": {"$": Rule(matchers=(anything(),))}}
    one = PactInteraction(
        description="d", request=PactRequest(), response=PactResponse(rules=rules)
    )
    with pytest.raises(MisuseError, match="no matcher for anything"):
        write_pact(file, Pact(consumer="a", provider="b", interactions=(one,)))


@pytest.fixture
def reference(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give the reference implementation, which tells nobody that it is used."""
    monkeypatch.setenv("PACT_DO_NOT_TRACK", "true")
    return pytest.importorskip("pact", reason="unobservable: pact-python is not installed")


def test_the_reference_verifies_our_file_as_we_do(
    reference: Any, tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A provider that keeps the Pact passes there too, and one that breaks it fails."""
    file = tmp_path / "pact.json"
    write_pact(file, PACT)

    def verify() -> None:
        verifier = reference.Verifier("shelf", host="127.0.0.1").add_source(str(file))
        verifier = verifier.add_transport(url=url)
        verifier.state_handler(f"{url}/states", body=True, teardown=False).verify()

    verify()
    monkeypatch.setattr(Handler, "book", {"id": "8", "title": "Emma", "tags": [{"name": "a"}]})
    report = verify_pact(file, ask_at(url), given={"book 7 is there": lambda _: None})
    assert report.verdict == "refuted"
    with pytest.raises(RuntimeError):
        verify()


def test_we_verify_a_file_of_the_reference(
    reference: Any, tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What others' consumers wrote is read, matchers included, and can fail."""
    pact, match = reference.Pact("basket", "shelf").with_specification("V4"), reference.match
    body = {"id": match.integer(7), "title": match.regex("Emma", regex="E.*")}
    (
        pact.upon_receiving("a book is looked up")
        .given("book 7 is there", title="Emma")
        .with_request("GET", "/books/7")
        .with_query_parameters([("lang", "en"), ("lang", "de")])
        .will_respond_with(200)
        .with_body(body, content_type="application/json")
    )
    pact.write_file(str(tmp_path), overwrite=True)
    (file,) = tmp_path.glob("*.json")
    given = {"book 7 is there": lambda _: None}
    report = verify_pact(file, ask_at(url), given=given)
    assert report.verdict == "proven", report.render()
    monkeypatch.setattr(Handler, "book", {"id": 8, "title": "Alma"})
    report = verify_pact(file, ask_at(url), given=given)
    assert report.render().splitlines()[1:] == ["    body $.title: 'Alma' does not match 'E.*'"]
