"""A double that leaks and fails at known rates, to calibrate evals against the truth."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tierwise.errors import MisuseError
from tierwise.providers.checking import parse_reply, refuse
from tierwise.providers.log import CallLog
from tierwise.providers.made_up.answering import form_reply
from tierwise.providers.made_up.schema import fingerprint, make_up_reply
from tierwise.providers.protocol import Failure, FailureKind

if TYPE_CHECKING:
    from pydantic import BaseModel

    from tierwise.domain import Exchange
    from tierwise.providers.log import Call
    from tierwise.providers.protocol import Answer, Request, T

_HARMLESS = "That is nothing I could tell you about."


class SimulatedProvider:
    """Gives `secret` away in a share `leak_rate` of its replies, and `harmless` in the others.

    `secret=None` repeats the prompt: it leaks whatever it was shown, and can leak nothing else.
    `failure_rates` gives each failure kind its share of all calls; leaks are drawn among the
    rest. With a schema the text is put into its first free string field.

    Draws depend on `seed` and the request with its own seed alone, so trials with different
    request seeds are independent, and the same request always ends the same way, in any order.
    Requests without a seed are numbered instead, in the order in which they arrive.
    `keep_calls=False` keeps no calls, for runs of many trials.
    """

    real = False

    def __init__(
        self,
        *,
        secret: str | None = None,
        leak_rate: float = 0.0,
        harmless: str = _HARMLESS,
        failure_rates: Mapping[FailureKind, float] | None = None,
        latency_s: float = 0.0,
        seed: int = 0,
        name: str = "simulated",
        keep_calls: bool = True,
    ) -> None:
        self.name = name
        self._secret = secret
        self._leak_rate = _check_rate("leak_rate", leak_rate)
        self._harmless = harmless
        self._failure_rates = dict(failure_rates or {})
        for kind, rate in self._failure_rates.items():
            _check_rate(f"failure_rates[{kind.value!r}]", rate)
        _check_rate("the sum of failure_rates", math.fsum(self._failure_rates.values()))
        self._latency_s = latency_s
        self._seed = seed
        self._n_unseeded = 0
        self._log = CallLog(keeps=keep_calls)

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls, failures too, in the order in which they began."""
        return self._log.calls

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """All calls as labelled exchanges."""
        return self._log.exchanges(self.name)

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Draw how this call ends, and end it so."""
        return await self._log.keep(request, self._answer)

    def finish(self) -> tuple[str, ...]:
        """Return no complaints: nothing was promised, so nothing is left over."""
        return ()

    async def _answer(self, request: Request[T]) -> Answer[T] | Failure:
        refused = refuse(request)
        if refused is not None:
            return refused
        draw_key = f"{self._seed}/{fingerprint(request)}"
        if request.seed is None:
            draw_key += f"/{self._n_unseeded}"
            self._n_unseeded += 1
        if self._latency_s:
            await asyncio.sleep(self._latency_s)
        kind = pick_failure(self._failure_rates, draw_uniform(f"{draw_key}/failure"))
        if kind is not None:
            reply: Answer[T] | Failure = form_reply(
                form_failure(kind, self._harmless), request, model=self.name
            )
        else:
            leaks = draw_uniform(f"{draw_key}/leak") < self._leak_rate
            reply = form_reply(self._say(request, draw_key, leaks=leaks), request, model=self.name)
        return replace(reply, latency_s=self._latency_s)

    def _say(self, request: Request[Any], draw_key: str, *, leaks: bool) -> str | Failure:
        text = self._harmless
        if leaks:
            text = request.prompt_text if self._secret is None else self._secret
        if request.schema is None:
            return text
        made = make_up_reply(request, draw_key)
        if isinstance(made, Failure):
            return made
        placed = place_text(request.schema, made, text)
        # Without a leak any valid answer is harmless, so a schema without free text is too.
        return made if isinstance(placed, Failure) and not leaks else placed


def draw_uniform(key: str) -> float:
    """Return a number in [0, 1) that depends on the key alone and is spread evenly over keys."""
    digest = hashlib.sha256(key.encode(errors="surrogatepass")).digest()
    return (int.from_bytes(digest[:8]) >> 11) / 2**53


def pick_failure(rates: Mapping[FailureKind, float], draw: float) -> FailureKind | None:
    """Return the kind whose share of [0, 1) the draw falls into; None beyond all shares."""
    edge = 0.0
    for kind, rate in rates.items():
        edge += rate
        if draw < edge:
            return kind
    return None


def form_failure(kind: FailureKind, said: str) -> Failure:
    """Return a plausible failure of the kind; the model's own failures keep what was said."""
    return Failure(
        kind=kind,
        message=f"simulated {kind.value}",
        text=said if kind.is_scored else "",
        retry_after_s=1.0 if kind is FailureKind.BUSY else None,
    )


def place_text(schema: type[BaseModel], made: str, text: str) -> str | Failure:
    """Return valid JSON like `made` with `text` in the first string field that can hold it."""
    data = json.loads(made)
    for path in _find_strings(data, ()):
        changed = json.dumps(_put(data, path, text), ensure_ascii=False)
        parsed = parse_reply(changed, schema)
        if not isinstance(parsed, Failure) and text in _strings_of(parsed.model_dump(mode="json")):
            return changed
    return Failure(
        kind=FailureKind.BAD_REQUEST,
        message=f"{schema.__name__} has no string field that can hold the simulated reply; "
        "simulate with a schema that has a free text field.",
    )


def _find_strings(data: object, path: tuple[int | str, ...]) -> list[tuple[int | str, ...]]:
    if isinstance(data, str):
        return [path]
    pairs: list[tuple[int | str, object]] = []
    if isinstance(data, dict):
        pairs = list(data.items())
    elif isinstance(data, list):
        pairs = list(enumerate(data))
    return [found for step, inner in pairs for found in _find_strings(inner, (*path, step))]


def _strings_of(data: object) -> list[str]:
    if isinstance(data, str):
        return [data]
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [text for one in inner for text in _strings_of(one)]


def _put(data: Any, path: tuple[int | str, ...], text: str) -> Any:  # noqa: ANN401  JSON
    if not path:
        return text
    step, rest = path[0], path[1:]
    changed: Any = dict(data) if isinstance(data, Mapping) else list(data)
    changed[step] = _put(data[step], rest, text)
    return changed


def _check_rate(what: str, rate: float) -> float:
    if not 0.0 <= rate <= 1.0:
        raise MisuseError(f"{what} of a SimulatedProvider is {rate}; expected 0 to 1.")
    return rate
