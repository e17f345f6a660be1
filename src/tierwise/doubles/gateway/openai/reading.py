"""From a request as it arrived to a body that the vendor would serve, or its refusal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.openai import checks
from tierwise.doubles.gateway.openai.problems import Problem
from tierwise.doubles.gateway.saying import Ground, Refusal
from tierwise.doubles.gateway.vendor import RequestRule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.doubles.gateway.openai.known_models import KnownModels
    from tierwise.doubles.gateway.vendor import Account
    from tierwise.doubles.gateway.wire import HttpRequest

_DOCUMENTED, _OBSERVED = Ground.DOCUMENTED, Ground.OBSERVED
NO_KEY = RequestRule(
    name="no_key", ground=_DOCUMENTED, says="a key comes as Authorization: Bearer", status=401
)
WRONG_KEY = RequestRule(
    name="wrong_key", ground=_DOCUMENTED, says="the key is one that is accepted", status=401
)
METHOD = RequestRule(
    name="method", ground=_OBSERVED, says="the path is asked with its own method", status=405
)
NOT_JSON = RequestRule(name="not_json", ground=_OBSERVED, says="the body is a JSON object")
TYPES = RequestRule(name="types", ground=Ground.TYPED, says="the SDK's types hold, no more fields")
MODEL = RequestRule(
    name="unknown_model", ground=_DOCUMENTED, says="there is such a model", status=404
)
NOT_FOR_CHAT = RequestRule(
    name="not_for_chat",
    ground=_OBSERVED,
    says="the model can be asked at this endpoint",
    status=404,
)
NOT_FOR_EMBEDDING = RequestRule(
    name="not_for_embedding",
    ground=_OBSERVED,
    says="the model can make embeddings",
    status=403,
)
MOVED = RequestRule(
    name="moved_parameter",
    ground=_OBSERVED,
    says="no parameter of chat completions is sent to responses",
)
READING_RULES = (
    NO_KEY, WRONG_KEY, METHOD, NOT_JSON, MOVED, TYPES, MODEL, NOT_FOR_CHAT, NOT_FOR_EMBEDDING,
)  # fmt: skip


def refuse_key(http: HttpRequest, account: Account) -> Refusal | None:
    """Return the refusal of a request without a key that the account accepts."""
    scheme, _, key = http.headers.get("authorization", "").partition(" ")
    key = key.strip()
    if scheme.lower() != "bearer" or not key:
        return checks.refuse_by(
            NO_KEY,
            Problem(
                message="You didn't provide an API key. You need to provide your API key in an "
                "Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."
            ),
        )
    if account.keys is not None and key not in account.keys:
        # The vendor shows a part of the key; here none is ever shown.
        return checks.refuse_by(
            WRONG_KEY,
            Problem(message="Incorrect API key provided: [masked].", code="invalid_api_key"),
        )
    return None


def refuse_method(http: HttpRequest, method: str) -> Refusal | None:
    """Return the refusal of a method that the path does not have."""
    if http.method.upper() == method:
        return None
    return checks.refuse_by(
        METHOD,
        Problem(
            message=f"Not allowed to {http.method.upper()} on {http.path}. (HINT: Perhaps you "
            "meant to use a different HTTP method?)",
            code="method_not_supported",
        ),
    )


def read_body(http: HttpRequest) -> dict[str, Any] | Refusal:
    """Return the object that the body is."""
    try:
        found = json.loads(http.body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        return found
    return checks.refuse_by(
        NOT_JSON,
        Problem(
            message="We could not parse the JSON body of your request. (HINT: This likely means "
            "you aren't using your HTTP library correctly. The OpenAI API expects a JSON "
            "payload.)"
        ),
    )


def _refuse_constant(name: str) -> None:
    raise ValueError(name)  # NaN and Infinity are Python's, not JSON's


def refuse_unknown_model(model: str, known: KnownModels, account: Account) -> Refusal | None:
    """Return the refusal of a model that nobody knows."""
    if known.exists(model, account):
        return None
    return checks.refuse_by(
        MODEL,
        Problem(
            message=f"The model `{model}` does not exist or you do not have access to it.",
            code="model_not_found",
        ),
    )


def refuse_chat_model(body: Mapping[str, Any], known: KnownModels) -> Refusal | None:
    """Return the refusal of a model that chat completions don't serve."""
    model = body["model"]
    if model in known.embedding:
        message = (
            "This is not a chat model and thus not supported in the v1/chat/completions "
            "endpoint. Did you mean to use v1/completions?"
        )
    elif model in known.responses and model not in known.chat:
        message = "This model is only supported in v1/responses and not in v1/chat/completions."
    else:
        return None
    return checks.refuse_by(NOT_FOR_CHAT, Problem(message=message, param="model"))


def refuse_responses_model(body: Mapping[str, Any], known: KnownModels) -> Refusal | None:
    """Return the refusal of a model that responses don't serve."""
    if body.get("model") not in known.embedding:
        return None
    return checks.refuse_by(
        NOT_FOR_CHAT,
        Problem(
            message=f"The requested model '{body['model']}' is not supported with the Responses "
            "API.",
            param="model",
        ),
    )


def refuse_embedding_model(body: Mapping[str, Any], known: KnownModels) -> Refusal | None:
    """Return the refusal of a model that makes no embeddings."""
    if body["model"] not in known.responses:
        return None
    return checks.refuse_by(
        NOT_FOR_EMBEDDING,
        Problem(message="You are not allowed to generate embeddings from this model"),
    )
