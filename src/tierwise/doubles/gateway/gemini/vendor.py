"""Gemini as the gateway plays it."""

from __future__ import annotations

import importlib
import json
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.asked import Endpoint
from tierwise.doubles.gateway.gemini.answering import (
    count_prompt,
    form_answer,
    form_details,
    form_embedding,
)
from tierwise.doubles.gateway.gemini.errors import JSON_HEADERS, describe_error, form_error
from tierwise.doubles.gateway.gemini.paths import HOST, is_ours, parse_path
from tierwise.doubles.gateway.gemini.reading import read_request
from tierwise.doubles.gateway.gemini.rules import RULES
from tierwise.doubles.gateway.gemini.shapes import Shapes
from tierwise.doubles.gateway.gemini.streaming import (
    form_error_event,
    form_stream,
    is_event_stream,
)
from tierwise.doubles.gateway.wire import Chunk, HttpResponse
from tierwise.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.saying import Refusal, Say
    from tierwise.doubles.gateway.vendor import Account, Moment, RequestRule
    from tierwise.doubles.gateway.wire import HttpRequest

_FAKE_KEY = "fake-key-of-the-gateway"


class GeminiVendor:
    """Plays the Gemini API under /v1 and /v1beta, as google-genai and plain HTTP ask it.

    Making it imports google-genai; without it `MissingExtraError` is raised.
    """

    name = "gemini"
    hosts = (HOST,)
    base_url_variable = "GOOGLE_GEMINI_BASE_URL"
    base_path = ""

    def __init__(self) -> None:
        try:
            types: Any = importlib.import_module("google.genai.types")
        except ModuleNotFoundError as error:
            raise MissingExtraError(
                "Playing Gemini needs the package google-genai, which is not installed here. "
                "Install it with: pip install 'tierwise[gemini]'"
            ) from error
        self._shapes = Shapes(types)

    @property
    def environment(self) -> Mapping[str, str]:
        """Variables that hand the SDK an obviously fake key; it prefers the first one."""
        return {"GOOGLE_API_KEY": _FAKE_KEY, "GEMINI_API_KEY": _FAKE_KEY}

    @property
    def rules(self) -> tuple[RequestRule, ...]:
        """All rules about requests that `read` enforces."""
        return tuple(RULES.values())

    def find_endpoint(self, http: HttpRequest) -> Endpoint | None:
        """Return what the path asks for, or None where Gemini has nothing there."""
        target = parse_path(http.path)
        return None if target is None or not is_ours(target, http) else target.endpoint

    def read(self, endpoint: Endpoint, http: HttpRequest, account: Account) -> Asked | Refusal:
        """Return the request in neutral words, or what Gemini would refuse it with."""
        del endpoint  # the path says it again, and more
        return read_request(http, self._shapes, account)

    def say(self, asked: Asked, says: tuple[Say, ...], moment: Moment) -> HttpResponse:
        """Return the response in which the model says this."""
        if asked.endpoint is Endpoint.MODELS:
            return _respond(asked.body)  # only reading knows the account, so it has answered
        if asked.endpoint is Endpoint.EMBED:
            return _respond(_form_embeddings(asked, says))
        if asked.endpoint is Endpoint.COUNT_TOKENS:
            count = count_prompt(asked)
            details = form_details(asked, count)
            return _respond({"totalTokens": count, "promptTokensDetails": details})
        headers = says[0].headers
        if not asked.stream:
            return _respond(form_answer(asked, says, moment), headers)
        kind = "text/event-stream" if is_event_stream(asked) else JSON_HEADERS[0][1]
        return HttpResponse(
            headers=(("content-type", kind), *JSON_HEADERS[1:], *headers),
            chunks=tuple(map(Chunk, form_stream(asked, says, moment))),
        )

    def refuse(self, refusal: Refusal, moment: Moment) -> HttpResponse:
        """Return Gemini's error: its words follow from the status alone."""
        del moment  # Gemini puts no id on its errors
        return form_error(refusal)

    def error_event(self, asked: Asked, refusal: Refusal) -> bytes:
        """Return the event that reports an error inside a stream of status 200."""
        return form_error_event(asked, describe_error(refusal))


def _form_embeddings(asked: Asked, says: tuple[Say, ...]) -> dict[str, Any]:
    given = says[0].embeddings if says else ()
    dimensions = asked.dimensions or 0
    found = [
        form_embedding(text, dimensions, given[index] if index < len(given) else None)
        for index, text in enumerate(asked.texts)
    ]
    is_batch = asked.http.path.endswith(":batchEmbedContents")
    return {"embeddings": found} if is_batch else {"embedding": found[0]}


def _respond(body: object, headers: tuple[tuple[str, str], ...] = ()) -> HttpResponse:
    data = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return HttpResponse(
        headers=(*JSON_HEADERS, *headers), chunks=(Chunk(data.encode(errors="replace")),)
    )
