"""Cassettes: what is written of a vendor's answers, what is not, and what is played again."""

from __future__ import annotations

import base64
import gzip
import http.server
import json
import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from openai import BadRequestError, OpenAI

from tierwise.doubles.gateway.cassettes import read_cassette
from tierwise.doubles.gateway.cassettes.masking import Mask
from tierwise.errors import GatewayError, MisuseError
from tierwise.gateway import Gateway

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY = "canary-key-4f1b9c77"
SECRET = "canary-secret-9d3e51"  # noqa: S105  made up
TURNS: list[Any] = [{"role": "user", "content": "The capital of France?"}]


@contextmanager
def vendor(*answers: Any) -> Iterator[tuple[Gateway, dict[str, str]]]:
    """Play the real vendor: another gateway on loopback."""
    real = Gateway()
    real.when(optional=True).sequence(*answers)
    with real.running() as server:
        yield real, dict.fromkeys(("openai", "anthropic", "gemini"), server.url)


@contextmanager
def raw_vendor(*parts: bytes, headers: dict[str, str]) -> Iterator[dict[str, str]]:
    """Answer each request with these bytes, sent one after the other."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for part in parts:
                self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))
                self.wfile.flush()
                threading.Event().wait(0.02)
            self.wfile.write(b"0\r\n\r\n")

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield {"openai": f"http://127.0.0.1:{server.server_port}"}
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def client(url: str, *, key: str = KEY) -> OpenAI:
    return OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0)


def ask(url: str, turns: Any = TURNS, **more: Any) -> str:
    with client(url) as made:
        reply = made.chat.completions.create(model="gpt-5", messages=turns, **more)
        return reply.choices[0].message.content or ""


def stream(url: str, turns: Any = TURNS) -> list[str]:
    with client(url) as made:
        chunks = made.chat.completions.create(model="gpt-5", messages=turns, stream=True)
        return [c.choices[0].delta.content or "" for c in chunks if c.choices]


def record(path: Path, upstreams: dict[str, str], **how: Any) -> Gateway:
    return Gateway().record(path, upstreams=upstreams, **how)


def replay(path: Path, **how: Any) -> Gateway:
    return Gateway().replay(path, **how)


def test_what_was_recorded_is_replayed_to_the_real_client(tmp_path: Path) -> None:
    """Plain and streamed answers come again, piece by piece, without the vendor."""
    file = tmp_path / "capital.json"
    with vendor("Paris it is", "Über Łódź") as (_, upstreams):
        recorder = record(file, upstreams)
        with recorder.running() as server:
            live = ask(server.url), stream(server.url)
        assert recorder.finish() == ()
    played = replay(file)
    with played.running() as server:
        again = ask(server.url), stream(server.url)
    assert again == live == ("Paris it is", ["", "Über", " Łódź", ""])
    assert played.finish() == ()
    assert [entry.vendor for entry in played.requests] == ["openai", "openai"]
    assert played.requests[0].asked.last_user == "The capital of France?"


def test_a_cassette_is_a_file_for_reading(tmp_path: Path) -> None:
    """Bodies are JSON, events stand alone and in order, and its date is kept."""
    file = tmp_path / "capital.json"
    before = datetime.now(UTC) - timedelta(seconds=2)
    with vendor("Paris", "one two") as (_, upstreams):
        recorder = record(file, upstreams)
        with recorder.running() as server:
            ask(server.url)
            stream(server.url)
        recorder.finish()
    found = json.loads(file.read_text())
    plain, streamed = found["interactions"]
    assert plain["request"]["body"]["messages"] == TURNS
    assert plain["request"]["path"] == "/v1/chat/completions"
    assert plain["response"]["json"]["choices"][0]["message"]["content"] == "Paris"
    texts = [chunk["text"] for chunk in streamed["response"]["chunks"]]
    assert all(text.startswith("data: ") and text.endswith("\n\n") for text in texts)
    assert texts[-1] == "data: [DONE]\n\n"
    assert read_cassette(file).recorded_at >= before


def test_no_secret_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of header and query, values of the environment and of the caller leave no trace."""
    file = tmp_path / "secrets.json"
    monkeypatch.setenv("CANARY_API_KEY", "canary-environment-77aa")
    said = f"you sent {SECRET} and canary-environment-77aa and sk-abcdefghijklmnopqrstuv"
    turns = [{"role": "user", "content": said}]
    with vendor(said, said) as (real, upstreams):
        recorder = record(file, upstreams, secrets=[SECRET])
        with recorder.running() as server:
            assert ask(server.url, turns) == said
            assert "".join(stream(server.url, turns)) == said
            assert real.requests[0].raw.headers["authorization"] == f"Bearer {KEY}"
        recorder.finish()
    written = file.read_text()
    for canary in (KEY, SECRET, "canary-environment-77aa", "sk-abcdefghijklmnopqrstuv"):
        assert canary not in written
        assert base64.b64encode(canary.encode()).decode() not in written
    assert "[masked value]" in written
    played = replay(file)
    with played.running() as server:
        assert "[masked value]" in ask(server.url, turns)


