"""A response as OpenAI streams it: an event for each thing that begins, grows and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.openai import encoding
from tierwise.doubles.gateway.openai.responses_saying import (
    form_base,
    form_response,
    form_text_part,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.saying import Say
    from tierwise.doubles.gateway.vendor import Moment

    _Item = dict[str, Any]
    _Event = tuple[str, Mapping[str, Any] | str]
    """Its type, and its fields: as they are, or written already."""


def form_events(asked: Asked, say: Say, moment: Moment) -> Iterator[bytes]:
    """Return the events, numbered from 0."""
    for number, (kind, fields) in enumerate(_events(asked, say, moment)):
        yield (
            f'event: {kind}\ndata: {{"type":"{kind}",{_write(fields)},'
            f'"sequence_number":{number}}}\n\n'
        ).encode()


def _write(fields: Mapping[str, Any] | str) -> str:
    return fields if isinstance(fields, str) else encoding.dump(fields)[1:-1]


def _events(asked: Asked, say: Say, moment: Moment) -> Iterator[_Event]:
    begun = form_base(asked, say, moment)
    yield "response.created", {"response": begun}
    yield "response.in_progress", {"response": begun}
    finished = form_response(asked, say, moment)
    for index, item in enumerate(finished["output"]):
        place = {"output_index": index}
        yield "response.output_item.added", {**place, "item": _begin(item)}
        yield from _GROWTH[item["type"]](item, say, {"item_id": item["id"], **place})
        yield "response.output_item.done", {**place, "item": item}
    yield f"response.{finished['status']}", {"response": finished}


def _begin(item: _Item) -> _Item:
    if item["type"] == "message":
        return {**item, "status": "in_progress", "content": []}
    if item["type"] == "function_call":
        return {**item, "status": "in_progress", "arguments": ""}
    if item["type"] == "custom_tool_call":
        return {**item, "status": "in_progress", "input": ""}
    return {**item, "summary": []}


def _grow_reasoning(item: _Item, _: Say, place: _Item) -> Iterator[_Event]:
    for index, part in enumerate(item["summary"]):
        where = {**place, "summary_index": index}
        begun = {"type": "summary_text", "text": ""}
        yield "response.reasoning_summary_part.added", {**where, "part": begun}
        for piece in encoding.cut_words(part["text"]):
            yield "response.reasoning_summary_text.delta", {**where, "delta": piece}
        yield "response.reasoning_summary_text.done", {**where, "text": part["text"]}
        yield "response.reasoning_summary_part.done", {**where, "part": part}


def _grow_message(item: _Item, say: Say, place: _Item) -> Iterator[_Event]:
    for index, part in enumerate(item["content"]):
        where = {**place, "content_index": index}
        if part["type"] == "refusal":
            empty = {"type": "refusal", "refusal": ""}
            growth = _grow_refusal(part["refusal"], where)
        else:
            empty = form_text_part("")
            growth = _grow_text(part["text"], encoding.cut_text(say), where)
        yield "response.content_part.added", {**where, "part": empty}
        yield from growth
        yield "response.content_part.done", {**where, "part": part}


def _grow_text(text: str, pieces: Iterable[str], where: _Item) -> Iterator[_Event]:
    # There are many of these: what they share is written once.
    shared = _write({**where, "logprobs": []})
    for piece in pieces:
        yield "response.output_text.delta", f'{shared},"delta":{encoding.dump(piece)}'
    yield "response.output_text.done", {**where, "text": text, "logprobs": []}


def _grow_refusal(text: str, where: _Item) -> Iterator[_Event]:
    for piece in encoding.cut_words(text):
        yield "response.refusal.delta", {**where, "delta": piece}
    yield "response.refusal.done", {**where, "refusal": text}


def _grow_call(item: _Item, _: Say, place: _Item) -> Iterator[_Event]:
    for piece in encoding.cut_arguments(item["arguments"]):
        yield "response.function_call_arguments.delta", {**place, "delta": piece}
    told = {"name": item["name"], "arguments": item["arguments"]}
    yield "response.function_call_arguments.done", {**place, **told}


def _grow_custom_call(item: _Item, _: Say, place: _Item) -> Iterator[_Event]:
    for piece in encoding.cut_arguments(item["input"]):
        yield "response.custom_tool_call_input.delta", {**place, "delta": piece}
    yield "response.custom_tool_call_input.done", {**place, "input": item["input"]}


_GROWTH = {
    "reasoning": _grow_reasoning,
    "message": _grow_message,
    "function_call": _grow_call,
    "custom_tool_call": _grow_custom_call,
}
