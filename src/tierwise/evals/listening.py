"""The provider that one trial talks to: seeded, recorded, its failures remembered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tierwise.evals.cases import hash_content
from tierwise.providers import Failure, FailureKind, RecordingProvider

if TYPE_CHECKING:
    from tierwise.domain import Exchange, Message
    from tierwise.providers import Answer, Provider, Request
    from tierwise.providers.protocol import T

_SEEDS = 2**31  # what every provider takes, llama.cpp's 32 bits included


class TrialProvider:
    """Passes calls on and gives those without a seed one that follows from the trial's.

    The calls of a trial are numbered in the order in which they begin, so that two of them differ
    and a rerun repeats both.
    """

    def __init__(self, inner: Provider, *, seed: int) -> None:
        self._recorder = RecordingProvider(inner)
        self._seed = seed
        self._n_calls = 0
        self._open: dict[tuple[str, tuple[Message, ...]], Failure] = {}

    @property
    def name(self) -> str:
        """The name of the provider that answers."""
        return self._recorder.name

    @property
    def real(self) -> bool:
        """Does calling it reach a model?"""
        return self._recorder.real

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """What was said in this trial so far, copied."""
        return self._recorder.exchanges

    @property
    def open_failure(self) -> Failure | None:
        """The failure of a request that was never answered, if there is one.

        Asking the same again and getting an answer settles it. A call that raised or was
        cancelled, as by a time-out of the app's own, was not answered either. One that is not the
        model's own doing comes first.
        """
        failures = sorted(self._open.values(), key=lambda each: each.kind.outcome is None)
        return failures[0] if failures else None

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Answer as the provider does."""
        number = self._n_calls
        self._n_calls += 1
        asked = (request.purpose, request.messages)
        if request.seed is None:
            request = replace(request, seed=derive_seed(self._seed, number))
        self._open[asked] = Failure(
            kind=FailureKind.TIMEOUT, message="the call was given up before it was answered"
        )
        try:
            reply = await self._recorder.generate(request)
        except Exception as error:
            said = f"the provider raised {type(error).__name__}: {error}"
            self._open[asked] = Failure(kind=FailureKind.UNAVAILABLE, message=said)
            raise
        if isinstance(reply, Failure):
            self._open[asked] = reply
        else:
            self._open.pop(asked, None)
        return reply


def derive_seed(seed: int, number: int) -> int:
    """Return the seed of a trial's call number `number`, counted from 0."""
    return int(hash_content(seed, number)[:16], 16) % _SEEDS