def test_a_secret_that_a_stream_says_in_pieces_is_masked(tmp_path: Path) -> None:
    """No event holds it, all together do: put together again, it is not there."""
    file = tmp_path / "pieces.json"
    pieces = [f'{{"choices":[{{"index":0,"delta":{{"content":"{p}"}}}}]}}' for p in SECRET]
    events = [f"data: {piece}\n\n".encode() for piece in pieces]
    head = {"content-type": "text/event-stream"}
    with raw_vendor(*events, headers=head) as upstreams:
        recorder = record(file, upstreams, secrets=[SECRET])
        with recorder.running() as server:
            assert "".join(stream(server.url)) == SECRET
        recorder.finish()
    with replay(file).running() as server:
        assert "".join(stream(server.url)) == "[masked value]"


def test_a_secret_in_an_unknown_place_is_not_written_at_all() -> None:
    """What is left after masking raises in place of being written."""
    with pytest.raises(GatewayError, match="nothing was written"):
        Mask([SECRET]).refuse_remains(f"... {SECRET} ...")


@pytest.mark.parametrize("cut", [1, 7])
def test_compressed_and_split_characters_come_whole(tmp_path: Path, cut: int) -> None:
    """A gzipped stream whose network chunks end inside characters and events is kept as text."""
    file = tmp_path / "packed.json"
    events = "".join(
        f'data: {{"choices":[{{"index":0,"delta":{{"content":"{word}"}}}}]}}\n\n'
        for word in ("Łódź ", "日本 ", "🙂")
    )
    packed = gzip.compress(events.encode())
    parts = [packed[i : i + cut] for i in range(0, len(packed), cut)]
    head = {"content-type": "text/event-stream", "content-encoding": "gzip"}
    with raw_vendor(*parts, headers=head) as upstreams:
        recorder = record(file, upstreams)
        with recorder.running() as server:
            assert "".join(stream(server.url)) == "Łódź 日本 🙂"
        recorder.finish()
    (one,) = read_cassette(file).interactions
    assert [chunk.data.decode() for chunk in one.chunks] == [
        f"{event}\n\n" for event in events.split("\n\n") if event
    ]
    with replay(file).running() as server:
        assert "".join(stream(server.url)) == "Łódź 日本 🙂"


def test_times_are_kept_and_passed_when_asked_for(tmp_path: Path) -> None:
    """Each event has the time that it took; they are left out unless delays are wanted."""
    file = tmp_path / "slow.json"
    events = [f'data: {{"choices":[],"n":{n}}}\n\n'.encode() for n in range(3)]
    with raw_vendor(*events, headers={"content-type": "text/event-stream"}) as upstreams:
        recorder = record(file, upstreams)
        with recorder.running() as server:
            stream(server.url)
        recorder.finish()
    (one,) = read_cassette(file).interactions
    assert [chunk.after_s > 0 for chunk in one.chunks][1:] == [True, True]
    assert all(chunk.after_s == 0 for chunk in one.form_response().chunks)
    assert sum(c.after_s for c in one.form_response(with_delays=True).chunks) > 0


