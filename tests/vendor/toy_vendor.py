"""A vendor with the simplest protocol that has all parts: for tests of the gateway itself.

It plays OpenAI's host. A request is `{"model", "says": [texts], "stream", "n", "schema", "tools"}`
to `/v1/chat/completions`; an answer is `{"choices": [...]}`, a stream one event a word.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tierwise.domain import ToolCall
from tierwise.doubles.gateway.asked import Asked, Endpoint, Turn
from tierwise.doubles.gateway.saying import Ground, Refusal, Say
from tierwise.doubles.gateway.vendor import Account, Moment, RequestRule
from tierwise.doubles.gateway.wire import Chunk, HttpRequest, HttpResponse
from tierwise.providers import Tool

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CHAT = "/v1/chat/completions"
ENDPOINTS = {CHAT: Endpoint.CHAT, "/v1/models": Endpoint.MODELS, "/v1/embeddings": Endpoint.EMBED}
DONE = b"data: [DONE]\n\n"


class ToyVendor:
    """Reads and writes the toy protocol; as pure as a real vendor."""

    name = "openai"
    hosts = ("api.openai.com",)
    environment: Mapping[str, str] = {}
    base_url_variable = "OPENAI_BASE_URL"
    base_path = "/v1"
    rules = (RequestRule(name="model", ground=Ground.DOCUMENTED, says="A model is named."),)

    def find_endpoint(self, http: HttpRequest) -> Endpoint | None:
        """Return what the path asks for."""
        return ENDPOINTS.get(http.path)

    def read(self, endpoint: Endpoint, http: HttpRequest, account: Account) -> Asked | Refusal:
        """Return the request, or a refusal where no model is named."""
        body: dict[str, Any] = json.loads(http.body) if http.body else {"model": ""}
        if account.keys is not None and http.headers.get("authorization") not in account.keys:
            return Refusal(status=401, rule="key")
        if "model" not in body:
            return Refusal(status=400, rule="model", message="no model")
        return Asked(
            vendor=self.name,
            endpoint=endpoint,
            model=body["model"],
            http=http,
            turns=tuple(_turns(body.get("says", ()))),
            tools=tuple(
                Tool(name=t["name"], parameters=t["takes"]) for t in body.get("tools", ())
            ),
            must_call=body.get("must_call"),
            schema=body.get("schema"),
            stream=body.get("stream", False),
            n=body.get("n", 1),
            body=body,
        )

    def say(self, asked: Asked, says: tuple[Say, ...], moment: Moment) -> HttpResponse:
        """Return the choices, or an event a word."""
        if asked.stream:
            words = [f"data: {json.dumps({'word': w})}\n\n".encode() for w in says[0].text.split()]
            return HttpResponse(
                headers=(("content-type", "text/event-stream"),),
                chunks=tuple(Chunk(data) for data in (*words, DONE)),
            )
        choices = [
            {
                "text": say.text,
                "refusal": say.refusal,
                "stop": str(say.why_stopped),
                "calls": [[call.name, dict(call.arguments)] for call in say.tool_calls],
                "embeddings": say.embeddings,
            }
            for say in says
        ]
        return _json({"id": moment.number, "choices": choices})

    def refuse(self, refusal: Refusal, moment: Moment) -> HttpResponse:
        """Return the error."""
        if refusal.body is not None:
            return HttpResponse(status=refusal.status, chunks=(Chunk(refusal.body),))
        told = {"error": refusal.message or f"status {refusal.status}", "id": moment.number}
        after = refusal.retry_after_s
        headers = () if after is None else (("retry-after", f"{after:g}"),)
        return _json(told, status=refusal.status, headers=(*refusal.headers, *headers))

    def error_event(self, asked: Asked, refusal: Refusal) -> bytes:
        """Return the error as an event."""
        return f"event: error\ndata: {json.dumps({'error': refusal.status})}\n\n".encode()


def _json(
    told: object, *, status: int = 200, headers: Sequence[tuple[str, str]] = ()
) -> HttpResponse:
    kind = ("content-type", "application/json")
    body = json.dumps(told).encode()
    return HttpResponse(status=status, headers=(kind, *headers), chunks=(Chunk(body),))


def _turns(says: Sequence[Any]) -> list[Turn]:
    """Return the turns of a conversation: texts of the user, or [role, text, tool] of others."""
    turns = []
    for said in says:
        role, text, *rest = ("user", said) if isinstance(said, str) else said
        name = rest[0] if rest else ""
        calls = (ToolCall(name=name, arguments={}),) if name and role == "assistant" else ()
        turns.append(
            Turn(role=role, text=text, tool_name=name if role == "tool" else "", tool_calls=calls)
        )
    return turns


def ask(*says: Any, **more: Any) -> HttpRequest:
    """Return a request of a client's: `ask("What is the capital?", model="toy-1")`."""
    body = {"model": "toy-1", "says": list(says), **more}
    headers = {"authorization": "Bearer sk-client-secret-0123456789", "content-type": "text/json"}
    return HttpRequest(
        method="POST",
        path=CHAT,
        host="api.openai.com",
        headers=headers,
        body=json.dumps(body).encode(),
    )


def text_of(response: HttpResponse) -> str:
    """Return what the first choice says, or the error."""
    body = json.loads(response.body)
    return str(body["choices"][0]["text"] if "choices" in body else body["error"])
