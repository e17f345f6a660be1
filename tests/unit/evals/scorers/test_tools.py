from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tierwise.domain import Exchange, Message, ToolCall
from tierwise.errors import EvalUsageError, ScorerError
from tierwise.evals.scorers import (
    called,
    called_in_order,
    called_none,
    follows_trajectory,
    trajectory_share,
)
from tierwise.providers import Answer, Failure, FailureKind, MockProvider, Request, Tool

LOOK = ToolCall(name="look", arguments={"at": "chest", "n": 1})
OPEN = ToolCall(name="open", arguments={"what": "chest"})
REPLY = Answer[Any](text="", tool_calls=(LOOK, OPEN))
HELLO = (Message(role="user", content="hello"),)
SAID = Exchange(prompt=HELLO, reply="hi")
NAMES = st.lists(st.sampled_from("abc"), max_size=6)


def calls(names: list[str]) -> list[ToolCall]:
    return [ToolCall(name=name, arguments={}) for name in names]


def test_a_call_is_found_by_name_and_arguments() -> None:
    """The arguments that are given must be there; others may be."""
    assert called(REPLY, "look")
    assert called(REPLY, "look", arguments={"at": "chest"})
    wrong = called(REPLY, "look", arguments={"at": "door"})
    assert not wrong
    assert wrong.why == "expected look(at='door'); called look(at='chest', n=1)"
    assert not called(REPLY, "look", arguments={"where": "chest"})
    assert called(Answer[Any](text="no"), "look").why == "expected look(); called nothing"


def test_arguments_are_compared_as_json() -> None:
    """1 is 1.0, True is no number, and nested values count."""
    call = ToolCall(name="f", arguments={"n": 1, "deep": {"a": [1, {"b": None}]}, "yes": True})
    assert called([call], "f", arguments={"n": 1.0})
    assert not called([call], "f", arguments={"n": True})
    assert not called([call], "f", arguments={"yes": 1})
    assert called([call], "f", arguments={"deep": {"a": (1, {"b": None})}})
    assert not called([call], "f", arguments={"deep": {"a": [1, {"b": 0}]}})
    assert not called([call], "f", arguments={"deep": {"a": [1]}})
    assert not called([call], "f", arguments={"deep": {"a": [1, {"b": None}], "c": 1}})


def test_calls_are_counted_when_asked() -> None:
    """Twice is not once."""
    assert called([LOOK, LOOK], "look")
    assert called([LOOK, LOOK, OPEN], "look", times=2)
    assert not called([LOOK, LOOK], "look", times=1)
    assert called([LOOK, replace(LOOK, arguments={})], "look", times=1, arguments={"n": 1})
    for times in (0, -1, True):
        with pytest.raises(EvalUsageError, match="called_none"):
            called([LOOK], "look", times=times)


def test_none_of_some_and_none_at_all() -> None:
    """The explanation shows what was called."""
    assert called_none(REPLY, "delete")
    assert called_none(REPLY, "delete", "open").why == "called open(what='chest')"
    assert not called_none(REPLY)
    assert called_none(Answer[Any](text="no"))


def test_order_leaves_room_between() -> None:
    """Names repeat, and each call serves once."""
    assert called_in_order(REPLY, "look", "open")
    assert not called_in_order(REPLY, "open", "look")
    assert not called_in_order(REPLY, "look", "look")
    with pytest.raises(ScorerError, match="given no tool"):
        called_in_order(REPLY)


def test_calls_of_a_whole_trial_are_read_in_order() -> None:
    """Exchanges, answers and calls alike; a generator is read once."""
    said = [replace(SAID, tool_calls=(LOOK,)), SAID, replace(SAID, tool_calls=(OPEN,))]
    assert called_in_order(said, "look", "open")
    assert called_in_order((each for each in said), "look", "open")
    assert called(said[0], "look")
    assert called_none(said[1])


@pytest.mark.parametrize("source", [[], (), iter(())])
@pytest.mark.parametrize("scorer", [called_none, called])
def test_a_model_that_was_never_asked_proves_nothing(scorer: Any, source: Any) -> None:
    """No exchange is no evidence that no tool was called."""
    with pytest.raises(ScorerError, match="never asked"):
        scorer(source, "delete")


@pytest.mark.parametrize(
    "source",
    [
        None,
        "look",
        3,
        {"look": 1},
        [None],
        [{"name": "look"}],
        Failure(kind=FailureKind.BUSY, message="m"),
    ],
)
def test_what_holds_no_calls_is_refused(source: Any) -> None:
    """A missing reply is none without tool calls."""
    with pytest.raises(ScorerError, match=r"expected an? Answer|expected Answers|is a Failure"):
        called_none(source)


@pytest.mark.parametrize(
    "failure", ["busy", "timeout", "in_flight", "cancelled", "raised:KeyError"]
)
def test_a_call_without_an_answer_cannot_be_judged(failure: str) -> None:
    """Which tools the model would have called is unknown, unless it was asked again."""
    lost = replace(SAID, reply="", failure=failure)
    with pytest.raises(ScorerError, match=f"gave no answer \\({failure}\\)"):
        called_none([lost], "delete")
    assert called_none([lost, SAID], "delete")
    with pytest.raises(ScorerError, match="gave no answer"):
        called_none([SAID, replace(lost, purpose="other")], "delete")