def test_another_request_is_refused_with_the_difference(tmp_path: Path) -> None:
    """The body counts: what was recorded for one question is no answer to another."""
    file = tmp_path / "capital.json"
    with vendor("Paris") as (_, upstreams):
        recorder = record(file, upstreams)
        with recorder.running() as server:
            ask(server.url)
        recorder.finish()
    played = replay(file)
    other = [{"role": "user", "content": "Delete all my files."}]
    with played.running() as server:
        with pytest.raises(BadRequestError) as caught:
            ask(server.url, other)
        ask(server.url)
    told = str(caught.value)
    assert "body.messages[0].content" in told
    assert "recorded 'The capital of France?', asked 'Delete all my files.'" in told
    assert told.count("recorded") == 1
    (complaint,) = played.finish()
    assert "Delete all my files." in complaint


def test_each_interaction_is_played_once_in_its_order(tmp_path: Path) -> None:
    """The same request twice gets both answers, a third time none; `repeat` keeps the last."""
    file = tmp_path / "twice.json"
    with vendor("first", "second") as (_, upstreams):
        recorder = record(file, upstreams)
        with recorder.running() as server:
            ask(server.url)
            ask(server.url)
        recorder.finish()
    played = replay(file)
    with played.running() as server:
        assert [ask(server.url), ask(server.url)] == ["first", "second"]
        with pytest.raises(BadRequestError, match="as often as"):
            ask(server.url)
    with replay(file, repeat=True).running() as server:
        assert [ask(server.url) for _ in range(3)] == ["first", "second", "second"]


def test_what_was_not_asked_for_is_told(tmp_path: Path) -> None:
    """An interaction that no request used fails the test, as a rule does."""
    file = tmp_path / "unused.json"
    with vendor("Paris") as (_, upstreams):
        recorder = record(file, upstreams)
        with recorder.running() as server:
            ask(server.url)
        recorder.finish()
    (complaint,) = replay(file).finish()
    assert "interaction 1" in complaint
    assert "not asked for" in complaint


def test_places_that_may_differ_are_named(tmp_path: Path) -> None:
    """`ignore` takes a place out of the comparison, and no other."""
    file = tmp_path / "user.json"
    with vendor("Paris") as (_, upstreams):
        recorder = record(file, upstreams)
        with recorder.running() as server:
            ask(server.url, user="one")
        recorder.finish()
    with replay(file).running() as server, pytest.raises(BadRequestError, match=r"body\.user"):
        ask(server.url, user="two")
    with replay(file, ignore=["body.user"]).running() as server:
        assert ask(server.url, user="two") == "Paris"


def test_refusals_are_recorded_too(tmp_path: Path) -> None:
    """A vendor's error comes again with its status, and the client raises the same."""
    file = tmp_path / "busy.json"
    with vendor("unused") as (real, upstreams):
        real.when(optional=True, text="busy").fail(429, retry_after_s=7)
        real._desk.rules.reverse()
        recorder = record(file, upstreams)
        busy = [{"role": "user", "content": "busy?"}]
        with recorder.running() as server, pytest.raises(Exception, match="429"):
            ask(server.url, busy)
        recorder.finish()
    (one,) = read_cassette(file).interactions
    assert (one.status, dict(one.headers)["retry-after"]) == (429, "7")
    with replay(file).running() as server, pytest.raises(Exception, match="429"):
        ask(server.url, busy)


