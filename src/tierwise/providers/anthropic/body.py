"""A request as the body of one of Anthropic's messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tierwise.errors import MisuseError
from tierwise.providers.wire.body import split_system
from tierwise.providers.wire.settings import check_model, check_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.domain import Message
    from tierwise.providers.protocol import Request, Tool

_OURS = frozenset({"max_tokens", "messages", "model", "stream", "system", "tools"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AnthropicAsking:
    """What is the same in each body that goes to one model."""

    model: str
    max_tokens: int
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_model(self.model, owner="AnthropicProvider", known_by="Anthropic")
        if self.max_tokens < 1:
            raise MisuseError(
                f"max_tokens of AnthropicProvider is {self.max_tokens}; expected 1 or more."
            )
        taken = sorted(_OURS & {*self.options})
        if "format" in (self.options.get("output_config") or {}):
            taken.append("output_config.format")
        check_options(taken, owner="AnthropicProvider")

    def form_body(
        self, request: Request[Any], output_format: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Return the body; what the request leaves out is left out, unless the options say it."""
        system, turns = split_system(request.messages)
        body: dict[str, Any] = {
            "model": self.model,
            "max_tokens": request.max_tokens or self.max_tokens,
            "messages": form_messages(turns),
            **self.options,
        }
        if system:
            body["system"] = "\n".join(message.content for message in system)
        if output_format is not None:
            body["output_config"] = {**body.get("output_config", {}), "format": output_format}
        if request.tools:
            body["tools"] = [_form_tool(tool) for tool in request.tools]
        if request.temperature is not None:
            body["temperature"] = request.temperature
        return body


def form_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return the turns as Anthropic writes them: results of tools are the user's blocks.

    Results that follow each other, and what the user says after them, make one turn: Anthropic
    wants all results of one turn in the next one.
    """
    formed: list[dict[str, Any]] = []
    for message in messages:
        role = "user" if message.role == "tool" else message.role
        is_after_results = bool(formed) and _ends_with_result(formed[-1])
        if role == "user" and is_after_results:
            formed[-1]["content"] += _form_blocks(message)
        elif message.role == "tool" or message.tool_calls:
            formed.append({"role": role, "content": _form_blocks(message)})
        else:
            formed.append({"role": role, "content": message.content})
    return formed


def _ends_with_result(formed: Mapping[str, Any]) -> bool:
    content = formed["content"]
    return isinstance(content, list) and content[-1]["type"] == "tool_result"


def _form_blocks(message: Message) -> list[dict[str, Any]]:
    if message.role == "tool":
        return [
            {
                "type": "tool_result",
                "tool_use_id": message.tool_call_id or "",
                "content": message.content,
            }
        ]
    # An empty text is no block: Anthropic refuses one.
    said = [{"type": "text", "text": message.content}] if message.content else []
    return said + [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": dict(call.arguments)}
        for call in message.tool_calls
    ]


def _form_tool(tool: Tool) -> dict[str, Any]:
    schema = dict(tool.parameters) or {"type": "object", "properties": {}}
    described = {"description": tool.description} if tool.description else {}
    return {"name": tool.name, **described, "input_schema": schema}
