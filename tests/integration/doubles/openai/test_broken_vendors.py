"""Each fault that is put into the vendor turns a check red, and each rule has its mistake."""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from openai import APIError

from tierwise.doubles.gateway import Gateway
from tierwise.doubles.gateway.openai import OpenAIVendor, vendor as module
from tierwise.doubles.gateway.wire import Chunk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType

    from openai import OpenAI

    from tierwise.doubles.gateway.wire import HttpResponse

    _Alter = Callable[[list[bytes]], Iterable[bytes]]

HERE = Path(__file__).parent


def load(name: str) -> ModuleType:
    """Return a file of checks beside this one."""
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec
    assert spec.loader
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


class Broken(OpenAIVendor):
    """OpenAI with something wrong in what it sends."""

    def __init__(self, alter: _Alter, *, headers: Iterable[str] = ()) -> None:
        super().__init__()
        self._alter = alter
        self._dropped = frozenset(headers)

    def say(self, *args: Any) -> HttpResponse:
        """Say it with the fault."""
        return self._break(super().say(*args))

    def refuse(self, *args: Any) -> HttpResponse:
        """Refuse with the fault."""
        return self._break(super().refuse(*args))

    def _break(self, response: HttpResponse) -> HttpResponse:
        chunks = self._alter([chunk.data for chunk in response.chunks])
        headers = tuple(one for one in response.headers if one[0] not in self._dropped)
        return replace(response, chunks=tuple(map(Chunk, chunks)), headers=headers)


def swap(old: str, new: str) -> _Alter:
    """Return a fault that writes one thing for another."""
    return lambda chunks: [one.replace(old.encode(), new.encode()) for one in chunks]


def drop(mark: str) -> _Alter:
    """Return a fault that leaves events out."""
    return lambda chunks: [one for one in chunks if mark.encode() not in one]


FAULTS: list[tuple[str, _Alter, str, str]] = [
    ("no reason to stop", swap('"finish_reason":"stop"', '"finish_reason":null'),
     "test_chat", "test_a_completion_is_what_the_vendor_sends"),
    ("another reason to stop", swap('"tool_calls"}', '"stop"}'),
     "test_chat", "test_tool_calls_are_parallel_and_have_ids"),
    ("tokens that do not add up", swap('"total_tokens":', '"total_tokens":1'),
     "test_chat", "test_a_completion_is_what_the_vendor_sends"),
    ("no tokens from the cache", swap('"cached_tokens":80', '"cached_tokens":0'),
     "test_chat", "test_usage_is_what_the_rule_says"),
    ("an empty text beside tool calls", swap('"content":null', '"content":""'),
     "test_chat", "test_tool_calls_are_parallel_and_have_ids"),
    ("a refusal that is said", swap('"content":null,"refusal":', '"refusal":null,"content":'),
     "test_chat", "test_a_refusal_stands_beside_no_content"),
    ("no number of the choice", swap('"index":1', '"index":0'),
     "test_chat", "test_n_choices_each_say_their_own"),
    ("arguments that are no JSON", swap('"arguments":"{', '"arguments":"'),
     "test_chat", "test_tool_calls_are_parallel_and_have_ids"),
    ("a message of nobody's", swap('"role":"assistant",', ""),
     "test_chat", "test_a_completion_is_what_the_vendor_sends"),
    ("one index for all calls", swap('"tool_calls":[{"index":1', '"tool_calls":[{"index":0'),
     "test_chat_streams", "test_parallel_tool_calls_come_in_pieces"),
    ("no chunk with the usage", drop('"choices":[]'),
     "test_chat_streams", "test_usage_comes_last_when_it_is_asked_for"),
    ("no end of the stream", drop("[DONE]"),
     "test_chat_streams", "test_the_stream_on_the_wire_ends_with_done"),
    ("no role at the start", swap('"role":"assistant",', ""),
     "test_chat_streams", "test_a_stream_says_the_text_in_pieces"),
    ("no reason at the end", drop('"finish_reason":"'),
     "test_chat_streams", "test_the_stream_helper_puts_it_together"),
    ("a lost piece", drop('" of"'),
     "test_chat_streams", "test_an_async_stream_says_the_same"),
    ("no last event", drop("response.completed"),
     "test_responses_streams", "test_the_stream_helper_puts_it_together"),
    ("no numbers", swap('"sequence_number":', '"sequence_number":0'),
     "test_responses_streams", "test_a_text_begins_grows_and_ends"),
    ("no beginning of a part", drop("response.content_part.added"),
     "test_responses_streams", "test_the_stream_helper_puts_it_together"),
    ("one place for all items", swap('"output_index":1', '"output_index":0'),
     "test_responses_streams", "test_function_calls_come_in_pieces"),
    ("events without a name", swap("event: ", ": "),
     "test_responses_streams", "test_an_event_s_name_is_its_type"),
    ("a response that is never done", swap('"status":"incomplete"', '"status":"completed"'),
     "test_responses", "test_a_response_that_is_cut_is_incomplete"),
    ("no details of the tokens", swap('"input_tokens_details"', '"details"'),
     "test_responses", "test_usage_is_what_the_rule_says"),
    ("one id for call and item", swap('"call_id":"call_', '"call_id":"fc_'),
     "test_responses", "test_function_calls_are_items"),
    ("the wrong order", swap('"index":1', '"index":0'),
     "test_embeddings_and_models", "test_texts_keep_their_order_and_differ"),
    ("no code of the error", swap('"code":"model_not_found"', '"code":null'),
     "test_embeddings_and_models", "test_a_model_that_nobody_has_is_not_found"),
]  # fmt: skip