def test_what_is_complete_survives_a_crash(tmp_path: Path) -> None:
    """Before the end all answers stand in the file beside; the old cassette is untouched."""
    file = tmp_path / "crash.json"
    file.write_text("the old one")
    with vendor("Paris", "Rome") as (_, upstreams):
        recorder = record(file, upstreams)
        with recorder.running() as server:
            ask(server.url)
            ask(server.url)
        partial = read_cassette(tmp_path / "crash.json.partial")
        assert len(partial.interactions) == 2
        assert file.read_text() == "the old one"
        recorder.finish()
    assert len(read_cassette(file).interactions) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["crash.json"]


def test_a_vendor_that_is_not_reached_is_told_and_not_recorded(tmp_path: Path) -> None:
    """The client gets an error that it does not repeat, and the test fails."""
    file = tmp_path / "none.json"
    recorder = record(file, {"openai": "http://127.0.0.1:9"})
    with recorder.running() as server, pytest.raises(Exception, match="not reached"):
        ask(server.url)
    assert any("not reached" in complaint for complaint in recorder.finish())
    assert not file.exists()


def test_the_real_key_takes_the_place_of_the_fake_one(tmp_path: Path) -> None:
    """The client never knows the key, and the cassette neither."""
    file = tmp_path / "key.json"
    with vendor("Paris") as (real, upstreams):
        recorder = record(file, upstreams, keys={"openai": KEY})
        with (
            recorder.running() as server,
            client(server.url, key=server.environment["OPENAI_API_KEY"] or "") as made,
        ):
            made.chat.completions.create(model="gpt-5", messages=TURNS)
        recorder.finish()
    assert real.requests.only().raw.headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in file.read_text()


def test_an_old_cassette_is_told(tmp_path: Path) -> None:
    """A limit in days turns age into a failure."""
    file = tmp_path / "old.json"
    text = {"tierwise_cassette": 1, "recorded_at": "2026-01-01T00:00:00+00:00"}
    file.write_text(json.dumps({**text, "interactions": []}))
    (complaint,) = replay(file, max_age_days=30).finish()
    assert "days old; expected 30 at most" in complaint
    assert replay(file).finish() == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is no JSON"),
        ("[]", "no cassette of format 1"),
        ('{"tierwise_cassette": 1, "recorded_at": "2026-01-01"}', "interactions"),
    ],
)
def test_what_is_no_cassette_is_refused(tmp_path: Path, text: str, told: str) -> None:
    """The message names the file, what is wrong and the way out."""
    file = tmp_path / "broken.json"
    file.write_text(text)
    with pytest.raises(MisuseError, match=told) as caught:
        replay(file)
    assert "broken.json" in str(caught.value)


def test_a_cassette_that_is_not_there_names_how_to_record(tmp_path: Path) -> None:
    """The way out is the command."""
    with pytest.raises(MisuseError, match="--tierwise-record"):
        replay(tmp_path / "none.json")


def test_the_clients_own_key_is_masked_where_it_is_said(tmp_path: Path) -> None:
    """A key that no form gives away is known from the header in which it came."""
    file = tmp_path / "echo.json"
    with vendor(f"your key is {KEY}") as (_, upstreams):
        recorder = record(file, upstreams)
        with recorder.running() as server:
            assert KEY in ask(server.url)
        recorder.finish()
    (one,) = read_cassette(file).interactions
    assert one.json["choices"][0]["message"]["content"] == "your key is [masked value]"


def test_a_secret_in_an_unknown_place_keeps_the_answer_out_of_the_cassette(
    tmp_path: Path,
) -> None:
    """The name of a header holds it: nothing is written, and client and test are told."""
    file = tmp_path / "name.json"
    event = b'data: {"choices":[]}\n\n'
    head = {"content-type": "text/event-stream", f"x-{SECRET}": "1"}
    with raw_vendor(event, headers=head) as upstreams:
        recorder = record(file, upstreams, secrets=[SECRET])
        with recorder.running() as server, pytest.raises(Exception, match="nothing was written"):
            stream(server.url)
        assert "nothing was written" in recorder.finish()[0]
    assert list(tmp_path.iterdir()) == []
