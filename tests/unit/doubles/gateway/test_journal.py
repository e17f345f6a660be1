"""What the journal keeps, and how requests are found in it."""

from __future__ import annotations

import pytest
from toy_vendor import CHAT, ToyVendor, ask

from tierwise.doubles.gateway import Gateway, HttpRequest
from tierwise.errors import GatewayError, MisuseError


@pytest.fixture
def toy() -> Gateway:
    """Return a gateway that plays the toy vendor and answers everything."""
    toy = Gateway(vendors=[ToyVendor()])
    toy.when(optional=True).say("a")
    return toy


def test_the_only_request_is_there_with_body_and_headers(toy: Gateway) -> None:
    """Raw as it came, and in neutral words."""
    http = ask("The capital?", temperature=0)
    toy.handle_now(http)
    entry = toy.requests.only()
    assert entry.body == http.body
    assert entry.json["temperature"] == 0
    assert entry.headers["content-type"] == "text/json"
    assert entry.asked.last_user == "The capital?"
    assert (entry.method, entry.path, entry.host) == ("POST", CHAT, "api.openai.com")
    assert (entry.vendor, entry.model, entry.status, entry.number) == ("openai", "toy-1", 200, 1)
    assert entry.rule == "rule 0, when()"


@pytest.mark.parametrize("n", [0, 2])
def test_only_is_for_one_request_and_lists_what_there_is(toy: Gateway, n: int) -> None:
    """None, or several: both are told."""
    for _ in range(n):
        toy.handle_now(ask("x"))
    with pytest.raises(GatewayError, match=f"Expected one request, found {n}") as caught:
        toy.requests.only()
    assert str(caught.value).count("toy-1 -> 200") == n


def test_requests_are_found_by_the_criteria_of_rules(toy: Gateway) -> None:
    """And counted as any tuple."""
    for text in ("a river", "a city", "two rivers"):
        toy.handle_now(ask(text))
    assert [e.number for e in toy.requests.matching(last_user="river")] == [1, 3]
    assert toy.requests.matching(last_user="river").matching(last_user="two").only().number == 3
    assert len(toy.requests) == 3
    with pytest.raises(MisuseError, match="Did you mean 'last_user'"):
        toy.requests.matching(last_usr="x")  # type: ignore[call-arg]  # the mistake


def test_keys_are_masked_wherever_they_stand(toy: Gateway) -> None:
    """In headers by their name, in the query, and in the body by their shape."""
    http = HttpRequest(
        method="POST",
        path=CHAT,
        host="api.openai.com",
        query={"key": "abc", "alt": "sse"},
        headers={"authorization": "Bearer abc", "x-api-key": "abc", "x-goog-api-key": "abc"},
        body=b'{"model": "sk-proj-0123456789abcdefghij", "n": 1}',
    )
    toy.handle_now(http)
    entry = toy.requests.only()
    assert set(entry.headers.values()) == {"[masked key]"}
    assert entry.query == {"key": "[masked key]", "alt": "sse"}
    assert entry.body == b'{"model": "[masked key]", "n": 1}'
    assert "abc" not in repr(entry)
    assert "abc" not in repr(entry.asked.http)


def test_a_request_that_was_not_understood_has_no_neutral_words(toy: Gateway) -> None:
    """What came is there, and why it was refused."""
    toy.handle_now(HttpRequest(method="POST", path=CHAT, host="api.openai.com", body=b"{}"))
    entry = toy.requests.only()
    assert (entry.body, entry.refused, entry.model) == (b"{}", "model", "")
    assert toy.requests.matching(vendor="openai") == ()
    with pytest.raises(GatewayError, match="was refused before it was read: model"):
        _ = entry.asked


def test_an_entry_is_one_line(toy: Gateway) -> None:
    """With what went wrong, if anything did."""
    toy.handle_now(ask("x"))
    toy.when(last_user="y").say("a").cut()
    assert str(toy.requests.only()) == "1. openai POST /v1/chat/completions toy-1 -> 200"


def test_the_journal_is_bounded() -> None:
    """A long run keeps the newest."""
    toy = Gateway(vendors=[ToyVendor()], most_kept=2)
    toy.when().say("a")
    for _ in range(5):
        toy.handle_now(ask("x"))
    assert [entry.number for entry in toy.requests] == [4, 5]
    assert toy.n_forgotten == 3


def test_what_a_body_holds_that_is_no_text_stays_as_it_is() -> None:
    """Masking reads it as text and gives the same bytes back."""
    toy = Gateway(vendors=[ToyVendor()], strict=False)
    toy.handle_now(HttpRequest(method="POST", path="/x", host="nobody.example", body=b"\xff\x00"))
    assert toy.requests.only().body == b"\xff\x00"
