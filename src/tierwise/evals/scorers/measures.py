"""How long did the answers take, and what did they cost?"""

from __future__ import annotations

import math
from collections.abc import Iterable

from tierwise.domain import Exchange
from tierwise.errors import ScorerError
from tierwise.evals.scored import JUDGE


def latency_s(said: Exchange | Iterable[Exchange]) -> float:
    """Return how many seconds the answers took in all, waiting for limits and retries left out.

    Exchanges with a judge are left out. Refused is what no claim can rest on: an answer from a
    cache, a call that was not answered, an answer whose latency nobody measured. Pick one
    exchange, `latency_s(trial.exchanges[-1])`, where answers come side by side. What a dry run
    makes up takes no time.
    """
    return math.fsum(_require_latency(exchange) for exchange in _require_live(said, "latency"))


def cost_usd(said: Exchange | Iterable[Exchange]) -> float:
    """Return what the calls cost in all, their failed attempts included, in US dollars.

    Exchanges with a judge are left out. Refused is an answer from a cache, and a call whose price
    is unknown: an unknown price is not 0.
    """
    return math.fsum(_require_cost(exchange) for exchange in _require_live(said, "cost"))


def _require_live(said: object, what: str) -> list[Exchange]:
    given = [said] if isinstance(said, Exchange) else said
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ScorerError(
            f"A {what} is read from exchanges, such as trial.exchanges; found {said!r}, of type "
            f"{type(said).__name__}."
        )
    found = []
    for exchange in given:
        if not isinstance(exchange, Exchange):
            raise ScorerError(
                f"A {what} is read from exchanges; found {exchange!r}, of type "
                f"{type(exchange).__name__}."
            )
        if exchange.purpose == JUDGE:
            continue
        if exchange.source not in ("live", "made_up"):
            raise ScorerError(
                f"An answer came from {exchange.source!r}, and not from a model that was called: "
                f"its {what} is that of an earlier call. Run without a cache to measure it."
            )
        found.append(exchange)
    if not found:
        raise ScorerError(f"There is no exchange whose {what} could be read: nothing was asked.")
    return found


def _require_latency(exchange: Exchange) -> float:
    if exchange.source == "made_up":
        return 0.0
    if exchange.failure is not None and not exchange.reply:
        raise ScorerError(
            f"A call was not answered ({exchange.failure}): how long an answer takes is unknown."
        )
    if not exchange.latency_s > 0:
        raise ScorerError(
            f"The latency of an answer by {exchange.provider or 'a provider'!r} is "
            f"{exchange.latency_s!r} s: nobody measured it, which is not the same as no time."
        )
    return exchange.latency_s


def _require_cost(exchange: Exchange) -> float:
    if exchange.source == "made_up":
        return 0.0
    if exchange.cost_usd is None or not math.isfinite(exchange.cost_usd):
        raise ScorerError(
            f"The price of {exchange.model or exchange.provider or 'a model'!r} is unknown, and "
            "unknown is not 0: count tokens instead, said.usage.total_tokens."
        )
    return exchange.cost_usd
