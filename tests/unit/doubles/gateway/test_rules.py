"""What requests get, one step after another."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel
from toy_vendor import ToyVendor, ask, text_of

from tierwise.domain import ToolCall
from tierwise.doubles.gateway import Asked, Gateway, Refusal, Say, Stop
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.doubles.gateway import HttpRequest, Rule


class City(BaseModel):
    name: str
    people: int = 0


@pytest.fixture
def toy() -> Gateway:
    """Return a gateway that plays the toy vendor."""
    return Gateway(vendors=[ToyVendor()])


def hear(toy: Gateway, *requests: HttpRequest) -> list[str]:
    """Return what each request is told."""
    return [text_of(toy.handle_now(http)) for http in requests]


def choices(toy: Gateway, http: HttpRequest) -> list[dict[str, Any]]:
    """Return the choices of an answer."""
    found: list[dict[str, Any]] = json.loads(toy.handle_now(http).body)["choices"]
    return found


def test_the_first_rule_that_is_for_a_request_serves_it(toy: Gateway) -> None:
    """Order decides, as it is written."""
    toy.when(last_user="capital").say("Paris")
    toy.when().say("What?")
    assert hear(toy, ask("Your name?"), ask("The capital?")) == ["What?", "Paris"]
    assert toy.finish() == ()


def test_a_rule_answers_any_number_of_requests(toy: Gateway) -> None:
    """Nothing else was said."""
    toy.when().say("Paris")
    assert hear(toy, *[ask("Capital?")] * 3) == ["Paris"] * 3


def test_steps_follow_each_other_and_the_last_one_stays(toy: Gateway) -> None:
    """`then` is for the request after; `times` holds a step back."""
    toy.when().say("a").then.say("b").times(2).then.say("c")
    assert hear(toy, *[ask("x")] * 6) == ["a", "b", "b", "c", "c", "c"]


def test_a_rule_that_is_used_up_leaves_the_request_to_the_next(toy: Gateway) -> None:
    """`times` on the last step ends the rule."""
    toy.when().say("first").times(1)
    toy.when().say("then")
    assert hear(toy, ask("x"), ask("x")) == ["first", "then"]


def test_a_sequence_ends(toy: Gateway) -> None:
    """Each answer is for one request, and none is left after the last."""
    toy.when().sequence("a", "b")
    assert hear(toy, ask("x"), ask("x")) == ["a", "b"]
    assert toy.finish() == ()
    assert "used up, all 2 answer(s) were given" in hear(toy, ask("x"))[0]


def test_a_queue_answers_whatever_is_asked(toy: Gateway) -> None:
    """It holds all that a step can say."""
    toy.queue("a", {"city": "Paris"}, City(name="Rome"), lambda asked: asked.model)
    told = hear(toy, *[ask(text) for text in "wxyz"])
    assert told == ["a", '{"city": "Paris"}', '{"name":"Rome","people":0}', "toy-1"]


def test_failures_come_before_success(toy: Gateway) -> None:
    """A client that tries again is answered."""
    toy.when().fail(429, retry_after_s=2).times(2).then.say("ok")
    responses = [toy.handle_now(ask("x")) for _ in range(3)]
    assert [r.status for r in responses] == [429, 429, 200]
    assert dict(responses[0].headers)["retry-after"] == "2"


def test_a_refusal_may_stand_in_a_sequence(toy: Gateway) -> None:
    """It is an answer like any other."""
    toy.queue(Refusal(status=503), "ok")
    assert [toy.handle_now(ask("x")).status for _ in range(2)] == [503, 200]


def test_text_and_calls_are_one_answer(toy: Gateway) -> None:
    """Calls that are said one after another are asked for in parallel."""
    toy.when().say("Let me see.").call("weather", {"city": "Oslo"}).call("time")
    (choice,) = choices(toy, ask("x"))
    assert choice["text"] == "Let me see."
    assert choice["calls"] == [["weather", {"city": "Oslo"}], ["time", {}]]
    assert choice["stop"] == "tool"


def test_calls_may_come_before_the_text(toy: Gateway) -> None:
    """Neither overwrites the other."""
    toy.when().call("time").say("Now.")
    (choice,) = choices(toy, ask("x"))
    assert (choice["text"], choice["calls"]) == ("Now.", [["time", {}]])


def test_several_texts_are_the_choices(toy: Gateway) -> None:
    """Too few are filled up with the last one, too many are cut."""
    toy.when().say("a", "b")
    assert [c["text"] for c in choices(toy, ask("x", n=3))] == ["a", "b", "b"]
    assert [c["text"] for c in choices(toy, ask("x"))] == ["a"]


def test_what_is_said_has_its_details(toy: Gateway) -> None:
    """A refusal of the model and the reason why it stopped are said with the text."""
    toy.when().say("I will not", refusal="No.").then.say("a", stop=Stop.LENGTH)
    assert choices(toy, ask("x"))[0]["refusal"] == "No."
    assert choices(toy, ask("x"))[0]["stop"] == "length"


def test_data_is_written_as_json(toy: Gateway) -> None:
    """A pydantic object by its own rules, anything else as it stands."""
    toy.when().data(City(name="Zürich", people=1)).then.data([1, City(name="b")])
    assert hear(toy, ask("x"), ask("x")) == [
        '{"name":"Zürich","people":1}',
        '[1, {"name": "b", "people": 0}]',
    ]


def test_an_answer_is_computed_of_the_request(toy: Gateway) -> None:
    """A function gets what was asked, and the state when it takes two arguments."""

    def count(asked: Asked, state: dict[str, Any]) -> str:
        state["n"] = state.get("n", 0) + 1
        return f"{asked.last_user} {state['n']}"

    toy.when(last_user="again").answer(count)
    toy.when().answer(lambda asked: asked.last_user.upper())
    assert hear(toy, ask("hi"), ask("again"), ask("again")) == ["HI", "again 1", "again 2"]
    assert toy.state == {"n": 2}


def test_a_function_may_take_more_that_has_a_default(toy: Gateway) -> None:
    """Only what it needs is given."""
    toy.when().answer(lambda asked, mark="!": asked.last_user + mark)
    assert hear(toy, ask("hi")) == ["hi!"]


async def test_an_async_function_is_awaited(toy: Gateway) -> None:
    """By whoever serves the request, with an event loop or without."""

    async def answer(asked: Asked) -> Say:
        return Say(text=asked.last_user * 2)

    toy.when().answer(answer)
    assert text_of(await toy.handle(ask("a"))) == "aa"
    assert hear(toy, ask("b")) == ["bb"]


@pytest.mark.parametrize(
    "answer",
    [
        lambda asked: 1 / 0,
        lambda asked: object(),
        lambda asked: City,
    ],
    ids=["raises", "no-answer", "a-class"],
)
def test_a_function_that_fails_is_told_and_not_retried(
    toy: Gateway, answer: Callable[[Asked], object]
) -> None:
    """A client would try again and hide it, so the test hears of it at its end."""
    toy.when().answer(answer)
    response = toy.handle_now(ask("x"))
    assert response.status == 400
    assert ("x-should-retry", "false") in response.headers
    (complaint,) = toy.finish()
    assert complaint.startswith("rule 0, when() could not answer: ")


async def test_an_async_function_that_fails_is_told_too(toy: Gateway) -> None:
    """It is the same to the client."""

    async def answer(asked: Asked) -> str:
        raise LookupError(asked.model)

    toy.when().answer(answer)
    assert (await toy.handle(ask("x"))).status == 400
    assert toy.finish() == ("rule 0, when() could not answer: LookupError: toy-1",)


@pytest.mark.parametrize(
    "begin",
    [
        lambda rule: rule.say("a").say("b"),
        lambda rule: rule.say("a").data({}),
        lambda rule: rule.fail(500).say("b"),
        lambda rule: rule.fail(500).fail(500),
        lambda rule: rule.say("a").fail(500),
        lambda rule: rule.answer(str).call("t"),
        lambda rule: rule.say("a").answer(str),
        lambda rule: rule.auto().auto(),
        lambda rule: rule.say("a").sequence("b"),
    ],
)
def test_two_answers_in_one_step_are_refused(toy: Gateway, begin: Callable[[Rule], Rule]) -> None:
    """Which one is meant cannot be told; the way out is named."""
    with pytest.raises(MisuseError, match=re.escape("Put `.then` between two answers")):
        begin(toy.when())


@pytest.mark.parametrize(
    ("begin", "says"),
    [
        (lambda rule: rule.then, "nothing is said before `then`"),
        (lambda rule: rule.say("a").times(0), "expected 1 or more"),
        (lambda rule: rule.fail(200), "expected 400 to 599"),
        (lambda rule: rule.sequence(), "is empty"),
        (lambda rule: rule.data(3), "`data` of rule 0, when() is 3"),
        (lambda rule: rule.data(City), "Did you mean an instance, City(...)?"),
        (lambda rule: rule.answer("a"), "expected a function"),
        (lambda rule: rule.sequence("a", 3), "answer 1 of rule 0, when() is 3"),
        (lambda rule: rule.slow(-1), "expected 0 or more seconds"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    toy: Gateway, begin: Callable[[Rule], Any], says: str
) -> None:
    """At once, where it was written."""
    with pytest.raises(MisuseError, match=re.escape(says)):
        begin(toy.when())


def test_a_rule_that_says_nothing_is_told(toy: Gateway) -> None:
    """Whoever forgot the answer hears of it, and the client gets no empty one."""
    toy.when()
    assert "says nothing" in hear(toy, ask("x"))[0]
    assert "says nothing" in toy.finish()[0]


def test_a_later_change_of_arguments_does_not_reach_the_answer(toy: Gateway) -> None:
    """They are copied when they are said."""
    arguments = {"city": "Oslo"}
    toy.when().call("weather", arguments)
    arguments["city"] = "Rome"
    assert choices(toy, ask("x"))[0]["calls"] == [["weather", {"city": "Oslo"}]]


def test_tool_calls_may_stand_in_a_sequence(toy: Gateway) -> None:
    """One, or a list of them."""
    one = ToolCall(name="a", arguments={})
    toy.queue(one, [one, one])
    assert [len(choices(toy, ask("x"))[0]["calls"]) for _ in range(2)] == [1, 2]


def test_a_text_is_sent_as_it_is_said_whatever_limit_was_asked_for() -> None:
    """What a test says is what arrives: nothing is cut behind its back."""
    toy = Gateway(vendors=[ToyVendor()])
    toy.when().say("a b c")
    assert text_of(toy.handle_now(ask("x", max_tokens=1))) == "a b c"
