from __future__ import annotations

from typing import TYPE_CHECKING

import httpx2
import pytest
from zen import Client, Plane, Protocol, ZenError, load_catalogue
from zen.planning import PUBLIC_KEY
from zen_vendor import (
    BUSY,
    CLOSED,
    KEY_MISSING,
    SAID,
    UNSUPPORTED,
    set_up,
    speaks_wrongly,
)

from tierwise.live import Standing, VerdictTable

if TYPE_CHECKING:
    from tierwise.gateway import Gateway

KEY = "zk-4f2a9c71"
CATALOGUE = load_catalogue()
ONE_OF_EACH = {row.protocol: row for row in CATALOGUE.rows if row.plane is Plane.ZEN}


@pytest.fixture
def client() -> Client:
    """Return a client with a key."""
    return Client(CATALOGUE, key=KEY)


@pytest.mark.parametrize("protocol", Protocol)
def test_each_protocol_gets_through(gateway: Gateway, client: Client, protocol: Protocol) -> None:
    """The vendor's own types accept the request, and the answer is read with its cost."""
    set_up(gateway)
    gateway.when(endpoint=str(protocol)).say(SAID)
    row = ONE_OF_EACH[protocol]
    reply = client.ask(Plane.ZEN, row.id, "How many?")
    assert reply.text == SAID
    assert reply.usage.input_tokens > 0
    assert client.spent_usd == reply.cost_usd > 0
    sent = gateway.requests.only()
    assert sent.headers["x-zen-plane"] == "zen"
    assert sent.asked.last_user == "How many?"


def test_a_free_model_is_asked_without_the_account(gateway: Gateway, client: Client) -> None:
    """The user's key is not sent where it is not needed, and nothing is billed."""
    set_up(gateway)
    key = {"authorization": f"Bearer {PUBLIC_KEY}"}
    gateway.when(predicate=lambda asked: key.items() <= dict(asked.http.headers).items()).say(SAID)
    assert client.ask(Plane.GO, "apricot-mini", "How many?").cost_usd == 0


@pytest.mark.parametrize(
    ("refusal", "standing"),
    [
        (CLOSED, Standing.CLOSED),
        (BUSY, Standing.BUSY),
        (UNSUPPORTED, Standing.OUR_FAULT),
        (KEY_MISSING, Standing.OUR_FAULT),
    ],
)
def test_a_refusal_keeps_the_vendors_words(
    gateway: Gateway, client: Client, refusal: tuple[int, bytes], standing: Standing
) -> None:
    """What the vendor says is told apart by its body, so that the body has to arrive."""
    set_up(gateway)
    gateway.when().fail(refusal[0], body=refusal[1])
    with pytest.raises(ZenError) as caught:
        client.ask(Plane.ZEN, "fern-coder", "How many?")
    assert VerdictTable.known().judge(caught.value).standing is standing


def test_a_model_asked_in_another_protocol_is_refused(gateway: Gateway, client: Client) -> None:
    """The negative control: the right endpoint answers and the wrong one says so."""
    set_up(gateway)
    gateway.when(predicate=speaks_wrongly).fail(UNSUPPORTED[0], body=UNSUPPORTED[1])
    gateway.when().say(SAID)
    row = CATALOGUE.find(Plane.ZEN, "fern-coder")
    assert client.ask_row(row, "How many?").text == SAID
    with pytest.raises(ZenError, match="ModelProtocolUnsupported"):
        client.ask_row(row, "How many?", protocol=Protocol.MESSAGES)


def test_a_key_in_the_wrong_header_is_a_missing_key(gateway: Gateway) -> None:
    """The vendor that sees no key and the one that gets none say the same; a fault of ours."""
    set_up(gateway)
    body = {"model": "fern-coder", "messages": [{"role": "user", "content": "hi"}]}
    url = "https://openai.zen.test/v1/chat/completions"
    wrong = httpx2.post(url, headers={"x-api-key": KEY}, json=body)
    none = httpx2.post(url, json=body)
    assert (wrong.status_code, none.status_code) == (401, 401)
    table = VerdictTable.known()
    assert table.judge(wrong).signature == "key_not_read"
    assert table.judge(none).signature == "keyless"
