"""What the provider of each vendor's SDK makes of an error: its kind, and what it shows."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import pytest
from sdk_vendors import SdkVendor, ask, each, fail, name_case

from tierwise.providers import FailureKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sdk_vendors import Make

    from tierwise.gateway import Gateway


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, FailureKind.BAD_REQUEST),
        (401, FailureKind.AUTH),
        (402, FailureKind.NO_ENTITLEMENT),
        (403, FailureKind.NO_ENTITLEMENT),
        (404, FailureKind.NOT_FOUND),
        (408, FailureKind.TIMEOUT),
        (409, FailureKind.UNAVAILABLE),
        (410, FailureKind.RETIRED),
        (413, FailureKind.BAD_REQUEST),
        (422, FailureKind.BAD_REQUEST),
        (429, FailureKind.BUSY),
        (500, FailureKind.UNAVAILABLE),
        (502, FailureKind.UNAVAILABLE),
        (503, FailureKind.UNAVAILABLE),
        (504, FailureKind.UNAVAILABLE),
        (529, FailureKind.UNAVAILABLE),
    ],
)
async def test_each_status_has_its_kind(
    gateway: Gateway, vendor: SdkVendor, make: Make, *, status: int, kind: FailureKind
) -> None:
    """One request is sent, whatever the kind: retrying is the engine's."""
    gateway.when().fail(status)

    reply = await fail(make())

    assert reply.kind is kind
    assert f"{vendor.endpoint} answered {status}" in reply.message
    assert (reply.model, reply.retry_after_s, reply.attempts) == (vendor.model, None, 1)
    assert len(gateway.requests) == 1


@pytest.mark.parametrize("status", [429, 503])
async def test_a_time_to_wait_is_read(gateway: Gateway, make: Make, status: int) -> None:
    """How long the vendor asks to be left alone is part of the failure, however it says it."""
    gateway.when().fail(status, retry_after_s=7)

    reply = await fail(make())

    assert (reply.retry_after_s, reply.retryable) == (7.0, True)


async def test_the_standard_s_own_header_is_enough(gateway: Gateway, make: Make) -> None:
    """A proxy in front of the vendor may write it."""
    gateway.when().fail(429, headers=[("retry-after", "7")])

    assert (await fail(make())).retry_after_s == 7.0


async def test_a_time_to_wait_for_a_request_of_ours_is_not_read(
    gateway: Gateway, make: Make
) -> None:
    """No waiting makes a wrong request right."""
    gateway.when().fail(400, retry_after_s=7)

    assert (await fail(make())).retry_after_s is None


@pytest.mark.parametrize(("vendor", "fault", "kind"), each("causes"), ids=name_case)
async def test_a_cause_is_read_beside_the_status(
    gateway: Gateway, make: Make, fault: Mapping[str, Any], kind: FailureKind
) -> None:
    """The vendor's own word is more exact than the status: spent money is no rate limit."""
    gateway.when().fail(**fault, retry_after_s=3)

    reply = await fail(make())

    assert reply.kind is kind
    assert (reply.retry_after_s is not None) == kind.is_retried


@pytest.mark.parametrize(("vendor", "fault", "kind"), each("look_alikes"), ids=name_case)
async def test_words_that_only_look_like_a_cause_are_none(
    gateway: Gateway, make: Make, fault: Mapping[str, Any], kind: FailureKind
) -> None:
    """A message is free text: what it mentions in passing classifies nothing."""
    gateway.when().fail(**fault)

    assert (await fail(make())).kind is kind


@pytest.mark.parametrize(
    "body",
    [b"<html>upstream</html>", b"[]", b"null", b'{"type":"message"}', b"", b"\xff\xfe"],
)
async def test_an_error_without_the_vendor_s_words_goes_by_its_status(
    gateway: Gateway, make: Make, body: bytes
) -> None:
    """What a proxy writes in place of the vendor is shown, and is no answer."""
    gateway.when().fail(503, body=body)

    assert (await fail(make())).kind is FailureKind.UNAVAILABLE


async def test_an_unknown_model_is_not_found(
    gateway: Gateway, vendor: SdkVendor, make: Make
) -> None:
    """The vendor's words and the question that helps are in the failure."""
    gateway.when(optional=True).say("Here.")
    wrong = f"{vendor.model}-mimi"

    reply = await fail(make(model=wrong))

    assert reply.kind is FailureKind.NOT_FOUND
    assert f"Does {vendor.title} have the model {wrong!r} for this key?" in reply.message
    gateway.requests.only()


@pytest.mark.parametrize("status", [400, 401, 403, 500])
async def test_no_failure_shows_the_key_or_the_prompt(
    gateway: Gateway,
    vendor: SdkVendor,
    make: Make,
    *,
    caplog: pytest.LogCaptureFixture,
    status: int,
) -> None:
    """Whatever the vendor repeats of them is masked, and nothing is logged."""
    caplog.set_level(logging.WARNING)
    prompt = "the treasure lies under the old oak of Brockhampton"
    gateway.when().fail(status, message=f"invalid key {vendor.key} for {prompt}")
    provider = make()

    reply = await provider.generate(ask(prompt))

    shown = f"{reply} {provider!r} {provider.name} {provider.identity} {caplog.text}"
    assert vendor.key not in shown
    assert vendor.key[:20] not in shown
    assert "under the old oak" not in shown
