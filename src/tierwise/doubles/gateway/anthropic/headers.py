"""What the vendor reads before the body: method, key, version of the API, size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain.masking import mask_keys
from tierwise.doubles.gateway.anthropic.rule import DOCUMENTED, NEWEST, OBSERVED
from tierwise.doubles.gateway.asked import Endpoint
from tierwise.doubles.gateway.saying import Refusal
from tierwise.doubles.gateway.vendor import RequestRule

if TYPE_CHECKING:
    from tierwise.doubles.gateway.vendor import Account
    from tierwise.doubles.gateway.wire import HttpRequest

VERSIONS = ("2023-01-01", "2023-06-01", NEWEST)
_LARGEST = 32 * 1024 * 1024
_BEARER = "bearer "

METHOD = RequestRule(
    name="method", ground=OBSERVED, says="Each path takes its own method.", status=405
)
KEY_GIVEN = RequestRule(
    name="key-given",
    ground=OBSERVED,
    says="A key comes as x-api-key or as a bearer token.",
    status=401,
)
KEY_KNOWN = RequestRule(
    name="key-known",
    ground=OBSERVED,
    says="The key is one of the account's; x-api-key goes before a bearer token.",
    status=401,
)
VERSION_GIVEN = RequestRule(
    name="version-given", ground=OBSERVED, says="anthropic-version is sent with each request."
)
VERSION_KNOWN = RequestRule(
    name="version-known", ground=OBSERVED, says=f"The version is one of {', '.join(VERSIONS)}."
)
SIZE = RequestRule(name="size", ground=DOCUMENTED, says="A body has 32 MB at most.", status=413)
HEADER_RULES = (METHOD, KEY_GIVEN, KEY_KNOWN, VERSION_GIVEN, VERSION_KNOWN, SIZE)


def refuse_by(rule: RequestRule, message: str) -> Refusal:
    """Return the refusal of a request that breaks a rule; a key that it quotes is masked."""
    return Refusal(
        status=rule.status, message=mask_keys(message), rule=rule.name, ground=rule.ground
    )


def check_headers(endpoint: Endpoint, http: HttpRequest, account: Account) -> Refusal | None:
    """Return why the vendor would not even read the body, or None."""
    method = "GET" if endpoint is Endpoint.MODELS else "POST"
    if http.method != method:
        return refuse_by(METHOD, "Method Not Allowed")
    return _check_key(http, account) or _check_version(http) or _check_size(http)


def _check_key(http: HttpRequest, account: Account) -> Refusal | None:
    key = http.headers.get("x-api-key", "").strip()
    bearer = http.headers.get("authorization", "").strip()
    token = bearer[len(_BEARER) :].strip() if bearer.lower().startswith(_BEARER) else ""
    if not key and not token:
        return refuse_by(KEY_GIVEN, "x-api-key header is required")
    if account.keys is not None and (key or token) not in account.keys:
        return refuse_by(KEY_KNOWN, "invalid x-api-key" if key else "Invalid bearer token")
    return None


def _check_version(http: HttpRequest) -> Refusal | None:
    version = http.headers.get("anthropic-version")
    if not version:
        return refuse_by(VERSION_GIVEN, "anthropic-version: header is required")
    if version not in VERSIONS:
        return refuse_by(VERSION_KNOWN, f'anthropic-version: "{version}" is not a valid version')
    return None


def _check_size(http: HttpRequest) -> Refusal | None:
    if len(http.body) <= _LARGEST:
        return None
    return refuse_by(SIZE, "Request exceeds the maximum size")
