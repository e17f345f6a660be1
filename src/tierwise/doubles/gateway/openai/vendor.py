"""OpenAI: which paths there are, how a request to each is read, and how it is answered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pydantic_core import ValidationError

from tierwise.doubles.gateway.asked import Asked, Endpoint
from tierwise.doubles.gateway.openai import checks, encoding, reading, refusing
from tierwise.doubles.gateway.openai.chat_reading import read_chat
from tierwise.doubles.gateway.openai.chat_rules import CHAT_CHECKS
from tierwise.doubles.gateway.openai.chat_saying import say_chat
from tierwise.doubles.gateway.openai.counting import count_input
from tierwise.doubles.gateway.openai.embedding import read_embeddings, say_embeddings
from tierwise.doubles.gateway.openai.embedding_rules import EMBEDDING_CHECKS
from tierwise.doubles.gateway.openai.item_rules import ITEM_CHECKS
from tierwise.doubles.gateway.openai.known_models import is_listed, read_known_models
from tierwise.doubles.gateway.openai.model_rules import EFFORT_CHECKS, MODEL_CHECKS
from tierwise.doubles.gateway.openai.name_rules import NAME_CHECKS
from tierwise.doubles.gateway.openai.params import Validators
from tierwise.doubles.gateway.openai.problems import explain_errors
from tierwise.doubles.gateway.openai.responses_reading import read_count, read_responses
from tierwise.doubles.gateway.openai.responses_rules import RESPONSES_CHECKS, find_moved
from tierwise.doubles.gateway.openai.responses_saying import form_response
from tierwise.doubles.gateway.openai.responses_streaming import form_events
from tierwise.doubles.gateway.openai.said_before import complete
from tierwise.doubles.gateway.saying import Refusal, Say
from tierwise.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.doubles.gateway.openai.checks import Check
    from tierwise.doubles.gateway.vendor import Account, Moment, RequestRule
    from tierwise.doubles.gateway.wire import HttpRequest, HttpResponse

_PATHS = {
    "/chat/completions": Endpoint.CHAT,
    "/responses": Endpoint.RESPONSES,
    "/responses/input_tokens": Endpoint.COUNT_TOKENS,
    "/embeddings": Endpoint.EMBED,
    "/models": Endpoint.MODELS,
}
_MODEL_PATH = re.compile(r"/models/(?P<model>.+)")
_BASE = "/v1"


class OpenAIVendor:
    """Plays OpenAI: chat completions, responses, embeddings, models."""

    name = "openai"
    hosts = ("api.openai.com",)
    base_url_variable = "OPENAI_BASE_URL"
    base_path = _BASE

    def __init__(self) -> None:
        try:
            self._known = read_known_models()
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "openai":
                raise
            raise MissingExtraError(
                "Playing OpenAI needs the package openai, whose types requests are checked "
                "against; it is not installed here. Install it with: pip install "
                "'tierwise[openai]'"
            ) from error
        self._validators = Validators()

    @property
    def environment(self) -> Mapping[str, str]:
        """Variables that hand the SDK an obviously fake key."""
        return {"OPENAI_API_KEY": "sk-tierwise-fake-key-for-tests-only"}

    @property
    def rules(self) -> tuple[RequestRule, ...]:
        """All rules about requests, each name once."""
        found = [one for some in _CHECKS.values() for one in some]
        rules = [*reading.READING_RULES, *(one.rule for one in found)]
        return tuple({rule.name: rule for rule in rules}.values())

    def find_endpoint(self, http: HttpRequest) -> Endpoint | None:
        """Return what the path asks for; `/v1` in front of it may be left out."""
        path = http.path.rstrip("/").removeprefix(_BASE)
        if _MODEL_PATH.fullmatch(path):
            return Endpoint.MODELS
        return _PATHS.get(path)

    def read(self, endpoint: Endpoint, http: HttpRequest, account: Account) -> Asked | Refusal:
        """Return what is asked, or the refusal of the first rule that is broken."""
        method = "GET" if endpoint is Endpoint.MODELS else "POST"
        refused = reading.refuse_method(http, method) or reading.refuse_key(http, account)
        if refused is not None:
            return refused
        if endpoint is Endpoint.MODELS:
            return self._read_models(http, account)
        body = reading.read_body(http)
        if isinstance(body, Refusal):
            return body
        return self._refuse(endpoint, body, account) or _READERS[endpoint](body, http)

    def _refuse(
        self, endpoint: Endpoint, body: Mapping[str, Any], account: Account
    ) -> Refusal | None:
        if endpoint is Endpoint.RESPONSES:
            moved = next(find_moved(body), None)
            if moved is not None:
                return checks.refuse_by(reading.MOVED, moved)
        return (
            self._refuse_types(endpoint, body)
            or self._refuse_model(endpoint, body, account)
            or checks.find_refusal(_CHECKS[endpoint], body)
        )

    def _refuse_types(self, endpoint: Endpoint, body: Mapping[str, Any]) -> Refusal | None:
        try:
            self._validators.find(endpoint).validate_python(complete(endpoint, body))
        except ValidationError as error:
            problem = explain_errors(error, is_chat=endpoint is Endpoint.CHAT)
            return checks.refuse_by(reading.TYPES, problem)
        return None

    def _refuse_model(
        self, endpoint: Endpoint, body: Mapping[str, Any], account: Account
    ) -> Refusal | None:
        model = body.get("model")
        if model is None:  # a rule of its own says whether it may be left out
            return None
        refused = reading.refuse_unknown_model(model, self._known, account)
        if refused is not None or is_listed(model, account.models):
            return refused
        return _FIT[endpoint](body, self._known)

    def _read_models(self, http: HttpRequest, account: Account) -> Asked | Refusal:
        found = _MODEL_PATH.fullmatch(http.path.removeprefix(_BASE))
        model = found["model"] if found else ""
        if model:
            refused = reading.refuse_unknown_model(model, self._known, account)
            if refused is not None:
                return refused
        more = sorted(one for one in account.models if not one.endswith("*"))
        return Asked(
            vendor="openai",
            endpoint=Endpoint.MODELS,
            model=model,
            http=http,
            body={"models": [*self._known.all, *more]},
        )

    def say(self, asked: Asked, says: tuple[Say, ...], moment: Moment) -> HttpResponse:
        """Return the response in which the model says this."""
        if asked.endpoint is Endpoint.CHAT:
            return say_chat(asked, says, moment)
        if asked.endpoint is Endpoint.EMBED:
            return say_embeddings(asked, says, moment)
        if asked.endpoint is Endpoint.MODELS:
            return _say_models(asked, moment)
        if asked.endpoint is Endpoint.COUNT_TOKENS:
            count = {"object": "response.input_tokens", "input_tokens": count_input(asked)}
            return encoding.respond(count, moment)
        say = says[0]
        if asked.stream:
            events = form_events(asked, say, moment)
            return encoding.respond_with_events(events, moment, says=says)
        return encoding.respond(form_response(asked, say, moment), moment, says=says)

    def refuse(self, refusal: Refusal, moment: Moment) -> HttpResponse:
        """Return the vendor's error."""
        return refusing.refuse(refusal, moment)

    def error_event(self, asked: Asked, refusal: Refusal) -> bytes:
        """Return the event that reports an error inside a stream."""
        return refusing.form_error_event(asked, refusal)


