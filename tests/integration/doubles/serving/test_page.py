"""The page of what was asked: readable, escaped, masked, and for this machine alone."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tierwise.doubles.gateway.doors.door import form_request
from tierwise.doubles.gateway.serving.page import JournalPage
from tierwise.gateway import Gateway, HttpRequest, HttpResponse

KEY = "sk-abcdefghijklmnopqrstuvwx"


def write(
    path: str, *, body: Any = None, host: str = "127.0.0.1", key: str = "test-key"
) -> HttpRequest:
    return form_request(
        method="GET" if body is None else "POST",
        host=host,
        path=path,
        query="",
        headers={"authorization": f"Bearer {key}", "content-type": "application/json"},
        body=b"" if body is None else json.dumps(body).encode(),
    )


def chat(text: str) -> HttpRequest:
    turns = [{"role": "user", "content": text}]
    body = {"model": "gpt-5", "messages": turns}
    return write("/v1/chat/completions", body=body, key=KEY)


def show(gateway: Gateway, path: str = "/_tierwise") -> HttpResponse:
    found = JournalPage(gateway)(write(path))
    assert found is not None
    return found


def test_the_page_shows_what_was_asked_and_answered() -> None:
    """Question, answer, rule and model stand there; the newest request comes first."""
    gateway = Gateway()
    gateway.when(last_user="capital").say("Paris")
    gateway.handle_now(chat("the capital?"))
    gateway.handle_now(chat("the weather?"))
    page = show(gateway).body.decode()
    assert "2 request(s)" in page
    assert all(text in page for text in ("the capital?", "Paris", "gpt-5", "Not answered"))
    numbers = re.findall(r"<summary>(\d+)\.", page)
    assert numbers == ["2", "1"]


def test_what_was_asked_cannot_become_a_part_of_the_page() -> None:
    """Markup is escaped wherever it came from, and nothing is loaded from elsewhere."""
    gateway = Gateway()
    evil = "</pre><script>alert(1)</script><img src=x onerror=alert(1)>\"'"
    gateway.when(optional=True, last_user=evil).say(evil)
    gateway.handle_now(chat(evil))
    gateway.handle_now(chat(f"other {evil[:20]}"))
    gateway.handle_now(write(f"/{evil}", body={}))
    response = show(gateway)
    page = response.body.decode()
    assert "<script" not in page
    assert "<img" not in page
    assert "src=" not in page.replace("src=x", "")
    assert "http" not in page.lower().replace("https", "http").replace("http/", "")
    policy = dict(response.headers)["content-security-policy"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"


@pytest.mark.parametrize("path", ["/_tierwise", "/_tierwise/journal.json"])
def test_no_key_is_shown(path: str) -> None:
    """Keys in headers, in what was asked and in what was answered are masked."""
    gateway = Gateway()
    gateway.when().say(f"your key is {KEY}")
    gateway.handle_now(chat(f"my key is {KEY}"))
    page = show(gateway, path).body.decode()
    assert KEY not in page
    assert "[masked key]" in page


def test_the_journal_is_plain_data() -> None:
    """Programs read requests, answers, complaints, unused rules and verdicts."""
    gateway = Gateway()
    gateway.when(last_user="capital").say("Paris")
    gateway.when(last_user="never").say("x")
    gateway.handle_now(chat("the capital?"))
    gateway.handle_now(chat("the weather?"))
    found = json.loads(show(gateway, "/_tierwise/journal.json").body)
    assert found["n_requests"] == 2
    first, second = found["requests"]
    assert first["request"]["messages"][0]["content"] == "the capital?"
    assert first["response"]["choices"][0]["message"]["content"] == "Paris"
    assert (first["status"], second["status"]) == (200, 400)
    assert len(found["complaints"]) == len(found["unused"]) == 1


def test_a_name_of_a_strangers_is_refused() -> None:
    """A browser that was led here by another name reads nothing, unless it is asked for."""
    asked = write("/_tierwise", host="evil.example")
    refused = JournalPage(Gateway())(asked)
    assert refused is not None
    assert refused.status == 403
    allowed = JournalPage(Gateway(), any_host=True)(asked)
    assert allowed is not None
    assert allowed.status == 200


def test_other_paths_are_the_vendors() -> None:
    """Only what is below its own path is the page's."""
    page = JournalPage(Gateway())
    assert page(write("/v1/models")) is None
    assert page(write("/_tierwise_other")) is None
    unknown = page(write("/_tierwise/nothing"))
    assert unknown is not None
    assert unknown.status == 404
