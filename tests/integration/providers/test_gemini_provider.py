"""What Gemini alone does, against Gemini in a box; see test_vendor_*.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sdk_vendors import GEMINI, WEATHER, Note, SdkVendor, ask, plain

from tierwise.domain import Message, ToolCall, Usage
from tierwise.providers import Answer, Failure, FailureKind, Request, Tool

if TYPE_CHECKING:
    from sdk_vendors import Make

    from tierwise.gateway import Gateway


@pytest.fixture
def vendor() -> SdkVendor:
    """Take this one alone."""
    return GEMINI


async def test_a_text_is_an_answer(gateway: Gateway, make: Make) -> None:
    """Text, tokens and model are the vendor's, and the whole request is what was asked."""
    usage = Usage(input_tokens=12, output_tokens=3)
    gateway.when(model=GEMINI.model).say("Here.", usage=usage)

    reply = await make().generate(
        Request(
            messages=(
                Message(role="system", content="Be brief."),
                Message(role="system", content="Be kind."),
                Message(role="user", content="Where is it?"),
            ),
            temperature=0.5,
            max_tokens=50,
            seed=2**31 + 7,
        )
    )

    assert plain(reply) == Answer(text="Here.", usage=usage, model=GEMINI.model)
    assert gateway.requests.only().json == {
        "contents": [{"role": "user", "parts": [{"text": "Where is it?"}]}],
        "systemInstruction": {"role": "user", "parts": [{"text": "Be brief.\nBe kind."}]},
        "generationConfig": {"temperature": 0.5, "maxOutputTokens": 50, "seed": 7},
    }


async def test_the_sdk_speaks_for_itself(gateway: Gateway, make: Make) -> None:
    """Key, path and user agent go out as the SDK sends them."""
    gateway.when().say("Here.")

    await make().generate(ask())

    sent = gateway.requests.only().raw
    assert sent.headers["x-goog-api-key"] == GEMINI.key
    assert "google-genai-sdk" in sent.headers["user-agent"]
    assert sent.path == f"/v1/models/{GEMINI.model}:generateContent"


async def test_a_version_in_the_address_is_kept(gateway: Gateway, make: Make) -> None:
    """An address may end in the version that is meant."""
    gateway.when().say("Here.")

    await make(base_url=f"{GEMINI.url}/v1beta").generate(ask())

    assert gateway.requests.only().raw.path.startswith("/v1beta/models/")


async def test_a_schema_is_structured_output(gateway: Gateway, make: Make) -> None:
    """The schema goes out as a JSON schema, and comes back as an instance."""
    usage = Usage(input_tokens=5, output_tokens=9)
    gateway.when(schema=True).say('{"title": "Rom", "stars": 3}', usage=usage)

    reply = await make().generate(ask(schema=Note))

    assert plain(reply) == Answer(
        text='{"title": "Rom", "stars": 3}',
        data=Note(title="Rom", stars=3),
        usage=usage,
        model=GEMINI.model,
    )
    config = gateway.requests.only().json["generationConfig"]
    assert config["responseMimeType"] == "application/json"
    assert config["responseJsonSchema"]["required"] == ["title", "stars"]
    assert config["responseJsonSchema"]["properties"]["stars"] == {
        "maximum": 5,
        "minimum": 1,
        "title": "Stars",
        "type": "integer",
    }


async def test_options_are_fields_of_the_config(gateway: Gateway, make: Make) -> None:
    """Further fields are sent, and the request's own stand beside them."""
    gateway.when().say("Here.")
    options = {"top_p": 0.9, "thinking_config": {"thinking_budget": 0}}

    await make(options=options).generate(ask(max_tokens=9))

    assert gateway.requests.only().json["generationConfig"] == {
        "topP": 0.9,
        "thinkingConfig": {"thinking_budget": 0},
        "maxOutputTokens": 9,
    }
    assert options == {"top_p": 0.9, "thinking_config": {"thinking_budget": 0}}


async def test_tool_calls_are_wishes(gateway: Gateway, make: Make) -> None:
    """Names, arguments and ids come back in order, beside what was said."""
    gateway.when(tool="weather").say("I look.").call(
        "weather", {"city": "Rom"}, call_id="t1"
    ).call("weather", {"city": "Bonn"}, call_id="t2")

    reply = await make().generate(ask(tools=(WEATHER, Tool(name="bare"))))

    assert isinstance(reply, Answer)
    assert reply.text == "I look."
    assert reply.tool_calls == (
        ToolCall(name="weather", arguments={"city": "Rom"}, id="t1"),
        ToolCall(name="weather", arguments={"city": "Bonn"}, id="t2"),
    )
    declared = gateway.requests.only().json["tools"][0]["functionDeclarations"]
    assert [one["name"] for one in declared] == ["weather", "bare"]
    assert "parametersJsonSchema" not in declared[1]


