"""What was asked and what came of it, kept as copies in the order in which calls began."""

from __future__ import annotations

import asyncio
import copy
import json
import threading
import weakref
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tierwise.domain import Attempt, Exchange, Message
from tierwise.providers.protocol import Answer, Failure, Request

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from tierwise.domain import ToolCall
    from tierwise.providers.protocol import T


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a provider: the request as it was when the call began, and its end."""

    request: Request[Any]
    reply: Answer[Any] | Failure | None = None
    """None while the call is under way, and when it raised."""
    raised: str | None = None
    """`cancelled`, or `raised:ValueError` with the name of the exception's class."""
    attempts: tuple[Attempt, ...] = ()
    """Empty when nobody counted them."""
    cost_usd: float | None = None


class CallLog:
    """Keeps calls; safe to use from several tasks and threads at once.

    With `keeps=False` it keeps none: a run of a million trials has them in its store.
    """

    def __init__(self, *, keeps: bool = True) -> None:
        self._keeps = keeps
        self._calls: list[Call] = []
        self._lock = threading.Lock()
        self._attachments = Attachments()

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls so far, failures and exceptions too, in the order in which they began."""
        with self._lock:
            return tuple(self._calls)

    def exchanges(self, provider: str) -> tuple[Exchange, ...]:
        """Return all calls as exchanges with this provider."""
        return tuple(
            form_exchange(call, provider=provider, attached=self._attachments.of(call.request))
            for call in self.calls
        )

    async def keep(
        self,
        request: Request[T],
        answer: Callable[[Request[T]], Awaitable[Answer[T] | Failure]],
    ) -> Answer[T] | Failure:
        """Answer the request and keep both; what is raised is kept and raised on."""
        if not self._keeps:
            return await answer(request)
        index = self._begin(Call(request=copy_request(request)))
        try:
            reply = await answer(request)
        except BaseException as error:
            self._end(index, reply=None, raised=name_error(error))
            raise
        self._end(index, reply=_copy_reply(reply), raised=None)
        return reply

    def _begin(self, call: Call) -> int:
        with self._lock:
            self._calls.append(call)
            return len(self._calls) - 1

    def _end(self, index: int, *, reply: Answer[Any] | Failure | None, raised: str | None) -> None:
        with self._lock:
            self._calls[index] = replace(self._calls[index], reply=reply, raised=raised)


def copy_request(request: Request[T]) -> Request[T]:
    """Return a request that shares nothing mutable with the caller but the schema class."""
    messages, tools = _copy_messages(request.messages), request.tools
    if tools:
        tools = tuple(copy.deepcopy(list(tools)))
    if messages is request.messages and not tools:
        return request
    return replace(request, messages=messages, tools=tools)


def _copy_messages(messages: Sequence[Message]) -> tuple[Message, ...]:
    # Messages are frozen: only the arguments of tool calls can change under a log's hands.
    if type(messages) is tuple and not any(_is_mutable(message) for message in messages):
        return messages
    return tuple(
        copy.deepcopy(message) if _is_mutable(message) else message for message in messages
    )


def _is_mutable(message: Message) -> bool:
    return type(message) is not Message or bool(message.tool_calls)


def _copy_reply(reply: Answer[T] | Failure) -> Answer[T] | Failure:
    if isinstance(reply, Failure) or (reply.data is None and not reply.tool_calls):
        return reply
    return replace(
        reply, data=copy.deepcopy(reply.data), tool_calls=copy_tool_calls(reply.tool_calls)
    )


def copy_tool_calls(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Return the calls with arguments of their own."""
    return tuple(copy.deepcopy(list(calls))) if calls else ()


def name_error(error: BaseException) -> str:
    """Return how a call is kept that ended in an exception."""
    if isinstance(error, asyncio.CancelledError):
        return "cancelled"
    return f"raised:{type(error).__name__}"


def form_exchange(call: Call, *, provider: str, attached: str) -> Exchange:
    """Return a call as an exchange; `failure` is `in_flight` while there is no end to it."""
    request, reply = call.request, call.reply
    if reply is None:
        return Exchange(
            prompt=request.messages,
            reply="",
            purpose=request.purpose,
            viewer=request.viewer,
            provider=provider,
            failure=call.raised or "in_flight",
            attempts=call.attempts,
            cost_usd=call.cost_usd,
            attached=attached,
        )
    answer = reply if isinstance(reply, Answer) else None
    failure = reply if isinstance(reply, Failure) else None
    return Exchange(
        prompt=request.messages,
        reply=reply.text,
        purpose=request.purpose,
        viewer=request.viewer,
        data=None if answer is None or answer.data is None else _dump(answer.data),
        failure=None if failure is None else failure.kind.value,
        provider=provider,
        model=reply.model,
        usage=reply.usage,
        latency_s=reply.latency_s,
        attempts=call.attempts,
        source=reply.source,
        cost_usd=call.cost_usd,
        attached=attached,
        tool_calls=() if answer is None else answer.tool_calls,
    )


class Attachments:
    """Writes out what goes to a model beside the prompt; each schema once.

    A schema takes some 0.1 ms to write, and a run asks for the same few in each of its trials.
    """

    def __init__(self) -> None:
        self._schemas: weakref.WeakKeyDictionary[type, str] = weakref.WeakKeyDictionary()

    def of(self, request: Request[Any]) -> str:
        """Return the tools and the schema of a request as JSON, a line each."""
        if not request.tools and request.schema is None:
            return ""
        texts = [
            _to_json(
                {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": dict(tool.parameters),
                }
            )
            for tool in request.tools
        ]
        if request.schema is not None:
            texts.append(self._write(request.schema))
        return "\n".join(texts)

    def _write(self, schema: type[Any]) -> str:
        text = self._schemas.get(schema)
        if text is None:
            text = self._schemas[schema] = _to_json(schema.model_json_schema())
        return text


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _dump(data: Any) -> dict[str, Any]:  # noqa: ANN401  a pydantic object of any class
    dumped = data.model_dump(mode="json", warnings=False)
    # A RootModel dumps to whatever it holds; a record's data is a mapping.
    return dumped if isinstance(dumped, dict) else {"root": dumped}
