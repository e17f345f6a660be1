"""Which requests a rule is for."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic import BaseModel, Field
from toy_vendor import ToyVendor, ask

from tierwise.doubles.gateway import Account, Asked, Criteria, Endpoint
from tierwise.doubles.gateway.criteria import find_mismatches, form_criteria
from tierwise.errors import MisuseError


class Note(BaseModel):
    title: str
    body_text: str = Field(alias="body")


TOOL = {"name": "weather", "takes": {"type": "object"}}
TALK = (
    ["system", "Be brief."],
    "What is the capital?",
    ["assistant", "Of what?", "weather"],
    ["tool", "sunny, 21 degrees", "weather"],
)


def read(*says: Any, **more: Any) -> Asked:
    """Return a request as the toy vendor reads it."""
    http = ask(*(says or TALK), **more)
    asked = ToyVendor().read(Endpoint.CHAT, http, Account())
    assert isinstance(asked, Asked)
    return asked


def mismatches(asked: Asked, /, **wanted: Any) -> tuple[str, ...]:
    """Return why a request, the first for an answer, is not one that is wanted."""
    return find_mismatches(form_criteria(wanted).compile(), asked, 1)


@pytest.mark.parametrize(
    ("met", "missed"),
    [
        ({"vendor": "openai"}, {"vendor": "gemini"}),
        ({"endpoint": "chat"}, {"endpoint": Endpoint.EMBED}),
        ({"model": "toy-*"}, {"model": "toy"}),
        ({"model": re.compile("toy-[0-9]")}, {"model": re.compile("toy")}),
        ({"path": "/v1/chat/*"}, {"path": "/v1/messages"}),
        ({"header": {"Content-Type": "text/*"}}, {"header": {"content-type": "text"}}),
        ({"header": {"authorization": "*"}}, {"header": {"x-trace": "*"}}),
        ({"last_user": "capital"}, {"last_user": "brief"}),
        ({"last_user": re.compile("^What.*[?]$")}, {"last_user": re.compile("^is")}),
        ({"system": "brief"}, {"system": "capital"}),
        ({"text": "Of what"}, {"text": "Of whom"}),
        ({"tool": "wea*"}, {"tool": "time"}),
        ({"tool_result": "sunny"}, {"tool_result": "rainy"}),
        ({"tool_result": "weather"}, {"tool_result": "time"}),
        ({"tool_result": True}, {"tool_result": False}),
        ({"schema": Note}, {"schema": BaseModel}),
        ({"schema": "No*"}, {"schema": "Letter"}),
        ({"schema": True}, {"schema": False}),
        ({"stream": False}, {"stream": True}),
        ({"turn": 1}, {"turn": 2}),
        ({"call": 1}, {"call": 2}),
        ({"predicate": lambda asked: asked.n == 1}, {"predicate": lambda asked: asked.n > 1}),
    ],
    ids=lambda wanted: "-".join(f"{k}-{v!s:.12}" for k, v in wanted.items()),
)
def test_a_criterion_is_met_or_named(met: dict[str, Any], missed: dict[str, Any]) -> None:
    """A request that meets it is meant; one that does not is told by the criterion's name."""
    asked = read(tools=[TOOL], schema=Note.model_json_schema())
    assert mismatches(asked, **met) == ()
    (reason,) = mismatches(asked, **missed)
    assert reason.startswith(next(iter(missed)))


def test_all_criteria_have_to_be_met() -> None:
    """One that is not met is enough, and each is told."""
    asked = read()
    assert mismatches(asked, model="toy-1", last_user="capital") == ()
    assert len(mismatches(asked, model="toy-2", last_user="river", turn=1)) == 2


def test_what_a_tool_has_told_is_only_new_before_the_model_speaks_again() -> None:
    """An older result was answered; several at the end are all new."""
    answered = read(*TALK, ["assistant", "It is sunny."], "And tomorrow?")
    assert mismatches(answered, tool_result=False) == ()
    several = read(*TALK, ["tool", "noon", "time"])
    assert mismatches(several, tool_result="sunny") == ()
    assert mismatches(several, tool_result="time") == ()


def test_a_request_without_a_schema_has_none() -> None:
    """`schema=False` is for free text."""
    assert mismatches(read(), schema=False) == ()
    assert mismatches(read(), schema=Note) != ()


def test_a_header_s_value_is_never_told() -> None:
    """A key stands in a header, and a reason ends in a log."""
    (reason,) = mismatches(read(), header={"authorization": "Bearer other"})
    assert "secret" not in reason


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({"modle": "x"}, "Did you mean 'model'?"),
        ({"vendor": "antropic"}, "Did you mean 'anthropic'?"),
        ({"endpoint": "chats"}, "Did you mean 'chat'?"),
        ({"turn": 0}, "expected 1 or more"),
        ({"call": -1}, "expected 1 or more"),
    ],
)
def test_criteria_that_no_request_can_meet_are_refused(wanted: dict[str, Any], says: str) -> None:
    """A misspelt criterion would match everything or nothing."""
    with pytest.raises(MisuseError, match=re.escape(says)):
        form_criteria(wanted)


def test_criteria_are_shown_as_they_were_written() -> None:
    """What a message shows can be found in the test."""
    shown = str(Criteria(model="claude-*", last_user=re.compile("a.b"), schema=Note, turn=2))
    assert shown == "model='claude-*', last_user=/a.b/, schema=Note, turn=2"
