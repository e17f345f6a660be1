"""The validators of the SDK's types, each built when it is first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.asked import Endpoint
from tierwise.doubles.gateway.openai.typed import build_validator

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator


class Validators:
    """Validators by endpoint; those for the larger types take a while to build."""

    def __init__(self) -> None:
        self._built: dict[Endpoint, SchemaValidator] = {}

    def find(self, endpoint: Endpoint) -> SchemaValidator:
        """Return the validator of what is sent to an endpoint."""
        found = self._built.get(endpoint)
        if found is None:
            found = self._built[endpoint] = build_validator(_find_params(endpoint))
        return found


def _find_params(endpoint: Endpoint) -> Any:  # noqa: ANN401  a TypedDict
    if endpoint is Endpoint.CHAT:
        from openai.types.chat import completion_create_params  # noqa: PLC0415  needs an extra

        return completion_create_params.CompletionCreateParamsNonStreaming
    if endpoint is Endpoint.RESPONSES:
        from openai.types.responses import response_create_params  # noqa: PLC0415

        return response_create_params.ResponseCreateParamsNonStreaming
    if endpoint is Endpoint.COUNT_TOKENS:
        from openai.types.responses import input_token_count_params  # noqa: PLC0415

        return input_token_count_params.InputTokenCountParams
    from openai.types import embedding_create_params  # noqa: PLC0415

    return embedding_create_params.EmbeddingCreateParams