async def run(check: Callable[..., Any], gateway: Gateway, known: dict[str, Any]) -> None:
    """Run one check with the fixtures that it asks for, the first of its parameters."""
    marks = getattr(check, "pytestmark", [])
    for mark in marks:
        names = mark.args[0] if isinstance(mark.args[0], tuple) else (mark.args[0],)
        values = mark.args[1][-1]
        known = known | dict(zip(names, values if len(names) > 1 else (values,), strict=True))
    needed = inspect.signature(check).parameters
    result = check(**{name: known[name] for name in needed if name != "gateway"}, gateway=gateway)
    if inspect.isawaitable(result):
        await result


@pytest.fixture
def known(
    client: OpenAI, async_client: Any, lenient: OpenAI, ask: list[Any], *, weather: Any, place: Any
) -> dict[str, Any]:
    """Return the fixtures of the checks by name."""
    return {
        "client": client,
        "async_client": async_client,
        "lenient": lenient,
        "ask": ask,
        "weather": weather,
        "place": place,
    }


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: one[0])
async def test_a_fault_is_seen(fault: tuple[str, _Alter, str, str], known: dict[str, Any]) -> None:
    """With the fault the check fails, and without it the same check passes."""
    _, alter, file, name = fault
    check = getattr(load(file), name)
    whole, broken = Gateway(), Gateway(vendors=[Broken(alter)])

    with whole.installed():
        await run(check, whole, known)
    with broken.installed(), pytest.raises(Exception) as caught:  # noqa: PT011  each fails its way
        await run(check, broken, known)

    assert not isinstance(caught.value, NameError | TypeError)


async def test_a_lost_header_is_seen(known: dict[str, Any]) -> None:
    """Without the id of the request the check of headers fails."""
    check = load("test_chat").test_raw_responses_have_the_vendor_s_headers
    gateway = Gateway(vendors=[Broken(lambda chunks: chunks, headers=["x-request-id"])])

    with gateway.installed(), pytest.raises(KeyError):
        await run(check, gateway, known)


def _rules() -> list[tuple[str, str]]:
    return [
        (str(endpoint), check.rule.name)
        for endpoint, checks in module._CHECKS.items()
        for check in checks
    ]


ASK: dict[str, Callable[[OpenAI, dict[str, Any]], Any]] = {
    "chat": lambda client, more: client.chat.completions.create(
        **{"model": "gpt-4.1-mini", "messages": [{"role": "user", "content": "Where?"}]} | more
    ),
    "responses": lambda client, more: client.responses.create(
        **{"model": "gpt-4.1-mini", "input": "Where?"} | more
    ),
    "embed": lambda client, more: client.embeddings.create(
        **{"model": "text-embedding-3-small", "input": "a", "encoding_format": "float"} | more
    ),
}
MISTAKES = {
    "chat": load("test_refused_chats").REFUSED,
    "responses": load("test_refused_responses").REFUSED,
    "embed": load("test_refused_responses").EMBEDDINGS,
}
NO_MISTAKE = {("responses", "no_model")}
"""Asked for by a test of its own: without a model there is no request to compare with."""


@pytest.mark.parametrize(("endpoint", "rule"), _rules())
def test_a_rule_that_is_left_out_is_missed(
    client: OpenAI, monkeypatch: pytest.MonkeyPatch, endpoint: str, rule: str
) -> None:
    """Without one rule its mistakes are no longer refused by it: each rule has a mistake."""
    if (endpoint, rule) in NO_MISTAKE:
        return
    mistakes = [one for one in MISTAKES[endpoint] if one.rule == rule]
    kept = {
        place: tuple(one for one in checks if str(place) != endpoint or one.rule.name != rule)
        for place, checks in module._CHECKS.items()
    }
    monkeypatch.setattr(module, "_CHECKS", kept)
    gateway = Gateway()
    gateway.when(optional=True).say("Yes.")

    with gateway.installed():
        for mistake in mistakes:
            with contextlib.suppress(APIError):  # another rule may refuse it too
                ASK[endpoint](client, mistake.wrong)

    assert mistakes
    assert rule not in {entry.refused for entry in gateway.requests}
    assert None in {entry.refused for entry in gateway.requests}