def test_what_the_model_itself_did_wrong_is_judged() -> None:
    """A refusal calls no tool."""
    assert called_none([replace(SAID, reply="I won't", failure="refused")])


async def test_a_misspelt_tool_is_found_where_the_offer_is_known() -> None:
    """Asking for none of a tool that does not exist could never fail."""
    from tierwise.providers import RecordingProvider  # noqa: PLC0415

    recorder = RecordingProvider(MockProvider(["no"]))
    tools = (Tool(name="delete_file", description="two\u2028lines"), Tool(name="look"))
    await recorder.generate(Request(messages=HELLO, tools=tools))
    assert called_none(recorder.exchanges, "delete_file", "format_disk")
    with pytest.raises(ScorerError, match="Did you mean 'delete_file'"):
        called_none(recorder.exchanges, "delete_fil")
    with pytest.raises(ScorerError, match="Did you mean 'look'"):
        called([LOOK], "lok")
    with pytest.raises(ScorerError, match="named by a text"):
        called_none([LOOK], "")


def test_what_was_attached_by_hand_is_no_offer() -> None:
    """An exchange of the user's own making may hold any text there."""
    assert called_none([replace(SAID, attached='no JSON\n[1]\n{"title": "x"}')], "delete")


def test_an_exact_trajectory_has_no_other_steps() -> None:
    """The share counts steps too many as well as steps missing."""
    assert follows_trajectory(REPLY, ["look", "open"])
    assert not follows_trajectory(REPLY, ["look"])
    assert trajectory_share(REPLY, ["look"]) == 0.5
    assert trajectory_share(REPLY, ["look", "open", "take", "go"]) == 0.5
    assert trajectory_share(REPLY, ["open", "look"]) == 0.5
    wrong = follows_trajectory(REPLY, ["look", OPEN, "take"])
    assert wrong.why == (
        "2 of 3 steps fit: expected look > open(what='chest') > take; "
        "found look(at='chest', n=1) > open(what='chest')"
    )


def test_a_subsequence_and_any_order_leave_room() -> None:
    """Other steps are no fault there."""
    taken = calls(list("axbyc"))
    assert follows_trajectory(taken, ["a", "b", "c"], order="subsequence")
    assert not follows_trajectory(taken, ["b", "a"], order="subsequence")
    assert follows_trajectory(taken, ["c", "a"], order="any")
    assert not follows_trajectory(taken, ["a", "a"], order="any")
    assert trajectory_share(taken, ["a", "a"], order="any") == 0.5
    assert trajectory_share(taken, ["c", "a", "b"], order="subsequence") == pytest.approx(2 / 3)


def test_a_step_with_arguments_takes_the_call_that_has_them() -> None:
    """A plain step leaves it to the step that needs it, whatever their order."""
    plain, special = ToolCall(name="f", arguments={}), ToolCall(name="f", arguments={"x": 1})
    assert follows_trajectory([special, plain], ["f", special], order="any")
    assert follows_trajectory([plain, special], [special, "f"], order="any")
    assert not follows_trajectory([plain, plain], ["f", special], order="any")


def test_steps_may_be_purposes_of_exchanges() -> None:
    """Whatever names steps can be compared."""
    said = [replace(SAID, purpose=purpose) for purpose in ("intent", "validator")]
    assert follows_trajectory((each.purpose for each in said), ["intent", "validator"])
    assert not follows_trajectory(["intent"], ["intent", "validator"])


def test_no_expected_step_is_refused() -> None:
    """Nothing to follow is followed by everything."""
    with pytest.raises(ScorerError, match="at least one"):
        follows_trajectory(REPLY, [])
    with pytest.raises(ScorerError, match="a list of at least one"):
        follows_trajectory(REPLY, "look")
    with pytest.raises(EvalUsageError, match="order='strict'"):
        follows_trajectory(REPLY, ["look"], order="strict")  # type: ignore[arg-type]
    with pytest.raises(ScorerError, match="never asked"):
        follows_trajectory([], ["look"])


@settings(deadline=None)
@given(NAMES.filter(bool), NAMES.filter(bool))
def test_shares_are_shares_and_grow_with_freedom(taken: list[str], expected: list[str]) -> None:
    """From 0 to 1; what fits exactly fits in order, and what fits in order fits in any."""
    exact, subsequence, anyhow = (
        trajectory_share(taken, expected, order=order)  # type: ignore[arg-type]
        for order in ("exact", "subsequence", "any")
    )
    assert 0 <= exact <= subsequence <= anyhow <= 1
    assert bool(follows_trajectory(taken, expected)) == (taken == expected)
    assert bool(follows_trajectory(taken, expected, order="subsequence")) == bool(
        called_in_order(calls(taken), *expected)
    )
    counts = {name: (taken.count(name), expected.count(name)) for name in "abc"}
    assert anyhow == sum(map(min, counts.values())) / len(expected)
