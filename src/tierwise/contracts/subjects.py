"""How the provider contract makes a provider behave, and the doubles ready for it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from tierwise.providers import (
    Failure,
    FailureKind,
    MockProvider,
    RecordingProvider,
    Rule,
    SchemaProvider,
    ScriptedProvider,
    SimulatedProvider,
)
from tierwise.providers.made_up.schema import make_up_reply

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tierwise.providers import AnswerLike, Call, Provider, Request

_MANY = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSubject:
    """Ways to make one kind of provider behave; each call makes a fresh provider.

    What is left out can't be made to happen, and its clauses are `unobservable`.
    """

    answering: Callable[[], Provider]
    """Gives a valid answer to any request, as often as asked."""
    saying: Callable[[str], Provider] | None = None
    """Replies with exactly this text, whatever was asked."""
    failing: Mapping[FailureKind, Callable[[], Provider]] = field(default_factory=dict)
    """Fails in this way, whatever was asked."""
    hanging: Callable[[], Provider] | None = None
    """Does not end its reply before it is cancelled."""
    begin_s: float = 0.01
    """How long a call takes until it is surely under way."""
    calls: Callable[[Any], Sequence[Call]] | None = None
    """The provider's own record of its calls."""
    heard: Callable[[Any], str] | None = None
    """All that reached the model in the provider's last call, as text; else its own record."""
    takes_temperature: bool = True
    """False for a model that refuses any temperature; the clauses then ask without one."""
    secrets: tuple[str, ...] = ()
    """What no error may show: API keys and the like."""


def double_subjects() -> dict[str, ProviderSubject]:
    """Return the subjects of all doubles of tierwise, by name, for `implementations`."""
    return {
        "mock": _answered_subject(_mock),
        "scripted": _answered_subject(_script, exhausted=partial(ScriptedProvider, [])),
        "schema": ProviderSubject(answering=SchemaProvider, calls=_read_calls),
        "simulated": ProviderSubject(
            answering=SimulatedProvider,
            failing={kind: partial(_simulate, kind) for kind in FailureKind},
            calls=_read_calls,
        ),
        "recording": _answered_subject(_record),
    }


def _answered_subject(
    make: Callable[[AnswerLike], Provider], exhausted: Callable[[], Provider] | None = None
) -> ProviderSubject:
    failing: dict[FailureKind, Callable[[], Provider]] = {
        kind: partial(make, _failure(kind)) for kind in FailureKind
    }
    failing[FailureKind.TIMEOUT] = partial(make, TimeoutError("slow"))
    failing[FailureKind.UNAVAILABLE] = partial(make, ConnectionResetError("reset"))
    if exhausted is not None:
        failing[FailureKind.EXHAUSTED] = exhausted
    return ProviderSubject(
        answering=partial(make, _answer_anything),
        saying=make,
        failing=failing,
        hanging=partial(make, _hang),
        calls=_read_calls,
    )


def _mock(answer: AnswerLike) -> Provider:
    return MockProvider([answer] * _MANY)


def _script(answer: AnswerLike) -> Provider:
    return ScriptedProvider([Rule(answer=answer)])


def _record(answer: AnswerLike) -> Provider:
    return RecordingProvider(_mock(answer))


def _simulate(kind: FailureKind) -> Provider:
    return SimulatedProvider(failure_rates={kind: 1.0})


def _failure(kind: FailureKind) -> Failure:
    return Failure(kind=kind, message="as scripted", text="half a" if kind.is_scored else "")


def _answer_anything(request: Request[Any]) -> str | Failure:
    return make_up_reply(request, "contract")


async def _hang(request: Request[Any]) -> str:
    del request
    await asyncio.Event().wait()
    return ""


def _read_calls(provider: Any) -> Sequence[Call]:  # noqa: ANN401  any of the doubles
    calls: Sequence[Call] = provider.calls
    return calls
