"""What vendors' answers are known to look like, in the order in which they are told apart."""

from __future__ import annotations

from tierwise.live.observed import Observed  # noqa: TC001  signatures call with it
from tierwise.live.signature import Signature
from tierwise.live.standing import Standing

_SERVER_ERRORS = tuple(range(500, 600))
_SUCCESSES = tuple(range(200, 300))


def _has_error(observed: Observed) -> bool:
    return not observed.is_success


def _has_no_answer(observed: Observed) -> bool:
    return observed.status is None


BUGS = (
    Signature(
        name="key_not_read",
        standing=Standing.OUR_FAULT,
        reason="a key was sent and the vendor saw none: it goes into another header",
        status=(401, 403),
        sent_key=True,
        text=r"missing (?:an? |your )?(?:api[ -]?key|auth)|no api[ -]?key"
        r"|(?:didn't|did not) provide an api key|x-api-key header is required"
        r"|unregistered callers|no auth credentials",
    ),
    Signature(
        name="protocol_unsupported",
        standing=Standing.OUR_FAULT,
        reason="the model does not speak this protocol: the request went to the wrong endpoint",
        status=(400, 404),
        word="ModelProtocolUnsupported",
    ),
    Signature(
        name="parameter_deprecated",
        standing=Standing.OUR_FAULT,
        reason="the model is there, and no longer takes what we send",
        status=400,
        text=r"\b(?:deprecated|removed|(?:un|no longer |not )supported) (?:for|with|on|by|in) "
        r"(?:this|the) model\b"
        r"|\b(?:parameter|field|argument)\b(?:(?!\bmodel\b).){0,60}"
        r"\b(?:deprecated|removed|no longer supported)\b",
    ),
)
"""Mistakes of ours that name themselves; they are looked for before anything is excused."""

MOVES = (
    Signature(
        name="retired",
        standing=Standing.RETIRED,
        reason="the vendor has retired it",
        status=(400, 404, 410),
        word=(
            "ModelDeprecated",
            "model_deprecated",
            "model_decommissioned",
            "model_retired",
            "deprecated_model",
            "retired",
        ),
    ),
    Signature(
        name="gone_upstream",
        standing=Standing.RETIRED,
        reason="the vendor's own supplier no longer has it",
        status=400,
        text=r"\bmodel is unavailable\b",
    ),
    Signature(
        name="said_to_be_retired",
        standing=Standing.RETIRED,
        reason="the vendor says that it is retired",
        status=(400, 404),
        text=r"\bmodels?\b.{0,120}\b(?:decommissioned|retired|discontinued|sunset"
        r"|(?:been|is|was) (?:now )?(?:deprecated|shut ?down|removed)"
        r"|no longer (?:available|supported|served))",
    ),
    Signature(
        name="model_unknown",
        standing=Standing.RETIRED,
        reason="the path is there and the vendor knows no such model",
        status=404,
        text=r"\bmodels?\b.{0,120}\b(?:not found|does not exist|not exist)\b"
        r"|\"message\": ?\"model: ",
    ),
    Signature(
        name="tier_closed",
        standing=Standing.CLOSED,
        reason="the tier is closed to this caller",
        status=(401, 403),
        word=("FreeTierError", "free_tier_error"),
    ),
    Signature(
        name="access_disabled",
        standing=Standing.NO_ENTITLEMENT,
        reason="the account may not use it; this is decided before the request is looked at",
        status=(401, 403),
        text=r"model access is disabled",
    ),
    Signature(
        name="no_entitlement",
        standing=Standing.NO_ENTITLEMENT,
        reason="the account has no right to it",
        status=403,
        word=(
            "permission_denied",
            "permission_error",
            "model_not_allowed",
            "access_terminated",
            "unsupported_country_region_territory",
            "no_entitlement",
        ),
    ),
    Signature(
        name="no_credit",
        standing=Standing.NO_ENTITLEMENT,
        reason="the account has no credit left",
        status=(400, 402, 403, 429),
        word=("insufficient_quota", "insufficient_balance", "billing_not_active", "CreditsError"),
    ),
    Signature(
        name="said_to_have_no_credit",
        standing=Standing.NO_ENTITLEMENT,
        reason="the account has no credit left",
        status=(400, 402, 403, 429),
        text=r"credit balance is too low|insufficient (?:balance|credit|funds)",
    ),
    Signature(
        name="error_in_success",
        standing=Standing.UNKNOWN,
        reason="a status of success carries an error",
        status=_SUCCESSES,
        when=_has_error,
    ),
    Signature(
        name="no_answer",
        standing=Standing.UNREACHABLE,
        reason="no answer came",
        when=_has_no_answer,
    ),
)
"""Moves of the vendor's, each told by more than a status."""

STATUSES = (
    Signature(name="success", standing=Standing.USABLE, reason="it answers", status=_SUCCESSES),
    Signature(
        name="gone", standing=Standing.RETIRED, reason="the vendor has retired it", status=410
    ),
    Signature(
        name="rate_limit",
        standing=Standing.BUSY,
        reason="the vendor asked to be left alone",
        status=429,
    ),
    Signature(
        name="payment_required",
        standing=Standing.NO_ENTITLEMENT,
        reason="the account has no credit left",
        status=402,
    ),
    Signature(
        name="keyless",
        standing=Standing.UNKNOWN,
        reason="without a key every request gets this answer, so that nothing was learnt",
        status=401,
        sent_key=False,
    ),
    Signature(
        name="key_refused",
        standing=Standing.OUR_FAULT,
        reason="the vendor refuses the key",
        status=401,
    ),
    Signature(
        name="path_moved",
        standing=Standing.OUR_FAULT,
        reason="the vendor has no such endpoint, or not for this method",
        status=(404, 405),
    ),
    Signature(
        name="bad_request",
        standing=Standing.OUR_FAULT,
        reason="the request is malformed",
        status=(400, 409, 411, 413, 414, 415, 422),
    ),
    Signature(
        name="broken_vendor",
        standing=Standing.UNREACHABLE,
        reason="the vendor broke down",
        status=(408, *_SERVER_ERRORS),
    ),
)
"""What a status means where nothing more exact is known."""
