"""The gateway: takes a request, finds its rule, and answers as the vendor would."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self, Unpack

from tierwise.domain.masking import secrets_of_environment
from tierwise.doubles.gateway.client_verdicts import (
    MOST_ATTEMPTS,
    ClientVerdict,
    Misbehaviour,
    judge_client,
)
from tierwise.doubles.gateway.criteria import Wanted, form_criteria
from tierwise.doubles.gateway.desk import Desk
from tierwise.doubles.gateway.explaining import explain_unknown_model
from tierwise.doubles.gateway.journal import MOST_KEPT, Entry, Requests
from tierwise.doubles.gateway.rule import Rule
from tierwise.doubles.gateway.scenario import apply_scenario
from tierwise.doubles.gateway.vendor import Account
from tierwise.doubles.gateway.vendors import Vendors
from tierwise.errors import MisuseError, suggest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping
    from contextlib import AbstractContextManager

    from tierwise.doubles.gateway.answers import AnswerFunction, AnswerLike
    from tierwise.doubles.gateway.latency import Latency
    from tierwise.doubles.gateway.serving import Server
    from tierwise.doubles.gateway.vendor import Vendor
    from tierwise.doubles.gateway.wire import HttpRequest, HttpResponse


_MOST_COMPLAINTS = 1000


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
        made = Vendors(made=vendors, hosts=hosts)
        self._desk = Desk(self, made, most_kept=most_kept, clock=clock)
        self._complaints: list[str] = []
        self._keys: Mapping[str, str] | None = None

    # What a test says

    def when(self, *, optional: bool = False, **criteria: Unpack[Wanted]) -> Rule:
        """Begin a rule for the requests that meet all `criteria`.

        The criteria are those of `Criteria`: vendor, model, path, header, last_user, system, text,
        tool, tool_result, schema, stream, turn, call, endpoint, predicate. Without any the rule is
        for every request that asks a model for an answer. The first rule that is for a request,
        and has an answer left, serves it. A rule has to be used by the end of the
        test unless it is `optional`.
        """
        rule = Rule(form_criteria(criteria), index=len(self._desk.rules), optional=optional)
        self._desk.rules.append(rule)
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
            self._desk.vendors.add_hosts(hosts)
            self._desk.readings.forget()
        return self

    def load(self, path: str | os.PathLike[str]) -> Self:
        """Add the settings and the rules of a scenario file, TOML or YAML."""
        from tierwise.doubles.gateway.scenario_file import read_scenario  # noqa: PLC0415

        apply_scenario(self, read_scenario(path), where=os.fspath(path))
        return self

    def queue(self, *answers: AnswerLike | AnswerFunction) -> Rule:
        """Answer the next requests, whatever they ask, with these in order."""
        return self.when().sequence(*answers)

    # Record and replay

    def replay(
        self,
        path: str | os.PathLike[str],
        *,
        repeat: bool = False,
        ignore: Iterable[str] = (),
        max_age_days: float | None = None,
        with_delays: bool = False,
        upstreams: Mapping[str, str] | None = None,
        secrets: Iterable[str] = (),
    ) -> Self:
        """Answer with what a cassette holds, each interaction once and in its order.

        A request that it does not hold is for the rules; without one it is refused, and the
        message shows in what it differs from the nearest. `ignore` names places that may differ,
        such as `body.metadata`. `repeat` keeps the last answer to a request for all further ones.
        An older cassette than `max_age_days` fails the test. Under `pytest --tierwise-record`
        the real vendors answer instead, and the cassette is written; `upstreams` and `secrets`
        are those of `record`.
        """
        if self._keys is not None:
            return self.record(path, upstreams=upstreams, keys=self._keys, secrets=secrets)
        from tierwise.doubles.gateway.cassettes.file import read_cassette  # noqa: PLC0415
        from tierwise.doubles.gateway.cassettes.replaying import Replayer  # noqa: PLC0415

        cassette = read_cassette(path)
        age_days = cassette.age_days(datetime.now(UTC))
        if max_age_days is not None and age_days > max_age_days:
            self.complain(
                f"The cassette {os.fspath(path)} is {age_days:.0f} days old; expected "
                f"{max_age_days:g} at most. Record it anew: pytest --tierwise-record."
            )
        self._desk.cassette = Replayer(
            cassette,
            where=os.fspath(path),
            repeat=repeat,
            ignore=ignore,
            with_delays=with_delays,
        )
        return self

    def record(
        self,
        path: str | os.PathLike[str],
        *,
        upstreams: Mapping[str, str] | None = None,
        keys: Mapping[str, str] | None = None,
        secrets: Iterable[str] = (),
    ) -> Self:
        """Pass all requests on to the real vendors, and write a cassette of what they answer.

        `upstreams` says where a vendor is, if elsewhere; a vendor's key in `keys` takes the place
        of the obviously fake one. Whatever looks like a key, `keys`, `secrets`, what the client
        sends as its key and the environment's secrets are masked before anything is written.
        `finish` puts the file in its place.
        """
        from tierwise.doubles.gateway.cassettes.recording import Recorder  # noqa: PLC0415

        recorder = Recorder(
            path,
            recorded_at=datetime.now(UTC),
            upstreams=upstreams,
            keys=keys,
            secrets=(*secrets, *secrets_of_environment(os.environ)),
        )
        self.allow_hosts |= recorder.hosts
        self._desk.cassette = recorder
        return self

    def record_in_place_of_replay(self, keys: Mapping[str, str]) -> None:
        """Have `replay` record, as `pytest --tierwise-record` does."""
        self._keys = keys

    # What a test asks

    @property
    def requests(self) -> Requests:
        """All requests so far."""
        return self._desk.journal.requests

    @property
    def n_forgotten(self) -> int:
        """How many requests the bounded journal no longer holds."""
        return self._desk.journal.n_dropped

    @property
    def complaints(self) -> tuple[str, ...]:
        """What was asked that nothing was there for."""
        return tuple(self._complaints) if self.strict else ()

    @property
    def unused(self) -> tuple[str, ...]:
        """What is said of each rule that has not served all its requests."""
        hint = explain_unknown_model(self._desk.journal)
        return tuple(
            f"{rule} served {rule.n_used} request(s); expected {rule.n_expected}. "
            f"Mark it optional=True if it need not be used.{hint}"
            for rule in self._desk.rules
            if rule.n_used < rule.n_expected
        )

    def verdicts(
        self, *, raised: bool | None = None, most_attempts: int = MOST_ATTEMPTS
    ) -> tuple[ClientVerdict, ...]:
        """Return what the journal shows to be wrong with the client.

        `raised` says whether the client told its caller of the failure by an error, which only
        the test knows; without it some verdicts are not certain.
        """
        return judge_client(self._desk.journal, raised=raised, most_attempts=most_attempts)

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
        """Have the test fail at its end; the first thousand complaints are kept."""
        if len(self._complaints) < _MOST_COMPLAINTS:
            self._complaints.append(text)

    def finish(self) -> tuple[str, ...]:
        """Return what is wrong at the end: requests without a rule, rules not used up.

        A recording is put in its place.
        """
        cassette = self._desk.cassette
        unplayed = () if cassette is None else cassette.finish()
        if not self.strict:
            return ()
        return (*self.complaints, *self.unused, *unplayed)

    # What a door asks

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts that are played."""
        return self._desk.vendors.hosts

    def installed(self, **how: Any) -> AbstractContextManager[Gateway]:  # noqa: ANN401
        """Take over all clients of httpx, httpx2 and aiohttp in this process until left."""
        from tierwise.doubles.gateway.installing import installed  # noqa: PLC0415  when asked for

        return installed(self, **how)

    def running(self, *, host: str = "127.0.0.1", port: int = 0) -> AbstractContextManager[Server]:
        """Serve any program on a port until left; 0 takes a port that is free."""
        from tierwise.doubles.gateway.serving import running  # noqa: PLC0415  when asked for

        return running(self, host=host, port=port)

    def warm(self) -> None:
        """Load the vendors whose SDK is installed, so that no request has to wait for it."""
        self._desk.vendors.warm()

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
        return self._desk.answer(http)

    def serve_now(self, http: HttpRequest) -> Entry:
        """Return the answer as the journal keeps it; async answers get a thread of their own."""
        return self._desk.serve_now(http)
