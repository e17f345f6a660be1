"""The steps of a rule as data: what each key of a step does."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tierwise.domain import Usage
from tierwise.doubles.gateway.saying import Stop
from tierwise.doubles.gateway.scenario_values import read_latency, read_table
from tierwise.errors import MisuseError, TierwiseError, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.doubles.gateway.rule import Rule

    Table = Mapping[str, Any]
    Act = Callable[[Rule, Table], object]

_SAID_WITH = frozenset({"thinking", "refusal", "stop", "usage", "pieces", "headers", "extra"})
_FAILED_WITH = frozenset({"message", "code", "kind", "retry_after_s", "body"})


def add_step(rule: Rule, given: object, where: str) -> None:
    """Add what a table says to the rule's last step; errors name the place."""
    step = read_table(given, where, STEP_KEYS)
    if not set(step) - {"times"} - _SAID_WITH - _FAILED_WITH:
        told = ", ".join(sorted(_ACTS))
        raise MisuseError(f"{where} says nothing; expected one of: {told}.")
    for name, act in _ACTS.items():
        if name not in step:
            continue
        try:
            act(rule, step)
        except (MisuseError, TypeError, ValueError, KeyError) as error:
            raise place(error, f"{where}.{name}") from error


def place(error: Exception, where: str) -> MisuseError:
    """Return an error that says where in the file the fault lies."""
    told = error.args[0] if isinstance(error, TierwiseError) and error.args else repr(error)
    return MisuseError(f"{where}: {told}")


def _say(rule: Rule, step: Table) -> None:
    given = step["say"]
    texts = given if isinstance(given, list) else [given]
    if not all(isinstance(text, str) for text in texts):
        raise MisuseError(f"{given!r} is no text; data = ... is for data.")
    rule.say(*texts, **_read_said(step))


def _read_said(step: Table) -> dict[str, Any]:
    how = {name: step[name] for name in _SAID_WITH if name in step}
    if "stop" in how:
        stops = [str(stop) for stop in Stop]
        if how["stop"] not in stops:
            raise MisuseError(f"stop is {how['stop']!r}.{suggest(str(how['stop']), stops)}")
        how["stop"] = Stop(how["stop"])
    if "usage" in how:
        how["usage"] = Usage(**how["usage"])
    if "headers" in how:
        how["headers"] = tuple(dict(how["headers"]).items())
    return how


def _call(rule: Rule, step: Table) -> None:
    wishes = step["call"] if isinstance(step["call"], list) else [step["call"]]
    for wish in wishes:
        given = read_table(wish, "a call", {"tool", "arguments", "call_id"})
        if "tool" not in given:
            raise MisuseError(f"{wish!r} names no tool.")
        rule.call(given["tool"], given.get("arguments"), call_id=given.get("call_id", ""))


def _fail(rule: Rule, step: Table) -> None:
    how = {name: step[name] for name in _FAILED_WITH if name in step}
    if "body" in how:
        how["body"] = str(how["body"]).encode()
    headers = tuple(dict(step.get("headers", {})).items())
    rule.fail(step["fail"], headers=headers, **how)


def _error_event(rule: Rule, step: Table) -> None:
    given = step["error_event"]
    plain = {"status": given} if isinstance(given, int) else given
    table = read_table(plain, "an error event", {"status", "after", "message"})
    rule.error_event(table["status"], table.get("after"), message=table.get("message"))


def _slow(rule: Rule, step: Table) -> None:
    latency = read_latency(step["slow"], "slow")
    rule.slow(
        latency.before_s, first_token_s=latency.first_token_s, per_token_s=latency.per_token_s
    )


def _provider(rule: Rule, step: Table) -> None:
    from tierwise.providers import provider_from_spec  # noqa: PLC0415  when asked for

    rule.provider(provider_from_spec(step["provider"]))


def _end(rule: Rule, step: Table, *, word: str) -> None:
    """`cut = true` is in the middle, `cut = 3` after three events."""
    given, act = step[word], getattr(rule, word)
    if given is True:
        act()
    elif isinstance(given, int) and given is not False:
        act(given)
    else:
        raise MisuseError(f"it is {given!r}; expected true, or after how many events.")


def _only(rule: Rule, step: Table, *, word: str) -> None:
    if step[word] is not True:
        raise MisuseError(f"it is {step[word]!r}; expected true, or the key left out.")
    getattr(rule, word)()


_ACTS: Mapping[str, Act] = {
    "say": _say,
    "data": lambda rule, step: rule.data(step["data"]),
    "call": _call,
    "embed": lambda rule, step: rule.embed(*step["embed"]),
    "auto": partial(_only, word="auto"),
    "provider": _provider,
    "fail": _fail,
    "malformed_body": partial(_only, word="malformed_body"),
    **{
        word: partial(_end, word=word)
        for word in ("malformed_chunk", "cut", "truncate", "stall", "reset")
    },
    "error_event": _error_event,
    "slow": _slow,
    "times": lambda rule, step: rule.times(step["times"]),
}
"""What a step may say, in the order in which it is done."""
STEP_KEYS = frozenset({*_ACTS, *_SAID_WITH, *_FAILED_WITH})
