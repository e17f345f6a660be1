"""Anthropic's protocol: what it refuses, what it answers, byte by byte."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cached_property
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.anthropic.bodies import BODY_RULES, decode_body
from tierwise.doubles.gateway.anthropic.errors import (
    form_error_body,
    form_error_event,
    form_error_headers,
)
from tierwise.doubles.gateway.anthropic.events import dump, form_events
from tierwise.doubles.gateway.anthropic.headers import HEADER_RULES, check_headers
from tierwise.doubles.gateway.anthropic.message import count_input, form_message
from tierwise.doubles.gateway.anthropic.models import (
    MODEL_RULES,
    describe_model,
    form_page,
    is_known,
    list_known,
    refuse_model,
)
from tierwise.doubles.gateway.anthropic.reading import VENDOR, read_body
from tierwise.doubles.gateway.anthropic.threads import THREAD_RULES, Threads
from tierwise.doubles.gateway.asked import Asked, Endpoint
from tierwise.doubles.gateway.saying import Refusal, Say
from tierwise.doubles.gateway.wire import Chunk, HttpResponse
from tierwise.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.doubles.gateway.vendor import Account, Moment, RequestRule
    from tierwise.doubles.gateway.wire import HttpRequest

_PATHS = {
    "/v1/messages": Endpoint.MESSAGES,
    "/v1/messages/count_tokens": Endpoint.COUNT_TOKENS,
    "/v1/models": Endpoint.MODELS,
}
_ONE_MODEL = "/v1/models/"
_JSON = ("content-type", "application/json")
_EVENTS = (("content-type", "text/event-stream; charset=utf-8"), ("cache-control", "no-cache"))
_LIMITS = (("requests", 4_000), ("input-tokens", 2_000_000), ("output-tokens", 400_000))
_MINUTE_S = 60


class AnthropicVendor:
    """Plays Anthropic: messages, plain and streamed, token counts and models.

    Requests are read by the parameter types of the SDK that is installed, and by the rules that
    the vendor documents or was seen to enforce.
    """

    name = VENDOR
    hosts = ("api.anthropic.com",)
    environment: Mapping[str, str] = MappingProxyType(
        {"ANTHROPIC_API_KEY": "sk-ant-not-a-key-tierwise-gateway"}
    )
    base_url_variable = "ANTHROPIC_BASE_URL"
    base_path = ""

    def __init__(self) -> None:
        if find_spec("anthropic") is None:
            raise MissingExtraError(
                "Anthropic's part of the gateway reads requests by the types of its SDK, which "
                "is not installed. Run: pip install 'tierwise[anthropic]'"
            )
        self._threads = Threads()

    @property
    def rules(self) -> tuple[RequestRule, ...]:
        """All rules about requests, in the order in which they are tried."""
        return (*HEADER_RULES, *BODY_RULES, *THREAD_RULES, *MODEL_RULES)

    @cached_property
    def _known(self) -> Mapping[str, str]:
        return list_known()

    def find_endpoint(self, http: HttpRequest) -> Endpoint | None:
        """Return what the path asks for, or None."""
        path = http.path.rstrip("/")
        if path.startswith(_ONE_MODEL) and "/" not in path[len(_ONE_MODEL) :]:
            return Endpoint.MODELS
        return _PATHS.get(path)

    def read(self, endpoint: Endpoint, http: HttpRequest, account: Account) -> Asked | Refusal:
        """Return the request in neutral words, or what the vendor would refuse it with."""
        refusal = check_headers(endpoint, http, account)
        if refusal is not None:
            return refusal
        if endpoint is Endpoint.MODELS:
            return self._read_models(http, account)
        body = decode_body(endpoint, http, self._threads)
        if isinstance(body, Refusal):
            return body
        if not is_known(body["model"], self._known, account):
            return refuse_model(body["model"])
        return read_body(endpoint, http, body)

    def _read_models(self, http: HttpRequest, account: Account) -> Asked | Refusal:
        model = http.path.rstrip("/")[len(_ONE_MODEL) :]
        if not model:
            found = form_page(http.query, self._known, account)
        elif is_known(model, self._known, account):
            found = describe_model(model, self._known)
        else:
            found = refuse_model(model)
        if isinstance(found, Refusal):
            return found
        return Asked(vendor=VENDOR, endpoint=Endpoint.MODELS, model=model, http=http, body=found)

    def say(self, asked: Asked, says: tuple[Say, ...], moment: Moment) -> HttpResponse:
        """Return the response in which the model says this; a message has one choice only."""
        say = says[0] if says else Say()
        headers = (*_form_headers(moment), *say.headers)
        if asked.endpoint is Endpoint.MESSAGES and asked.stream:
            message = form_message(asked, say, moment)
            self._threads.hold(asked.body, message)
            events = form_events(message, say.pieces)
            chunks = tuple(map(Chunk, events))
            return HttpResponse(headers=(*_EVENTS, *headers), chunks=chunks)
        body = dump(self._form_body(asked, say, moment)).encode()
        return HttpResponse(headers=(_JSON, *headers), chunks=(Chunk(body),))

    def _form_body(self, asked: Asked, say: Say, moment: Moment) -> Mapping[str, Any]:
        if asked.endpoint is Endpoint.MODELS:
            return {**asked.body, **say.extra}
        if asked.endpoint is Endpoint.COUNT_TOKENS:
            tokens = say.usage.input_tokens if say.usage else count_input(asked)
            return {"input_tokens": tokens, **say.extra}
        message = form_message(asked, say, moment)
        self._threads.hold(asked.body, message)
        return message

    def refuse(self, refusal: Refusal, moment: Moment) -> HttpResponse:
        """Return the vendor's error: body, headers and code follow from the status alone."""
        body = form_error_body(refusal, _request_id(moment))
        headers = (_JSON, ("request-id", _request_id(moment)), *form_error_headers(refusal))
        return HttpResponse(status=refusal.status, headers=headers, chunks=(Chunk(body),))

    def error_event(self, asked: Asked, refusal: Refusal) -> bytes:  # noqa: ARG002  the protocol's
        """Return the event by which the vendor reports an error inside a stream of status 200."""
        return form_error_event(refusal)


def _request_id(moment: Moment) -> str:
    return f"req_01{moment.number:022d}"


def _form_headers(moment: Moment) -> tuple[tuple[str, str], ...]:
    until = datetime.fromtimestamp(moment.created + _MINUTE_S, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    limits = [
        pair
        for name, most in _LIMITS
        for pair in (
            (f"anthropic-ratelimit-{name}-limit", str(most)),
            (f"anthropic-ratelimit-{name}-remaining", str(most - 1)),
            (f"anthropic-ratelimit-{name}-reset", until),
        )
    ]
    return (
        ("request-id", _request_id(moment)),
        ("anthropic-organization-id", "00000000-0000-4000-8000-000000000000"),
        *limits,
    )
