from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from zen import Client, Plane, Protocol, Row, ZenError, read_row
from zen.catalogue import flatten_payload, load_payload

from tierwise.live import Catalogue, Live, WalkLimits

if TYPE_CHECKING:
    from zen import Reply

# Subjects are picked by what they are, never by name: the vendor retires names at will.
CATALOGUE = Catalogue.read(flatten_payload(load_payload()), read_row, key="key", name="zen")
LIMITS = WalkLimits(candidates=4, pause_s=0.01)


def use(client: Client, live: Live, candidates: dict[str, Row]) -> tuple[Row, Reply]:
    """Return the first candidate that answers, and its answer."""
    found = live.walk(candidates, lambda row: client.ask_row(row, "How many?"), limits=LIMITS)
    return found.subject, found.answer


def test_a_free_model_answers_without_a_key(free_client: Client, live: Live) -> None:
    """Whoever has no account can still ask, and pays nothing."""
    _row, reply = use(free_client, live, CATALOGUE.pick(lambda row: row.is_free))
    assert reply.text
    assert reply.cost_usd == 0


@pytest.mark.parametrize("plane", Plane)
@pytest.mark.parametrize("protocol", Protocol)
def test_each_protocol_reaches_a_paid_model(
    paid_client: Client, live: Live, protocol: Protocol, plane: Plane
) -> None:
    """Route, header, body and price of each protocol and plane are right today."""
    wanted = CATALOGUE.pick(
        lambda row: not row.is_free and row.protocol is protocol and row.plane is plane
    )
    row, reply = use(paid_client, live, wanted)
    assert reply.text
    assert reply.cost_usd > 0
    assert row.plane is plane


def test_another_endpoint_says_that_it_is_the_wrong_one(paid_client: Client, live: Live) -> None:
    """The control: a model that answers on its own endpoint is refused by name on another."""
    wanted = CATALOGUE.pick(lambda row: not row.is_free and row.protocol is Protocol.RESPONSES)
    row, _ = use(paid_client, live, wanted)
    with pytest.raises(ZenError, match="ModelProtocolUnsupported"):
        paid_client.ask_row(row, "How many?", protocol=Protocol.MESSAGES)
