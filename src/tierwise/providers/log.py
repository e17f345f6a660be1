"""What was asked and what came of it, kept as copies in the order in which calls began."""

from __future__ import annotations

import asyncio
import copy
import json
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tierwise.domain import Exchange
from tierwise.providers.protocol import Answer, Failure, Request

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tierwise.providers.protocol import T


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a provider: the request as it was when the call began, and its end."""

    request: Request[Any]
    reply: Answer[Any] | Failure | None = None
    """None while the call is under way, and when it raised."""
    raised: str | None = None
    """`cancelled`, or `raised:ValueError` with the name of the exception's class."""


class CallLog:
    """Keeps calls; safe to use from several tasks and threads at once."""

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._lock = threading.Lock()

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls so far, failures and exceptions too, in the order in which they began."""
        with self._lock:
            return tuple(self._calls)

    async def keep(
        self,
        request: Request[T],
        answer: Callable[[Request[T]], Awaitable[Answer[T] | Failure]],
    ) -> Answer[T] | Failure:
        """Answer the request and keep both; what is raised is kept and raised on."""
        index = self._begin(Call(request=copy_request(request)))
        try:
            reply = await answer(request)
        except BaseException as error:
            self._end(index, reply=None, raised=_name_error(error))
            raise
        self._end(index, reply=copy.deepcopy(reply), raised=None)
        return reply

    def _begin(self, call: Call) -> int:
        with self._lock:
            self._calls.append(call)
            return len(self._calls) - 1

    def _end(self, index: int, *, reply: Answer[Any] | Failure | None, raised: str | None) -> None:
        with self._lock:
            self._calls[index] = replace(self._calls[index], reply=reply, raised=raised)


def copy_request(request: Request[T]) -> Request[T]:
    """Return a request that shares nothing with the caller but the schema class."""
    return replace(
        request,
        messages=tuple(copy.deepcopy(list(request.messages))),
        tools=tuple(copy.deepcopy(list(request.tools))),
    )


def _name_error(error: BaseException) -> str:
    if isinstance(error, asyncio.CancelledError):
        return "cancelled"
    return f"raised:{type(error).__name__}"


def form_exchange(call: Call, *, provider: str) -> Exchange:
    """Return a call as an exchange; `failure` is `in_flight` while there is no end to it."""
    reply = call.reply
    common = Exchange(
        prompt=call.request.messages,
        reply="" if reply is None else reply.text,
        purpose=call.request.purpose,
        viewer=call.request.viewer,
        provider=provider,
        attached=_attach(call.request),
    )
    if reply is None:
        return replace(common, failure=call.raised or "in_flight")
    timed = replace(common, model=reply.model, usage=reply.usage, latency_s=reply.latency_s)
    if isinstance(reply, Failure):
        return replace(timed, failure=reply.kind.value)
    data = None if reply.data is None else _dump(reply.data)
    return replace(timed, data=data, tool_calls=reply.tool_calls)


def _attach(request: Request[Any]) -> str:
    parts: list[Any] = [
        {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
        for tool in request.tools
    ]
    if request.schema is not None:
        parts.append(request.schema.model_json_schema())
    texts = [json.dumps(part, ensure_ascii=False, default=str) for part in parts]
    return "\n".join(texts)


def _dump(data: Any) -> dict[str, Any]:  # noqa: ANN401  a pydantic object of any class
    dumped = data.model_dump(mode="json", warnings=False)
    # A RootModel dumps to whatever it holds; a record's data is a mapping.
    return dumped if isinstance(dumped, dict) else {"root": dumped}
