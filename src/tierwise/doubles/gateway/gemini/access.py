"""Whether a request may come in at all: its method, its key, and a body that is JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.asked import Endpoint
from tierwise.doubles.gateway.gemini.errors import OAUTH_WANTED
from tierwise.doubles.gateway.gemini.rules import RULES
from tierwise.doubles.gateway.saying import Refusal

if TYPE_CHECKING:
    from tierwise.doubles.gateway.gemini.models import ModelFacts
    from tierwise.doubles.gateway.gemini.paths import Target
    from tierwise.doubles.gateway.vendor import Account
    from tierwise.doubles.gateway.wire import HttpRequest

_PAGE = b"""<!DOCTYPE html>
<html lang=en>
  <meta charset=utf-8>
  <title>Error 404 (Not Found)!!1</title>
  <p><b>404.</b> <ins>That's an error.</ins>
  <p>The requested URL was not found on this server.
"""


def refuse_by(rule: str, message: str, *, code: str | None = None) -> Refusal:
    """Return the refusal by one rule, in the vendor's words."""
    broken = RULES[rule]
    return Refusal(
        status=broken.status, message=message, code=code, rule=rule, ground=broken.ground
    )


def check_method(endpoint: Endpoint, http: HttpRequest) -> Refusal | None:
    """Return the page that Google's front door shows for a method that nobody serves."""
    wanted = "GET" if endpoint is Endpoint.MODELS else "POST"
    if http.method.upper() == wanted:
        return None
    return Refusal(
        status=404,
        message="The requested URL was not found on this server.",
        headers=(("content-type", "text/html; charset=UTF-8"),),
        body=_PAGE,
        rule="method",
        ground=RULES["method"].ground,
    )


def check_key(http: HttpRequest, account: Account) -> Refusal | None:
    """Return the refusal of a key that is missing or unknown; no key is ever in it."""
    key = (http.headers.get("x-goog-api-key") or http.query.get("key") or "").strip()
    if not key and "authorization" in http.headers:
        return refuse_by(
            "token_instead_of_key",
            OAUTH_WANTED,
            code="ACCESS_TOKEN_TYPE_UNSUPPORTED",
        )
    if not key:
        return refuse_by(
            "key_missing",
            "Method doesn't allow unregistered callers (callers without established identity). "
            "Please use API Key or other form of API consumer identity to call this API.",
        )
    if account.keys is not None and key not in account.keys:
        message = "API key not valid. Please pass a valid API key."
        return refuse_by("key_unknown", message, code="API_KEY_INVALID")
    return None


def read_json(body: bytes) -> dict[str, Any] | Refusal:
    """Return the object that a body is."""
    try:
        found = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        return refuse_by(
            "not_json", "Invalid JSON payload received. Expected a value, object or array."
        )
    if not isinstance(found, dict):
        return refuse_by(
            "not_an_object",
            'Invalid JSON payload received. Unknown name "": Root element must be a message.',
        )
    return found


def refuse_model(target: Target) -> Refusal:
    """Return the refusal of a model that is not there, or not for this."""
    method = target.method or "generateContent"
    return refuse_by(
        "model_unknown",
        f"{target.name} is not found for API version {target.version}, or is not supported for "
        f"{method}. Call ModelService.ListModels to see the list of available models and their "
        "supported methods.",
    )


def may_be_asked(facts: ModelFacts | None, method: str) -> bool:
    """Tell whether a model is there for a method; a model itself can always be read."""
    return facts is not None and (not method or method in facts.methods)
