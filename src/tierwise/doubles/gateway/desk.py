"""The desk of the gateway: takes a request in, finds who answers it, and writes it down."""

from __future__ import annotations

import inspect
import threading
import time
from typing import TYPE_CHECKING, Any

from tierwise.domain.masking import mask_keys
from tierwise.doubles.gateway.answering import Pending, form_response, wait_in_thread
from tierwise.doubles.gateway.explaining import explain_unmatched
from tierwise.doubles.gateway.journal import Entry, Journal
from tierwise.doubles.gateway.readings import Readings
from tierwise.doubles.gateway.saying import Refusal, Say
from tierwise.doubles.gateway.steps import Fixed, Situation
from tierwise.doubles.gateway.vendor import Moment
from tierwise.doubles.gateway.vendors import guess_vendor
from tierwise.doubles.gateway.wire import Chunk, HttpResponse
from tierwise.errors import GatewayError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.cassettes.recording import Recorder
    from tierwise.doubles.gateway.cassettes.replaying import Replayer
    from tierwise.doubles.gateway.gateway import Gateway
    from tierwise.doubles.gateway.readings import Reading
    from tierwise.doubles.gateway.rule import Rule
    from tierwise.doubles.gateway.steps import Found
    from tierwise.doubles.gateway.vendor import Vendor
    from tierwise.doubles.gateway.vendors import Vendors
    from tierwise.doubles.gateway.wire import HttpRequest

_FIRST_SECOND = 1_767_225_600
"""What `created` counts from, so that two runs say the same: the start of 2026."""
NOT_RETRIED = ("x-should-retry", "false")
_READY = (tuple, Refusal)
"""What an answer is when nothing has to be awaited for it."""


