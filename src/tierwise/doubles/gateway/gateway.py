"""The gateway: takes a request, finds its rule, and answers as the vendor would."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, Any, Self, Unpack

from tierwise.doubles.gateway.answering import Pending, form_response, wait_in_thread
from tierwise.doubles.gateway.client_verdicts import (
    MOST_ATTEMPTS,
    ClientVerdict,
    Misbehaviour,
    judge_client,
)
from tierwise.doubles.gateway.criteria import Wanted, form_criteria
from tierwise.doubles.gateway.explaining import explain_unmatched
from tierwise.doubles.gateway.journal import MOST_KEPT, Entry, Journal, Requests
from tierwise.doubles.gateway.rule import Rule
from tierwise.doubles.gateway.saying import Refusal, Say
from tierwise.doubles.gateway.scenario import apply_scenario
from tierwise.doubles.gateway.steps import Situation
from tierwise.doubles.gateway.vendor import Account, Moment
from tierwise.doubles.gateway.vendors import Vendors
from tierwise.doubles.gateway.wire import Chunk, HttpResponse
from tierwise.errors import MissingExtraError, MisuseError, suggest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping
    from contextlib import AbstractContextManager

    from tierwise.doubles.gateway.answers import AnswerFunction, AnswerLike
    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.latency import Latency
    from tierwise.doubles.gateway.steps import Found
    from tierwise.doubles.gateway.vendor import Vendor
    from tierwise.doubles.gateway.wire import HttpRequest

_FIRST_SECOND = 1_767_225_600
"""What `created` counts from, so that two runs say the same: the start of 2026."""
NOT_RETRIED = ("x-should-retry", "false")
_READY = (tuple, Refusal)
"""What an answer is when nothing has to be awaited for it."""


class Gateway:
    """Plays OpenAI, Anthropic and Gemini by the rules of a test.

    Strict: a request that no rule is for is refused with a status of 400 that no client retries,
    and `finish` complains of it and of rules that were not used up.
    """

    def __init__(  # noqa: PLR0913  settings, each with a default
        self,
        *,
        account: Account | None = None,
        seed: int = 0,
        latency: Latency | None = None,
        strict: bool = True,
        real_time: bool = False,
        allow_hosts: Iterable[str] = (),
        hosts: Mapping[str, str] | None = None,
        vendors: Iterable[Vendor] = (),
        most_kept: int = MOST_KEPT,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.account = account or Account()
        self.seed = seed
        self.latency = latency
        self.strict = strict
        self.real_time = real_time
        self.allow_hosts = frozenset(allow_hosts)
        self.state: dict[str, Any] = {}
        """What callables of one test share."""
        self._vendors = Vendors(made=vendors, hosts=hosts)
        self._rules: list[Rule] = []
        self._journal = Journal(most_kept)
        self._complaints: list[str] = []
        self._clock = clock or _read_clock
        self._n_requests = self._n_calls = 0
        self._lock = threading.Lock()

    # What a test says

    def when(self, *, optional: bool = False, **criteria: Unpack[Wanted]) -> Rule:
        """Begin a rule for the requests that meet all `criteria`.

        The criteria are those of `Criteria`: vendor, model, path, header, last_user, system, text,
        tool, tool_result, schema, stream, turn, call, endpoint, predicate. Without any the rule is
        for every request that asks a model for an answer. The first rule that is for a request,
        and has an answer left, serves it. A rule has to be used by the end of the
        test unless it is `optional`.
        """
        rule = Rule(form_criteria(criteria), index=len(self._rules), optional=optional)
        self._rules.append(rule)
        return rule

    def configure(
        self,
        *,
        account: Account | None = None,
        seed: int | None = None,
        latency: Latency | None = None,
        strict: bool | None = None,
        real_time: bool | None = None,
        allow_hosts: Iterable[str] | None = None,
        hosts: Mapping[str, str] | None = None,
    ) -> Self:
        """Change what the gateway was made with, as `gateway.configure(real_time=True)`."""
        self.account = account or self.account
        self.seed = self.seed if seed is None else seed
        self.latency = latency or self.latency
        self.strict = self.strict if strict is None else strict
        self.real_time = self.real_time if real_time is None else real_time
        if allow_hosts is not None:
            self.allow_hosts = frozenset(allow_hosts)
        if hosts is not None:
            self._vendors.add_hosts(hosts)
        return self

    def load(self, path: str | os.PathLike[str]) -> Self:
        """Add the settings and the rules of a scenario file, TOML or YAML."""
        from tierwise.doubles.gateway.scenario_file import read_scenario  # noqa: PLC0415

        apply_scenario(self, read_scenario(path), where=os.fspath(path))
        return self

    def queue(self, *answers: AnswerLike | AnswerFunction) -> Rule:
        """Answer the next requests, whatever they ask, with these in order."""
        return self.when().sequence(*answers)

    # What a test asks

    @property
    def requests(self) -> Requests:
        """All requests so far."""
        return self._journal.requests

    @property
    def n_forgotten(self) -> int:
        """How many requests the bounded journal no longer holds."""
        return self._journal.n_dropped

    @property
    def complaints(self) -> tuple[str, ...]:
        """What was asked that nothing was there for."""
        return tuple(self._complaints) if self.strict else ()

    def verdicts(
        self, *, raised: bool | None = None, most_attempts: int = MOST_ATTEMPTS
    ) -> tuple[ClientVerdict, ...]:
        """Return what the journal shows to be wrong with the client.

        `raised` says whether the client told its caller of the failure by an error, which only
        the test knows; without it some verdicts are not certain.
        """
        return judge_client(self._journal, raised=raised, most_attempts=most_attempts)

    def expect_good_client(
        self,
        *,
        allow: Iterable[str] = (),
        raised: bool | None = None,
        most_attempts: int = MOST_ATTEMPTS,
    ) -> None:
        """Raise `AssertionError` for each verdict, certain or not, whose kind is not allowed."""
        allowed = set(allow)
        for kind in allowed - {str(known) for known in Misbehaviour}:
            raise MisuseError(f"allow has {kind!r}.{suggest(kind, map(str, Misbehaviour))}")
        found = self.verdicts(raised=raised, most_attempts=most_attempts)
        wrong = [str(verdict) for verdict in found if verdict.kind not in allowed]
        if wrong:
            raise AssertionError("\n".join(wrong))

    def complain(self, text: str) -> None:
        """Have the test fail at its end."""
        self._complaints.append(text)

    def finish(self) -> tuple[str, ...]:
        """Return what is wrong at the end: requests without a rule, rules not used up."""
        if not self.strict:
            return ()
        unused = [
            f"{rule} served {rule.n_used} request(s); expected {rule.n_expected}. "
            "Mark it optional=True if it need not be used."
            for rule in self._rules
            if rule.n_used < rule.n_expected
        ]
        return (*self.complaints, *unused)

    # What a door asks

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts that are played."""
        return self._vendors.hosts

    def installed(self, **how: Any) -> AbstractContextManager[Gateway]:  # noqa: ANN401
        """Take over all clients of httpx, httpx2 and aiohttp in this process until left."""
        from tierwise.doubles.gateway.installing import installed  # noqa: PLC0415  when asked for

        return installed(self, **how)

    async def handle(self, http: HttpRequest) -> HttpResponse:
        """Return the answer to a request."""
        return (await self.serve(http)).response

    def handle_now(self, http: HttpRequest) -> HttpResponse:
        """Return the answer to a request, without an event loop."""
        return self.serve_now(http).response

    async def serve(self, http: HttpRequest) -> Entry:
        """Return the answer to a request as the journal keeps it."""
        entry = self.answer(http)
        return entry if isinstance(entry, Entry) else await entry

    def answer(self, http: HttpRequest) -> Entry | Awaitable[Entry]:
        """Return the answer as the journal keeps it, or what to await where it takes time."""
        pending = self._begin(http)
        if isinstance(pending, Entry):
            return pending
        found = self._find(pending)
        if isinstance(found, _READY):
            return self._finish(pending, found)
        return self._finish_later(pending, found)

    async def _finish_later(self, pending: Pending, found: Awaitable[Found]) -> Entry:
        return self._finish(pending, await found)

    def serve_now(self, http: HttpRequest) -> Entry:
        """Return the answer as the journal keeps it; async answers get a thread of their own."""
        pending = self._begin(http)
        if isinstance(pending, Entry):
            return pending
        found = self._find(pending)
        return self._finish(pending, found if isinstance(found, _READY) else wait_in_thread(found))

    def _begin(self, http: HttpRequest) -> Entry | Pending:
        at_s = self._clock()
        with self._lock:
            self._n_requests += 1
            number = self._n_requests
        moment = Moment(number=number, created=_FIRST_SECOND + number)
        try:
            found = self._vendors.find(http)
        except MissingExtraError as error:
            return self._give_up(http, moment, at_s, str(error))
        if found is None:
            return self._give_up(http, moment, at_s, _NOBODY.format(http=http))
        vendor, endpoint = found
        if endpoint is None:
            why = f"{vendor.name} has nothing at {http.method} {http.path}"
            refusal = Refusal(status=404, message=why, headers=(NOT_RETRIED,))
            self.complain(f"{why}; it was asked for there.")
            return self._refuse(http, vendor, refusal, moment, at_s=at_s)
        asked = vendor.read(endpoint, http, self.account)
        if isinstance(asked, Refusal):
            return self._refuse(http, vendor, asked, moment, at_s=at_s)
        return self._choose(vendor, asked, moment, at_s)

    def _choose(
        self, vendor: Vendor, asked: Asked, moment: Moment, at_s: float
    ) -> Entry | Pending:
        with self._lock:
            call = self._n_calls = self._n_calls + asked.endpoint.is_generation
            for rule in self._rules:
                if rule.matches(asked, call) and not rule.is_used_up:
                    return Pending(
                        vendor=vendor,
                        asked=asked,
                        rule=rule,
                        step=rule.take(),
                        moment=moment,
                        at_s=at_s,
                    )
        if not asked.endpoint.is_generation:
            response = vendor.say(asked, (), moment)
            return self._keep(asked.http, vendor.name, response, moment, at_s=at_s, asked=asked)
        why = explain_unmatched(self._rules, asked, call)
        self.complain(why)
        refusal = Refusal(status=400, message=why, headers=(NOT_RETRIED,))
        return self._refuse(asked.http, vendor, refusal, moment, at_s=at_s, asked=asked)

    def _find(self, pending: Pending) -> Found | Awaitable[Found]:
        missing = pending.rule.check()
        if missing is not None:
            self.complain(missing)
            return Refusal(status=400, message=missing, headers=(NOT_RETRIED,))
        source = pending.step.source
        if source is None:
            return (Say(),)
        situation = Situation(number=pending.moment.number, seed=self.seed, state=self.state)
        try:
            found = source.find(pending.asked, situation)
        except Exception as error:  # noqa: BLE001  a client would retry it and hide it
            return self._blame(pending, error)
        return found if isinstance(found, _READY) else self._await(pending, found)

    async def _await(self, pending: Pending, found: Awaitable[Found]) -> Found:
        try:
            return await found
        except Exception as error:  # noqa: BLE001  as above
            return self._blame(pending, error)

    def _blame(self, pending: Pending, error: Exception) -> Refusal:
        """Refuse what an answer of the test's own could not be made for, and complain of it."""
        why = f"{pending.rule} could not answer: {type(error).__name__}: {error}"
        self.complain(why)
        return Refusal(status=400, message=why, headers=(NOT_RETRIED,))

    def _finish(self, pending: Pending, found: Found) -> Entry:
        latency = pending.step.latency or self.latency
        response = form_response(pending, found, latency=latency, seed=self.seed)
        faults = ", ".join(fault.name for fault in pending.step.faults)
        return self._keep(
            pending.asked.http,
            pending.vendor.name,
            response,
            pending.moment,
            at_s=pending.at_s,
            asked=pending.asked,
            rule=str(pending.rule),
            fault=faults or None,
        )

    def _refuse(
        self,
        http: HttpRequest,
        vendor: Vendor,
        refusal: Refusal,
        moment: Moment,
        *,
        at_s: float,
        asked: Asked | None = None,
    ) -> Entry:
        response = vendor.refuse(refusal, moment)
        why = refusal.rule or refusal.message or str(refusal.status)
        return self._keep(http, vendor.name, response, moment, at_s=at_s, refused=why, asked=asked)

    def _give_up(self, http: HttpRequest, moment: Moment, at_s: float, why: str) -> Entry:
        """Refuse what no vendor is there for, in nobody's words."""
        self.complain(why)
        response = HttpResponse(
            status=404,
            headers=(("content-type", "text/plain; charset=utf-8"), NOT_RETRIED),
            chunks=(Chunk(why.encode()),),
        )
        return self._keep(http, None, response, moment, at_s=at_s, refused=why)

    def _keep(
        self,
        http: HttpRequest,
        vendor: str | None,
        response: HttpResponse,
        moment: Moment,
        **known: Any,  # noqa: ANN401  fields of an Entry
    ) -> Entry:
        entry = Entry(
            number=moment.number,
            vendor=vendor,
            status=response.status,
            raw=http,
            raw_asked=known.pop("asked", None),
            response=response,
            **known,
        )
        self._journal.add(entry)
        return entry


_NOBODY = (
    "No vendor that the gateway plays has anything at {http.method} {http.host}{http.path}; "
    "it was asked for there."
)


def _read_clock() -> float:
    # Looked up anew: a test may have put another clock in place.
    return time.monotonic()