_CHECKS: Mapping[Endpoint, tuple[Check, ...]] = {
    Endpoint.CHAT: (*CHAT_CHECKS, *NAME_CHECKS, *MODEL_CHECKS),
    Endpoint.RESPONSES: (*RESPONSES_CHECKS, *ITEM_CHECKS, *EFFORT_CHECKS),
    Endpoint.EMBED: EMBEDDING_CHECKS,
    Endpoint.COUNT_TOKENS: (),
}
_READERS = {
    Endpoint.CHAT: read_chat,
    Endpoint.RESPONSES: read_responses,
    Endpoint.EMBED: read_embeddings,
    Endpoint.COUNT_TOKENS: read_count,
}
_FIT = {
    Endpoint.CHAT: reading.refuse_chat_model,
    Endpoint.RESPONSES: reading.refuse_responses_model,
    Endpoint.EMBED: reading.refuse_embedding_model,
    Endpoint.COUNT_TOKENS: reading.refuse_responses_model,
}


def _say_models(asked: Asked, moment: Moment) -> HttpResponse:
    def form(model: str) -> dict[str, Any]:
        owner = "system"
        return {"id": model, "object": "model", "created": moment.created, "owned_by": owner}

    if asked.model:
        return encoding.respond(form(asked.model), moment)
    listed = [form(model) for model in asked.body["models"]]
    return encoding.respond({"object": "list", "data": listed}, moment)
