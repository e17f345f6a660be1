from __future__ import annotations

from typing import Any

import pytest

from tierwise.providers import FailureKind
from tierwise.providers.wire.error import VendorError, find_error, kind_of

NONE = VendorError()


def test_every_status_has_its_kind() -> None:
    """What is to be retried, what is the vendor's doing and what is ours is told by status."""
    kinds = {
        302: "bad_request",
        400: "bad_request",
        401: "auth",
        402: "no_entitlement",
        403: "no_entitlement",
        404: "not_found",
        405: "bad_request",
        408: "timeout",
        409: "unavailable",
        410: "retired",
        413: "bad_request",
        422: "bad_request",
        425: "unavailable",
        429: "busy",
        498: "busy",
        500: "unavailable",
        502: "unavailable",
        503: "unavailable",
        504: "unavailable",
        529: "unavailable",
    }
    assert {status: kind_of(status, NONE).value for status in kinds} == kinds


@pytest.mark.parametrize(
    ("status", "word", "kind"),
    [
        (429, "insufficient_quota", FailureKind.NO_ENTITLEMENT),
        (429, "rate_limit_exceeded", FailureKind.BUSY),
        (429, "billing_hard_limit_reached", FailureKind.NO_ENTITLEMENT),
        (400, "invalid_api_key", FailureKind.AUTH),
        (403, "authentication_error", FailureKind.AUTH),
        (403, "permission_denied", FailureKind.NO_ENTITLEMENT),
        (400, "model_not_found", FailureKind.NOT_FOUND),
        (400, "model_decommissioned", FailureKind.RETIRED),
        (400, "content_filter", FailureKind.REFUSED),
        (400, "context_length_exceeded", FailureKind.BAD_REQUEST),
        (500, "resource_exhausted", FailureKind.BUSY),
    ],
)
def test_an_exact_word_of_the_vendor_goes_before_the_status(
    status: int, word: str, kind: FailureKind
) -> None:
    """A used-up quota is no rate limit though both are 429: waiting would not help."""
    assert kind_of(status, VendorError(words=(word,))) is kind


@pytest.mark.parametrize(
    ("status", "word", "kind"),
    [
        (401, "invalid_request_error", FailureKind.AUTH),
        (404, "api_error", FailureKind.NOT_FOUND),
        (500, "invalid_request_error", FailureKind.UNAVAILABLE),
        (408, "server_error", FailureKind.TIMEOUT),
    ],
)
def test_a_vague_word_leaves_it_to_the_status(status: int, word: str, kind: FailureKind) -> None:
    """Vendors write `invalid_request_error` beside a wrong key and beside a wrong model."""
    assert kind_of(status, VendorError(words=(word,))) is kind


def test_the_more_exact_word_comes_first() -> None:
    """A code decides before the type that stands beside it."""
    words = ("insufficient_quota", "rate_limit_error")
    assert kind_of(429, VendorError(words=words)) is FailureKind.NO_ENTITLEMENT


def test_a_request_too_large_for_a_limit_is_not_retried() -> None:
    """413 is called a rate limit by some vendors, and never passes however long one waits."""
    assert kind_of(413, VendorError(words=("rate_limit_exceeded",))) is FailureKind.BAD_REQUEST


def test_what_is_gone_is_retired_whatever_it_is_called() -> None:
    """410 comes with the word for what never was from some vendors."""
    assert kind_of(410, VendorError(words=("not_found_error",))) is FailureKind.RETIRED


@pytest.mark.parametrize(
    ("status", "message", "param", "kind"),
    [
        (404, "The model `x` has been deprecated, see here", "", FailureKind.RETIRED),
        (400, "The model `x` has been decommissioned", "", FailureKind.RETIRED),
        (404, "Model x is no longer available.", "model", FailureKind.RETIRED),
        (404, "The model `x` does not exist", "", FailureKind.NOT_FOUND),
        (400, "'functions' of this model is deprecated", "functions", FailureKind.BAD_REQUEST),
        (400, "functions is deprecated", "", FailureKind.BAD_REQUEST),
        (503, "The model has been shut down for a moment", "", FailureKind.UNAVAILABLE),
    ],
)
def test_a_model_that_was_taken_away_is_told_from_one_that_never_was(
    status: int, message: str, param: str, kind: FailureKind
) -> None:
    """Only what is said of the model itself makes it `retired`."""
    assert kind_of(status, VendorError(message=message, param=param)) is kind


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (VendorError(words=("rate_limit_exceeded",)), FailureKind.BUSY),
        (VendorError(words=("server_error",)), FailureKind.UNAVAILABLE),
        (VendorError(words=("invalid_request_error",)), FailureKind.BAD_REQUEST),
        (VendorError(status=429), FailureKind.BUSY),
        (VendorError(status=401), FailureKind.AUTH),
        (VendorError(message="strange"), FailureKind.UNAVAILABLE),
    ],
)
def test_an_error_that_came_as_a_success_is_read_by_its_own_words(
    error: VendorError, kind: FailureKind
) -> None:
    """Gateways answer 200 with an error in the body; it is never an answer."""
    assert kind_of(200, error) is kind


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            {"error": {"message": "m", "type": "T", "param": "p", "code": "C"}},
            VendorError(message="m", words=("c", "t"), param="p"),
        ),
        (
            {"error": {"message": "m", "code": 429, "status": "RESOURCE_EXHAUSTED"}},
            VendorError(message="m", words=("resource_exhausted",), status=429),
        ),
        ({"error": {"message": "m", "code": "404"}}, VendorError(message="m", status=404)),
        ({"error": {"code": "499999"}}, VendorError()),
        ({"error": {"code": True}}, VendorError()),
        ([{"error": {"message": "m"}}], VendorError(message="m")),
        (
            {"error": "m", "error_type": "overloaded"},
            VendorError(message="m", words=("overloaded",)),
        ),
        ({"object": "error", "message": "m", "code": 404}, VendorError(message="m", status=404)),
        ({"message": "m"}, VendorError(message="m")),
        ({"detail": "m"}, VendorError(message="m")),
        (
            {"detail": [{"loc": ["body", "n"], "msg": "too big", "input": "the prompt"}]},
            VendorError(message="body.n: too big"),
        ),
        (
            {"error": {"code": "content_filter", "innererror": {"code": "ResponsibleAI"}}},
            VendorError(words=("responsibleai", "content_filter")),
        ),
        ({"error": {}}, VendorError()),
        ({"error": None}, None),
        ({"error": ""}, None),
        ({"choices": []}, None),
        ([], None),
        ("text", None),
        (None, None),
    ],
)
def test_every_vendor_s_way_to_write_an_error_is_read(
    body: Any, expected: VendorError | None
) -> None:
    """One shape comes of many; what no one wrote as an error is none."""
    assert find_error(body) == expected
