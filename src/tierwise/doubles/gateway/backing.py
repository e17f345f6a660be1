"""A provider of tierwise behind a vendor's protocol: a local model that any client can call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import RootModel

from tierwise.domain import Message
from tierwise.doubles.gateway.saying import Refusal, Say, Stop
from tierwise.providers import Failure, FailureKind, Request

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel

    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.steps import Found, Situation
    from tierwise.providers import Answer, Provider

_STATUS: Mapping[FailureKind, int] = {
    FailureKind.TIMEOUT: 504,
    FailureKind.UNAVAILABLE: 503,
    FailureKind.GARBLED: 502,
    FailureKind.BUSY: 429,
    FailureKind.RETIRED: 404,
    FailureKind.NOT_FOUND: 404,
    FailureKind.NO_ENTITLEMENT: 403,
    FailureKind.AUTH: 401,
    FailureKind.BAD_REQUEST: 400,
    FailureKind.EXHAUSTED: 400,
}
"""How a vendor refuses where a provider fails; the other kinds are answers of the model."""


class Backed:
    """Has a provider answer; its failures become the vendor's refusals."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    async def find(self, asked: Asked, situation: Situation) -> Found:
        """Ask the provider once for each choice."""
        del situation
        says = []
        for _ in range(asked.n):
            reply: Answer[Any] | Failure = await self._provider.generate(form_request(asked))
            if isinstance(reply, Failure) and reply.kind in _STATUS:
                return Refusal(
                    status=_STATUS[reply.kind],
                    message=f"{self._provider.name}: {reply.message}",
                    retry_after_s=reply.retry_after_s,
                )
            says.append(_say(reply))
        return tuple(says)


def _say(reply: Answer[Any] | Failure) -> Say:
    if not isinstance(reply, Failure):
        return Say(text=reply.text, tool_calls=reply.tool_calls, usage=reply.usage)
    if reply.kind is FailureKind.REFUSED:
        return Say(refusal=reply.text or reply.message, usage=reply.usage)
    stop = Stop.LENGTH if reply.kind is FailureKind.CUT_OFF else None
    return Say(text=reply.text, stop=stop, usage=reply.usage)


def form_request(asked: Asked) -> Request[Any]:
    """Return what was asked of the vendor as a provider takes it."""
    temperature, seed = asked.body.get("temperature"), asked.body.get("seed")
    return Request(
        messages=tuple(
            Message(
                role=turn.role,  # type: ignore[arg-type]  # a role of the domain, says `Turn`
                content=turn.text,
                tool_calls=turn.tool_calls,
                tool_call_id=turn.tool_call_id or None,
            )
            for turn in asked.turns
        ),
        schema=None if asked.schema is None else _class_of(asked.schema),
        tools=asked.tools,
        temperature=temperature if isinstance(temperature, int | float) else None,
        max_tokens=asked.max_tokens,
        seed=seed if isinstance(seed, int) else None,
        purpose="gateway",
    )


def _class_of(schema: Mapping[str, Any]) -> type[BaseModel]:
    """Return a class that stands for a JSON schema: a provider enforces what it reads there.

    It accepts any JSON; whether a reply keeps the schema is the client's to find out.
    """
    written = dict(schema)

    class Shaped(RootModel[Any]):
        @classmethod
        def model_json_schema(cls, *_args: Any, **_how: Any) -> dict[str, Any]:  # noqa: ANN401
            return written

    Shaped.__name__ = Shaped.__qualname__ = str(schema.get("title") or "Reply")
    return Shaped
