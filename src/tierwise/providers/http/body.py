"""A request as the body of a chat completion."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tierwise.errors import MisuseError, suggest
from tierwise.providers.http.message import form_message
from tierwise.providers.wire.settings import check_model, check_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.providers.protocol import Request, Tool

_MAX_TOKENS_NAMES = ("max_tokens", "max_completion_tokens")
_OURS = frozenset(
    {
        *_MAX_TOKENS_NAMES,
        "messages",
        "model",
        "n",
        "response_format",
        "stream",
        "stream_options",
        "tools",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What is the same in each body that goes to one server."""

    model: str
    max_tokens_as: str = "max_tokens"
    options: Mapping[str, Any] = field(default_factory=dict)
    owner: str = "HttpProvider"
    """Who asks, for errors."""

    def __post_init__(self) -> None:
        check_model(self.model, owner=self.owner, known_by="its server")
        if self.max_tokens_as not in _MAX_TOKENS_NAMES:
            raise MisuseError(
                f"max_tokens_as of {self.owner} is {self.max_tokens_as!r}."
                f"{suggest(self.max_tokens_as, _MAX_TOKENS_NAMES)}"
            )
        check_options(sorted(_OURS & {*self.options}), owner=self.owner)

    def form_body(self, request: Request[Any], response_format: Mapping[str, Any] | None) -> bytes:
        """Return the body as JSON."""
        return json.dumps(self.form_fields(request, response_format)).encode()

    def form_fields(
        self, request: Request[Any], response_format: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Return the body; what the request leaves out is left out, unless the options say it."""
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [form_message(message) for message in request.messages],
            **self.options,
        }
        if response_format is not None:
            body["response_format"] = response_format
        if request.tools:
            body["tools"] = [_form_tool(tool) for tool in request.tools]
        asked = {
            "temperature": request.temperature,
            self.max_tokens_as: request.max_tokens,
            "seed": request.seed,
        }
        return body | {name: value for name, value in asked.items() if value is not None}


def _form_tool(tool: Tool) -> dict[str, Any]:
    parameters = dict(tool.parameters) or {"type": "object", "properties": {}}
    function = {"name": tool.name, "description": tool.description, "parameters": parameters}
    return {"type": "function", "function": function}
