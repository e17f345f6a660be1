"""The provider that one trial talks to: seeded, recorded, its failures remembered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tierwise.evals.cases import hash_content
from tierwise.providers import Failure, RecordingProvider

if TYPE_CHECKING:
    from tierwise.domain import Exchange
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
        self.last_failure: Failure | None = None
        """What the call that ended last came to, if that was a failure."""

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

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Answer as the provider does."""
        number = self._n_calls
        self._n_calls += 1
        if request.seed is None:
            request = replace(request, seed=derive_seed(self._seed, number))
        reply = await self._recorder.generate(request)
        self.last_failure = reply if isinstance(reply, Failure) else None
        return reply


def derive_seed(seed: int, number: int) -> int:
    """Return the seed of a trial's call number `number`, counted from 0."""
    return int(hash_content(seed, number)[:16], 16) % _SEEDS