async def test_results_of_tools_make_one_turn(gateway: Gateway, make: Make) -> None:
    """Results go back together, each with the name and the id of its call."""
    gateway.when().say("Sunny in both.")
    calls = tuple(
        ToolCall(name=f"weather_{one}", arguments={"city": one}, id=one) for one in ("a", "b")
    )

    reply = await make().generate(
        Request(
            messages=(
                Message(role="user", content="Weather?"),
                Message(role="assistant", content="", tool_calls=calls),
                Message(role="tool", content='{"sky": "sun"}', tool_call_id="b"),
                Message(role="tool", content="sun too", tool_call_id="a"),
                Message(role="user", content="So?"),
            ),
        )
    )

    assert isinstance(reply, Answer), reply
    contents = gateway.requests.only().json["contents"]
    assert [turn["role"] for turn in contents] == ["user", "model", "user", "user"]
    results = [part["functionResponse"] for part in contents[2]["parts"]]
    assert [(one["id"], one["name"], one["response"]) for one in results] == [
        ("b", "weather_b", {"sky": "sun"}),
        ("a", "weather_a", {"result": "sun too"}),
    ]


async def test_results_without_ids_go_by_their_order(gateway: Gateway, make: Make) -> None:
    """Models that give no ids want their calls answered in order."""
    gateway.when().say("Fine.")
    calls = tuple(ToolCall(name=name, arguments={}) for name in ("one", "two"))

    await make().generate(
        Request(
            messages=(
                Message(role="user", content="Both?"),
                Message(role="assistant", content="I look.", tool_calls=calls),
                Message(role="tool", content="1"),
                Message(role="tool", content="2"),
            ),
        )
    )

    contents = gateway.requests.only().json["contents"]
    results = [part["functionResponse"] for part in contents[2]["parts"]]
    assert [(one["name"], one["response"]["result"]) for one in results] == [
        ("one", "1"),
        ("two", "2"),
    ]
    assert contents[1]["parts"][0] == {"text": "I look."}


async def test_signatures_go_back_with_the_calls(gateway: Gateway, make: Make) -> None:
    """Newer models refuse calls without theirs; it is kept, and sent where the call is."""
    gateway.when(tool_result=False).call("weather", {"city": "Rom"})
    gateway.when(tool_result=True).say("Sunny.")
    provider = make(model=GEMINI.new_model)
    first = await provider.generate(ask(tools=(WEATHER,)))
    assert isinstance(first, Answer)
    call = first.tool_calls[0]

    second = await provider.generate(
        Request(
            messages=(
                Message(role="user", content="Where is it?"),
                Message(role="assistant", content="", tool_calls=(call,)),
                Message(role="tool", content="sun", tool_call_id=call.id),
            ),
            tools=(WEATHER,),
        )
    )

    assert isinstance(second, Answer), second
    said = gateway.requests[0].response.body
    part = gateway.requests[1].json["contents"][1]["parts"][0]
    assert part["thoughtSignature"].encode() in said


async def test_calls_from_elsewhere_are_let_through(gateway: Gateway, make: Make) -> None:
    """What another model called has no signature; what Google documents for that is sent."""
    gateway.when().say("Sunny.")
    call = ToolCall(name="weather", arguments={}, id="elsewhere")
    messages = (
        Message(role="user", content="Where is it?"),
        Message(role="assistant", content="", tool_calls=(call,)),
        Message(role="tool", content="sun", tool_call_id="elsewhere"),
    )

    for model in (GEMINI.new_model, GEMINI.model):
        reply = await make(model=model).generate(Request(messages=messages))
        assert isinstance(reply, Answer), reply

    signed = [
        "thoughtSignature" in one.json["contents"][1]["parts"][0] for one in gateway.requests
    ]
    assert signed == [True, False]


@pytest.mark.parametrize("settings", [{"key_env": "HOUSE_KEY"}, {}], ids=["named", "found"])
async def test_other_variables_can_hold_the_key(
    gateway: Gateway, make: Make, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any]
) -> None:
    """`key_env` names one; without it the order is the SDK's."""
    gateway.when().say("Here.")
    monkeypatch.setenv("GEMINI_API_KEY", "AIza-of-somebody-else-entirely")
    monkeypatch.setenv(settings.get("key_env", "GOOGLE_API_KEY"), GEMINI.key)

    assert (await make(**settings).generate(ask())).text == "Here."


async def test_a_late_system_message_is_refused(gateway: Gateway, make: Make) -> None:
    """It is not moved to the start in silence, where it would mean something else."""
    messages = (
        Message(role="user", content="a"),
        Message(role="system", content="b"),
        Message(role="user", content="c"),
    )

    for some, words in ((messages, "after the start"), (messages[1:2], "messages only")):
        reply = await make().generate(Request(messages=some))
        assert isinstance(reply, Failure)
        assert reply.kind is FailureKind.BAD_REQUEST
        assert words in reply.message
    assert len(gateway.requests) == 0
