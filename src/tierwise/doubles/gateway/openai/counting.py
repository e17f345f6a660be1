"""How many tokens were read and written, where the scenario does not say it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tierwise.domain import Usage
from tierwise.providers import count_tokens

if TYPE_CHECKING:
    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.saying import Say

_PER_TURN = 3
_PER_MEDIA = 85
"""What an image of low detail counts for."""


def count_input(asked: Asked) -> int:
    """Return the tokens of all that the model reads: turns, media, tools and schema."""
    count = sum(
        _PER_TURN
        + count_tokens(turn.text)
        + _PER_MEDIA * len(turn.media)
        + sum(count_tokens(f"{one.name} {dict(one.arguments)}") for one in turn.tool_calls)
        for turn in asked.turns
    )
    for tool in asked.tools:
        count += count_tokens(
            f"{tool.name} {tool.description} {json.dumps(dict(tool.parameters))}"
        )
    return count + (count_tokens(json.dumps(asked.schema)) if asked.schema else 0)


def count_usage(asked: Asked, says: tuple[Say, ...]) -> Usage:
    """Return the usage of one response: said by the scenario, or counted for all choices."""
    told = [say.usage for say in says if say.usage is not None]
    if told and len(told) == len(says):
        return Usage(
            input_tokens=told[0].input_tokens,
            cached_input_tokens=told[0].cached_input_tokens,
            output_tokens=sum(one.output_tokens for one in told),
            reasoning_tokens=sum(one.reasoning_tokens for one in told),
        )
    thought = sum(count_tokens(say.thinking) for say in says if say.thinking)
    return Usage(
        input_tokens=count_input(asked),
        output_tokens=thought + sum(map(_count_said, says)),
        reasoning_tokens=thought,
    )


def _count_said(say: Say) -> int:
    calls = sum(count_tokens(f"{call.name} {dict(call.arguments)}") for call in say.tool_calls)
    return count_tokens(say.text) + count_tokens(say.refusal or "") + calls