class Desk:
    """Answers the requests of one gateway, by its settings as they are at that moment."""

    def __init__(
        self,
        gateway: Gateway,
        vendors: Vendors,
        *,
        most_kept: int,
        clock: Callable[[], float] | None,
    ) -> None:
        self.vendors = vendors
        self.rules: list[Rule] = []
        self.journal = Journal(most_kept)
        self.readings = Readings(vendors)
        self.cassette: Recorder | Replayer | None = None
        """What answers before the rules do."""
        self._gateway = gateway
        self._clock = clock or _read_clock
        self._n_requests = self._n_calls = 0
        self._lock = threading.Lock()

    def answer(self, http: HttpRequest) -> Entry | Awaitable[Entry]:
        """Return the answer as the journal keeps it, or what to await where it takes time."""
        moment, at_s = self._count(), self._clock()
        if self.cassette is not None:
            played = self.cassette.find(http)
            if inspect.isawaitable(played):
                return self._play_later(http, played, moment, at_s)
            if played is not None:
                return self._play(http, played, moment, at_s)
            if not self.rules:
                why = self.cassette.explain(http)
                return self._refuse_played(http, moment, at_s, why, status=400)
        pending = self._begin(http, moment, at_s)
        if isinstance(pending, Entry):
            return pending
        found = self._find(pending)
        if isinstance(found, _READY):
            return self._finish(pending, found)
        return self._finish_later(pending, found)

    def _play(
        self, http: HttpRequest, response: HttpResponse, moment: Moment, at_s: float
    ) -> Entry:
        name, asked = self._read_played(http)
        return self._keep(http, name, response, moment, at_s=at_s, asked=asked, rule="cassette")

    async def _play_later(
        self, http: HttpRequest, played: Awaitable[HttpResponse], moment: Moment, at_s: float
    ) -> Entry:
        try:
            response = await played
        except GatewayError as error:
            return self._refuse_played(http, moment, at_s, error.args[0], status=502)
        return self._play(http, response, moment, at_s)

    def _read_played(self, http: HttpRequest) -> tuple[str, Asked | None]:
        """Return what can be told of a request that the cassette answers."""
        reading = self._try_to_read(http)
        if reading is None:
            return guess_vendor(http), None
        asked = reading.asked
        return reading.vendor.name, None if isinstance(asked, Refusal) else asked

    def _refuse_played(
        self, http: HttpRequest, moment: Moment, at_s: float, why: str, *, status: int
    ) -> Entry:
        """Refuse in the vendor's words, so that its SDK shows why; in nobody's without the SDK."""
        reading = self._try_to_read(http)
        if reading is None:
            return self._give_up(http, moment, at_s, why, status=status)
        told = mask_keys(why)
        self._gateway.complain(told)
        refusal = Refusal(status=status, message=told, headers=(NOT_RETRIED,))
        return self._refuse(http, reading.vendor, refusal, moment, at_s=at_s)

    def _try_to_read(self, http: HttpRequest) -> Reading | None:
        """Return how a request is read; None without the SDK, which a cassette does not need."""
        try:
            return self.readings.read(http, self._gateway.account)
        except MissingExtraError:
            return None

    async def _finish_later(self, pending: Pending, found: Awaitable[Found]) -> Entry:
        return self._finish(pending, await found)

    def serve_now(self, http: HttpRequest) -> Entry:
        """Return the answer as the journal keeps it; async answers get a thread of their own."""
        entry = self.answer(http)
        return entry if isinstance(entry, Entry) else wait_in_thread(entry)

    def _count(self) -> Moment:
        with self._lock:
            self._n_requests += 1
            number = self._n_requests
        return Moment(number=number, created=_FIRST_SECOND + number)

    def _begin(self, http: HttpRequest, moment: Moment, at_s: float) -> Entry | Pending:
        try:
            reading = self.readings.read(http, self._gateway.account)
        except MissingExtraError as error:
            return self._give_up(http, moment, at_s, str(error))
        except Exception as error:  # noqa: BLE001  a client would take it for a lost connection
            why = f"{_OURS.format(http=http)}: {type(error).__name__}: {error}"
            return self._give_up(http, moment, at_s, why, status=500)
        if reading is None:
            return self._give_up(http, moment, at_s, _NOBODY.format(http=http))
        vendor, asked = reading.vendor, reading.asked
        if asked is None:
            why = mask_keys(f"{vendor.name} has nothing at {http.method} {http.path}")
            refusal = Refusal(status=404, message=why, headers=(NOT_RETRIED,))
            self._gateway.complain(f"{why}; it was asked for there.")
            return self._refuse(http, vendor, refusal, moment, at_s=at_s)
        if isinstance(asked, Refusal):
            return self._refuse(http, vendor, asked, moment, at_s=at_s)
        return self._choose(reading, asked, moment, at_s)

    def _choose(
        self, reading: Reading, asked: Asked, moment: Moment, at_s: float
    ) -> Entry | Pending:
        vendor = reading.vendor
        with self._lock:
            call = self._n_calls = self._n_calls + asked.endpoint.is_generation
            for rule in self.rules:
                if rule.matches(asked, call) and not rule.is_used_up:
                    return Pending(
                        reading=reading,
                        asked=asked,
                        rule=rule,
                        step=rule.take(),
                        moment=moment,
                        at_s=at_s,
                    )
        if not asked.endpoint.is_generation:
            response = vendor.say(asked, (), moment)
            return self._keep(asked.http, vendor.name, response, moment, at_s=at_s, asked=asked)
        why = explain_unmatched(self.rules, asked, call)
        if self.cassette is not None:
            why = f"{why} {mask_keys(self.cassette.explain(asked.http))}"
        self._gateway.complain(why)
        refusal = Refusal(status=400, message=why, headers=(NOT_RETRIED,))
        return self._refuse(asked.http, vendor, refusal, moment, at_s=at_s, asked=asked)

    def _find(self, pending: Pending) -> Found | Awaitable[Found]:
        missing = pending.rule.check()
        if missing is not None:
            self._gateway.complain(missing)
            return Refusal(status=400, message=missing, headers=(NOT_RETRIED,))
        source = pending.step.source
        if source is None:
            return (Say(),)
        if isinstance(source, Fixed):
            return source.answer
        situation = Situation(
            number=pending.moment.number, seed=self._gateway.seed, state=self._gateway.state
        )
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
        self._gateway.complain(why)
        return Refusal(status=400, message=why, headers=(NOT_RETRIED,))

    def _finish(self, pending: Pending, found: Found) -> Entry:
        latency = pending.step.latency or self._gateway.latency
        response = form_response(pending, found, latency=latency, seed=self._gateway.seed)
        faults = ", ".join(fault.name for fault in pending.step.faults)
        return self._keep(
            pending.asked.http,
            pending.reading.vendor.name,
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

    def _give_up(
        self, http: HttpRequest, moment: Moment, at_s: float, why: str, *, status: int = 404
    ) -> Entry:
        """Refuse what no vendor is there for, in nobody's words."""
        told = mask_keys(why)
        self._gateway.complain(told)
        response = HttpResponse(
            status=status,
            headers=(("content-type", "text/plain; charset=utf-8"), NOT_RETRIED),
            chunks=(Chunk(told.encode("utf-8", "replace")),),
        )
        return self._keep(http, None, response, moment, at_s=at_s, refused=told)

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
        self.journal.add(entry)
        return entry


_OURS = "The gateway itself failed to read {http.method} {http.path}, which is a fault of tierwise"
_NOBODY = (
    "No vendor that the gateway plays has anything at {http.method} {http.host}{http.path}; "
    "it was asked for there."
)


def _read_clock() -> float:
    # Looked up anew: a test may have put another clock in place.
    return time.monotonic()
