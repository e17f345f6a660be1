"""A double that answers by rule, so that tests do not couple to the order of calls."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from tierwise.errors import MisuseError
from tierwise.providers.checking import refuse
from tierwise.providers.log import CallLog
from tierwise.providers.made_up.answering import settle
from tierwise.providers.made_up.rules import Rule, explain_unmatched
from tierwise.providers.protocol import Failure, FailureKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.domain import Exchange
    from tierwise.providers.log import Call
    from tierwise.providers.made_up.answering import AnswerLike
    from tierwise.providers.protocol import Answer, Request, T


class ScriptedProvider:
    """Answers each request by the first rule that is for it and has an answer left.

    A request that no rule answers is a `Failure` (`exhausted`) whose message shows the nearest
    rule and why it is not for this request; it is kept among the calls and `finish` complains
    of it. Otherwise as strict as `MockProvider`.
    """

    real = False

    def __init__(self, rules: Iterable[Rule], *, name: str = "scripted") -> None:
        self.name = name
        self._rules = tuple(rules)
        for rule in self._rules:
            if not isinstance(rule, Rule):
                raise MisuseError(f"{name!r} was given {rule!r}; expected a list of Rule(...).")
        self._used = [0] * len(self._rules)
        self._unmatched: list[str] = []
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
        """Answer by the first rule for this request, after the rule's delay."""
        return await self._log.keep(request, self._answer)

    def finish(self) -> tuple[str, ...]:
        """Return what is wrong at the end: requests without a rule, rules not used up."""
        unused = [
            f"{self.name!r}: rule {index}, {rule}, answered {n_used} request(s); expected "
            f"{rule.n_expected}. Mark it optional=True if it need not be used."
            for index, (rule, n_used) in enumerate(zip(self._rules, self._used, strict=True))
            if n_used < rule.n_expected
        ]
        return (*self._unmatched, *unused)

    async def _answer(self, request: Request[T]) -> Answer[T] | Failure:
        refused = refuse(request)
        if refused is not None:
            return refused
        taken = self._take(request)
        if isinstance(taken, Failure):
            return taken
        rule, answer = taken
        if rule.delay_s:
            await asyncio.sleep(rule.delay_s)
        reply = await settle(answer, request, model=self.name)
        return replace(reply, latency_s=reply.latency_s or rule.delay_s)

    def _take(self, request: Request[T]) -> tuple[Rule, AnswerLike] | Failure:
        with self._lock:
            used_up = [
                rule.limit is not None and n_used >= rule.limit
                for rule, n_used in zip(self._rules, self._used, strict=True)
            ]
            for index, rule in enumerate(self._rules):
                if not used_up[index] and not rule.find_mismatches(request):
                    self._used[index] += 1
                    return rule, rule.pick(self._used[index] - 1)
            message = explain_unmatched(self._rules, used_up, request, name=self.name)
            self._unmatched.append(message)
            return Failure(kind=FailureKind.EXHAUSTED, message=message, model=self.name)
