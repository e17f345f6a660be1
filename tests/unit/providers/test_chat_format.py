from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from tierwise.domain import Message, ToolCall, Usage
from tierwise.providers import Answer, Failure, FailureKind, Request
from tierwise.providers.local.chat_format import form_grammar_schema, form_payload, read_chunks
from tierwise.providers.local.provider import choose_threads


class Move(BaseModel):
    to: str


def ask(**fields: Any) -> Request[Any]:
    return Request(messages=(Message(role="user", content="go"),), **fields)


def payload(request: Request[Any], grammar: str | None = None) -> dict[str, Any]:
    return form_payload(request, max_tokens=50, grammar=grammar, reuse_prompts=False)


def chunks(text: str, finish: str | None = "stop") -> list[dict[str, Any]]:
    return [
        {"choices": [{"delta": {"role": "assistant", "content": None}, "finish_reason": None}]},
        *({"choices": [{"delta": {"content": c}, "finish_reason": None}]} for c in text),
        {"choices": [{"delta": {}, "finish_reason": finish}]},
        {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
    ]


@pytest.mark.parametrize(("cores", "threads"), [(None, 1), (1, 1), (2, 1), (4, 2), (64, 4)])
def test_half_the_cores_compute(cores: int | None, threads: int) -> None:
    """Some cores are left to whatever else runs: spinning threads suffer most from company."""
    assert choose_threads(cores) == threads


def test_what_the_request_leaves_out_is_left_to_the_engine() -> None:
    """No temperature, seed or grammar is sent that was not asked for."""
    sent = payload(ask())
    assert not {"temperature", "seed", "grammar"} & set(sent)
    assert sent["max_tokens"] == 50
    assert sent["cache_prompt"] is False


def test_parameters_are_passed() -> None:
    """Temperature, seed, max_tokens and grammar arrive as given; 0.0 is a temperature."""
    sent = payload(ask(temperature=0.0, seed=7, max_tokens=5), "root ::= x")
    assert (sent["temperature"], sent["seed"], sent["max_tokens"]) == (0.0, 7, 5)
    assert sent["grammar"] == "root ::= x"


@pytest.mark.parametrize("seed", [-1, 2**32 - 1, 2**64, 0])
def test_no_seed_means_a_random_one(seed: int) -> None:
    """Every seed is brought below the engine's value for `random`."""
    assert 0 <= payload(ask(seed=seed))["seed"] < 2**32 - 1


def test_labels_never_reach_the_model() -> None:
    """Purpose and viewer are for the record and are not sent."""
    sent = payload(ask(purpose="judge-purpose", viewer="viewer-mira"))
    assert "judge-purpose" not in repr(sent)
    assert "viewer-mira" not in repr(sent)


def test_tool_turns_are_spelt_as_the_engine_reads_them() -> None:
    """Tool calls and tool results keep their ids and arguments."""
    call = ToolCall(name="look", arguments={"at": "inn"}, id="c1")
    request = Request[Move](
        messages=(
            Message(role="assistant", content="", tool_calls=(call,)),
            Message(role="tool", content="dark", tool_call_id="c1"),
        )
    )
    asked, told = payload(request)["messages"]
    assert asked["tool_calls"][0]["function"] == {"name": "look", "arguments": '{"at": "inn"}'}
    assert told == {"role": "tool", "content": "dark", "tool_call_id": "c1"}


def test_objects_are_closed_and_blanks_forbidden() -> None:
    """Every object of the grammar is closed unless it says otherwise, at any depth."""

    class Inner(BaseModel):
        properties: str

    class Outer(BaseModel):
        inner: Inner
        free: dict[str, int]

    schema = form_grammar_schema(Outer.model_json_schema())
    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Inner"]["additionalProperties"] is False
    assert schema["properties"]["free"]["additionalProperties"] == {"type": "integer"}
    assert "additionalProperties" not in schema["$defs"]["Inner"]["properties"]
    assert schema["x-guidance"]["whitespace_flexible"] is False


def test_patterns_that_are_no_regular_language_are_dropped() -> None:
    """Look-around would void the whole grammar; other patterns stay."""
    kept = {"type": "string", "pattern": "^(?:a|b)$"}
    assert form_grammar_schema(kept)["pattern"] == "^(?:a|b)$"
    assert "pattern" not in form_grammar_schema({"type": "string", "pattern": "^(?!a)b$"})


def test_chunks_become_an_answer() -> None:
    """Pieces of text are joined, checked, and counted."""
    reply = read_chunks(chunks('{"to":"inn"}'), ask(schema=Move), model="m")
    assert isinstance(reply, Answer)
    assert reply.data == Move(to="inn")
    assert reply.usage == Usage(input_tokens=3, output_tokens=4)
    assert reply.model == "m"


def test_a_full_slot_cuts_off_and_keeps_the_text() -> None:
    """Finish reason `length` is `cut_off`, with what was said so far."""
    reply = read_chunks(chunks('{"to":"i', "length"), ask(schema=Move), model="m")
    assert isinstance(reply, Failure)
    assert (reply.kind, reply.text) == (FailureKind.CUT_OFF, '{"to":"i')
    assert reply.usage.output_tokens == 4


def test_plain_text_may_be_anything() -> None:
    """Without a schema there is no data and nothing to break."""
    reply = read_chunks(chunks("hello"), ask(), model="m")
    assert isinstance(reply, Answer)
    assert (reply.text, reply.data) == ("hello", None)


def test_what_the_grammar_let_through_is_still_checked() -> None:
    """JSON of another shape is the model's mismatch."""
    reply = read_chunks(chunks('{"at":1}'), ask(schema=Move), model="m")
    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.SCHEMA_MISMATCH


def test_no_json_under_a_grammar_is_not_blamed_on_the_model() -> None:
    """Free text where a grammar was set means that there was no grammar: our request's fault."""
    reply = read_chunks(chunks("Sure!"), ask(schema=Move), model="m")
    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.BAD_REQUEST
    assert "Move" in reply.message


def test_a_stream_that_breaks_off_is_unavailable() -> None:
    """A reply without a finish reason is not taken for a whole one."""
    for said in ([], chunks('{"to":"inn"}', None)):
        reply = read_chunks(said, ask(schema=Move), model="m")
        assert isinstance(reply, Failure)
        assert reply.kind is FailureKind.UNAVAILABLE


def test_errors_of_the_engine_are_failures() -> None:
    """A prompt too long names both sizes; 400 is our fault, the rest is the engine's."""
    long = {
        "code": 400,
        "type": "exceed_context_size_error",
        "n_prompt_tokens": 900,
        "n_ctx": 512,
    }
    kinds = []
    for error in (long, {"code": 400, "message": "bad"}, {"code": 500, "message": "oops"}):
        reply = read_chunks([{"error": error}], ask(), model="m")
        assert isinstance(reply, Failure)
        kinds.append(reply.kind.value)
        if error is long:
            assert "900" in reply.message
            assert "512" in reply.message
    assert kinds == ["bad_request", "bad_request", "unavailable"]
