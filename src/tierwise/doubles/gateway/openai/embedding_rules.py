"""What OpenAI refuses in a request for embeddings, beyond the types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.openai import checks
from tierwise.doubles.gateway.openai.known_models import DIMENSIONS
from tierwise.doubles.gateway.openai.problems import (
    Problem,
    empty_array,
    long_array,
    out_of_range,
)
from tierwise.doubles.gateway.saying import Ground
from tierwise.providers import count_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.doubles.gateway.openai.checks import Body

_MOST_INPUTS = 2048
_MOST_TOKENS = 8192
_ADA = "text-embedding-ada-002"


def list_inputs(body: Body) -> list[Any]:
    """Return what is to be embedded, one by one: a text or a list of tokens each."""
    found = body["input"]
    is_one = isinstance(found, str) or (found and isinstance(found[0], int))
    return [found] if is_one else list(found)


def _nothing(body: Body) -> Iterator[Problem]:
    if body["input"] == []:
        yield empty_array("input")
    if any(not one for one in list_inputs(body)):
        yield Problem(message="'$.input' is invalid. Please check the API reference.")


def _too_many(body: Body) -> Iterator[Problem]:
    inputs = list_inputs(body)
    if len(inputs) > _MOST_INPUTS:
        yield long_array("input", len(inputs), most=_MOST_INPUTS)


def _too_long(body: Body) -> Iterator[Problem]:
    for one in list_inputs(body):
        length = count_tokens(one) if isinstance(one, str) else len(one)
        if length > _MOST_TOKENS:
            yield Problem(
                message=f"This model's maximum context length is {_MOST_TOKENS} tokens, however "
                f"you requested {length} tokens ({length} in your prompt; 0 for the completion). "
                "Please reduce your prompt; or completion length."
            )


def _dimensions(body: Body) -> Iterator[Problem]:
    wanted, model = body.get("dimensions"), body["model"]
    if wanted is None:
        return
    if model == _ADA:
        yield Problem(message="This model does not support specifying dimensions.")
    if wanted < 1:
        yield out_of_range("dimensions", wanted, low=1, high=None)
    most = DIMENSIONS.get(model)
    if most is not None and wanted > most:
        yield Problem(
            message=f"Invalid value for 'dimensions' = {wanted}. Must be less than or equal to "
            f"{most}.",
            param="dimensions",
        )


EMBEDDING_CHECKS = (
    checks.check("no_text", "no text is empty", _nothing, ground=Ground.OBSERVED),
    checks.check("many_texts", "there are at most 2048 texts", _too_many),
    checks.check("long_text", "a text has at most 8192 tokens", _too_long),
    checks.check("dimensions", "the model can have so many dimensions", _dimensions),
)
