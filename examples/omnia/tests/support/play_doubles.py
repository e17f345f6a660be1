"""Providers that the command line can name: `play_doubles:talkative`."""

from __future__ import annotations

from tierwise.providers import Failure, FailureKind, Rule, ScriptedProvider

HALF = '{"answer":"It is under the stair. And then we'


def talkative() -> ScriptedProvider:
    """Return a provider that answers everybody with the same sentence."""
    return ScriptedProvider([Rule(purpose="actor", answer={"answer": "Ask me tomorrow."})])


def babbling() -> ScriptedProvider:
    """Return a provider that does everything wrong in turn, for ever after too."""
    wrong: list[str | dict[str, str] | Failure] = [
        "no json at all",
        {"answer": ""},
        {"answer": "*** ((("},
        Failure(kind=FailureKind.CUT_OFF, message="too long", text=HALF),
        Failure(kind=FailureKind.TIMEOUT, message="slow"),
    ]
    return ScriptedProvider([Rule(purpose="actor", answers=wrong)])
