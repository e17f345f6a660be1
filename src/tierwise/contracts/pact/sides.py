"""Both sides of a Pact: a double that answers the consumer, and the check of the provider."""

from __future__ import annotations

import asyncio
import http.client
import inspect
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from tierwise.contracts.pact.comparing import compare_requests, compare_responses, parse_body
from tierwise.contracts.pact.files import (
    Pact,
    PactInteraction,
    PactRequest,
    PactResponse,
    read_pact,
)
from tierwise.contracts.replaying import InteractionReport, ScenarioResult
from tierwise.domain import Outcome
from tierwise.errors import MisuseError, suggest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path

    Ask = Callable[[PactRequest], PactResponse | Awaitable[PactResponse]]
    State = Callable[[Mapping[str, Any]], object]

_REFUSED = 500
_TIMEOUT_S = 30.0


class PactDouble:
    """Answers as a Pact says; what it does not hold is refused, and what nobody asked is told."""

    def __init__(self, pact: Pact) -> None:
        self._pact = pact
        self._unused = list(pact.interactions)
        self._complaints: list[str] = []

    def answer(self, request: PactRequest) -> PactResponse:
        """Return the response of the interaction that the request belongs to."""
        found = [(one, compare_requests(one.request, request)) for one in self._pact.interactions]
        for one, differences in found:
            if not differences:
                self._unused = [other for other in self._unused if other is not one]
                return replace(one.response, rules={})
        nearest = min(found, key=lambda entry: len(entry[1]), default=None)
        complaint = f"No interaction for {request.method} {request.path}."
        if nearest is not None:
            told = "; ".join(map(str, nearest[1]))
            complaint += f" The nearest is {nearest[0].description!r}: {told}."
        self._complaints.append(complaint)
        return PactResponse(status=_REFUSED, body=complaint)

    def finish(self) -> tuple[str, ...]:
        """Return what was asked and not held, and what was held and never asked."""
        unused = (f"Never asked: {one.description!r}." for one in self._unused)
        return (*self._complaints, *unused)


def verify_pact(
    pact: Pact | str | Path, ask: Ask, *, given: Mapping[str, State] | None = None
) -> InteractionReport:
    """Send each request of a Pact to the provider and compare what comes with what was agreed.

    `ask` sends one request, as `ask_at(url)` does. `given` brings the provider into a state; it
    is handed the state's parameters. What is not HTTP is `unobservable`.
    """
    agreed = pact if isinstance(pact, Pact) else read_pact(pact)
    states = given or {}
    if not agreed.interactions and not agreed.others:
        raise MisuseError("The Pact holds no interactions: nothing would be checked.")
    for one in agreed.interactions:
        for name in one.given:
            if name not in states:
                raise MisuseError(
                    f"{one.description!r}: nobody brings the provider into the state {name!r}."
                    f"{suggest(name, states)} Add it to given=."
                )
    others = (
        ScenarioResult(
            description=str(one.get("description", "")),
            outcome=Outcome.UNOBSERVABLE,
            reason=f"it is of type {one.get('type')!r}, and only HTTP can be asked",
        )
        for one in agreed.others
    )
    return InteractionReport(
        results=(*(_try(one, ask, states) for one in agreed.interactions), *others)
    )


@dataclass(frozen=True, slots=True)
class _At:
    url: str

    def __call__(self, request: PactRequest) -> PactResponse:
        where = urlsplit(self.url)
        kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
        if where.scheme not in kinds or not where.hostname:
            raise MisuseError(f"{self.url!r} is no address, such as http://127.0.0.1:8000.")
        connection = kinds[where.scheme](where.hostname, where.port, timeout=_TIMEOUT_S)
        try:
            query = urlencode({name: list(v) for name, v in request.query.items()}, doseq=True)
            target = where.path.rstrip("/") + request.path + (f"?{query}" if query else "")
            body = write_body(request.body)
            connection.request(request.method, target, body, dict(request.headers))
            response = connection.getresponse()
            headers = dict(response.getheaders())
            kind = response.getheader("Content-Type", "")
            content = parse_body(response.read(), kind)
        finally:
            connection.close()
        return PactResponse(status=response.status, headers=headers, body=content)


def ask_at(url: str) -> Callable[[PactRequest], PactResponse]:
    """Return what sends requests to a provider that runs at this address."""
    return _At(url)


def write_body(body: Any) -> bytes | None:  # noqa: ANN401
    """Return a body as it goes over the wire."""
    if body is None or isinstance(body, bytes):
        return body
    return (body if isinstance(body, str) else json.dumps(body)).encode()


def _try(one: PactInteraction, ask: Ask, states: Mapping[str, State]) -> ScenarioResult:
    async def wait(answer: Awaitable[PactResponse]) -> PactResponse:
        return await answer

    try:
        for name, parameters in one.given.items():
            states[name](parameters)
        answer = ask(one.request)
        actual = asyncio.run(wait(answer)) if inspect.isawaitable(answer) else answer
    except MisuseError:
        raise
    except Exception as error:  # noqa: BLE001  whatever it is, nothing is known then
        reason = f"{type(error).__name__}: {error}"
        return ScenarioResult(description=one.description, outcome=Outcome.ERROR, reason=reason)
    differences = compare_responses(one.response, actual)
    outcome = Outcome.FAILED if differences else Outcome.PASSED
    return ScenarioResult(description=one.description, outcome=outcome, differences=differences)
