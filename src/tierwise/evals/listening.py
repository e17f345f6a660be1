"""The provider that one trial talks to: seeded, recorded, its failures remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.evals.calling import Course
from tierwise.evals.cases import hash_content
from tierwise.evals.waiting import Waiting
from tierwise.providers import Failure, FailureKind
from tierwise.providers.log import CallLog, form_exchange

if TYPE_CHECKING:
    from tierwise.domain import Exchange, Message
    from tierwise.evals.calling import Caller
    from tierwise.providers import Answer, Request
    from tierwise.providers.protocol import T

_SEEDS = 2**31  # what every provider takes, llama.cpp's 32 bits included


class TrialProvider:
    """Passes calls on and gives those without a seed one that follows from the trial's.

    The calls of a trial are numbered in the order in which they begin, so that two of them differ
    and a rerun repeats both.
    """

    def __init__(
        self, caller: Caller, *, seed: int, eval_id: str, index: int, case_id: str = ""
    ) -> None:
        self._caller = caller
        self._log = CallLog()
        self._seed = seed
        self._eval_id = eval_id
        self._index = index
        self._case_id = case_id
        self._n_calls = 0
        self._open: dict[tuple[str, tuple[Message, ...]], Failure] = {}
        self._waiting = Waiting()

    @property
    def name(self) -> str:
        """The name of the provider that answers."""
        return self._caller.name

    @property
    def real(self) -> bool:
        """Does calling it reach a model?"""
        return self._caller.real

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """What was said in this trial so far, copied."""
        return tuple(form_exchange(call, provider=self.name) for call in self._log.calls)

    @property
    def waiting(self) -> Waiting:
        """How long limits and retries held the trial back: its time-out leaves that out."""
        return self._waiting

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
        self._open[asked] = Failure(
            kind=FailureKind.TIMEOUT, message="the call was given up before it was answered"
        )
        try:
            reply = await self._log.keep(request, lambda sent: self._call(sent, number))
        except Exception as error:
            said = f"the provider raised {type(error).__name__}: {error}"
            self._open[asked] = Failure(kind=FailureKind.UNAVAILABLE, message=said)
            raise
        if isinstance(reply, Failure):
            self._open[asked] = reply
        else:
            self._open.pop(asked, None)
        return reply

    async def _call(self, request: Request[T], number: int) -> Answer[T] | Failure:
        called = await self._caller.call(
            request,
            eval_id=self._eval_id,
            case_id=self._case_id,
            index=self._index,
            number=number,
            seed=None if request.seed is not None else derive_seed(self._seed, number),
            course=Course(waiting=self._waiting),
        )
        return called.reply


def derive_seed(seed: int, number: int) -> int:
    """Return the seed of a trial's call number `number`, counted from 0."""
    return int(hash_content(seed, number)[:16], 16) % _SEEDS
