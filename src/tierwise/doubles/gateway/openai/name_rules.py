"""How long and of which letters names and ids in a chat may be, and how many tools there are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tierwise.doubles.gateway.openai import checks
from tierwise.doubles.gateway.openai.problems import long_array, long_string, wrong_pattern
from tierwise.doubles.gateway.saying import Ground

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.doubles.gateway.openai.checks import Body
    from tierwise.doubles.gateway.openai.problems import Problem

_MOST_TOOLS = 128
_LONGEST_ID = 40
_SPEAKER_PATTERN = r"^[^\s<|\\/>]+$"
_SPEAKER = re.compile(_SPEAKER_PATTERN)


def _many_tools(body: Body) -> Iterator[Problem]:
    n_tools = len(body.get("tools") or ())
    if n_tools > _MOST_TOOLS:
        yield long_array("tools", n_tools, most=_MOST_TOOLS)


def _bad_names(body: Body) -> Iterator[Problem]:
    for index, message in enumerate(body["messages"]):
        param = f"messages[{index}]"
        name, identifier = message.get("name"), message.get("tool_call_id") or ""
        if name is not None and not _SPEAKER.fullmatch(name):
            yield wrong_pattern(f"{param}.name", _SPEAKER_PATTERN)
        if len(identifier) > _LONGEST_ID:
            yield long_string(f"{param}.tool_call_id", len(identifier), most=_LONGEST_ID)
        yield from _bad_calls(message, param)


def _bad_calls(message: Body, param: str) -> Iterator[Problem]:
    for index, call in enumerate(message.get("tool_calls") or ()):
        inner = f"{param}.tool_calls[{index}]"
        if len(call["id"]) > _LONGEST_ID:
            yield long_string(f"{inner}.id", len(call["id"]), most=_LONGEST_ID)
        if call["type"] == "function":
            yield from checks.find_bad_name(f"{inner}.function.name", call["function"]["name"])


NAME_CHECKS = (
    checks.check("many_tools", "there are at most 128 tools", _many_tools, ground=Ground.OBSERVED),
    checks.check(
        "bad_name",
        "names and ids of turns and calls are short and of plain letters",
        _bad_names,
        ground=Ground.OBSERVED,
    ),
)
