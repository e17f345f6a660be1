"""A double that gives a list of answers, one a call."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from tierwise.providers.checking import refuse
from tierwise.providers.log import CallLog
from tierwise.providers.made_up.answering import keep_answer, settle
from tierwise.providers.protocol import Failure, FailureKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.domain import Exchange
    from tierwise.providers.log import Call
    from tierwise.providers.made_up.answering import AnswerLike
    from tierwise.providers.protocol import Answer, Request, T


class MockProvider:
    """Gives `answers` in order, each once, and says at the end which were never asked for.

    An answer that breaks the request's schema is a `Failure`, and so is a call beyond the last
    answer (`exhausted`). Only three things raise: an exception given as an answer or raised by
    an answer function (unless it is a `TimeoutError` or a `ConnectionError`), a value that can
    be no answer, and a schema that is no pydantic model.
    """

    real = False

    def __init__(self, answers: Iterable[AnswerLike] = (), *, name: str = "mock") -> None:
        self.name = name
        self._answers = [
            keep_answer(answer, f"Answer {index} of {name!r}")
            for index, answer in enumerate(answers)
        ]
        self._n_given = 0
        self._n_refused = 0
        self._lock = threading.Lock()
        self._log = CallLog()

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls, failures too, in the order in which they began."""
        return self._log.calls

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """All calls as labelled exchanges."""
        return self._log.exchanges(self.name)

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Give the next answer."""
        return await self._log.keep(request, self._answer)

    def finish(self) -> tuple[str, ...]:
        """Return what is wrong at the end: calls beyond the last answer, answers never given."""
        n_answers, n_unused = len(self._answers), len(self._answers) - self._n_given
        complaints = []
        if self._n_refused:
            complaints.append(
                f"{self.name!r} was called {self._n_refused} time(s) after its {n_answers} "
                "answer(s) were used up: give it more answers, or find the call too many."
            )
        if n_unused:
            complaints.append(
                f"{self.name!r} has {n_unused} unused answer(s) of {n_answers}, from answer "
                f"{self._n_given} on: the code asked less often than the test expects."
            )
        return tuple(complaints)

    async def _answer(self, request: Request[T]) -> Answer[T] | Failure:
        refused = refuse(request)
        if refused is not None:
            return refused
        with self._lock:
            index = self._n_given
            if index == len(self._answers):
                self._n_refused += 1
                return self._exhausted()
            self._n_given += 1
        return await settle(self._answers[index], request, model=self.name)

    def _exhausted(self) -> Failure:
        return Failure(
            kind=FailureKind.EXHAUSTED,
            message=f"{self.name!r} has no answer left: all {len(self._answers)} were given.",
            model=self.name,
        )
