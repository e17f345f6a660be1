"""What tokens cost in USD: the project's own prices first, then the list of genai-prices."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tierwise.domain import Usage
from tierwise.errors import ConfigError, EvalUsageError, MissingExtraError, suggest
from tierwise.providers.spec import is_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.providers import Provider

    Rate = Callable[[Usage], float]

_MILLION = 1_000_000
_PROBE = 1_000  # tokens: far below each threshold from which a vendor's price changes
_KEYS = ("input", "output", "cached_input")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """USD for a million tokens; `cached_input` is what the prompt's cached part costs."""

    input: float
    output: float
    cached_input: float | None = None

    def cost(self, usage: Usage) -> float:
        """Return the cost; reasoning is part of the output and is not paid twice."""
        cached = min(usage.cached_input_tokens, usage.input_tokens)
        per_cached = self.input if self.cached_input is None else self.cached_input
        usd = (usage.input_tokens - cached) * self.input + cached * per_cached
        return (usd + usage.output_tokens * self.output) / _MILLION


def read_prices(table: Mapping[str, object], *, where: str) -> dict[str, Price]:
    """Return the prices that a table of the configuration names, model by model."""
    return {model: _read_price(model, entry, where) for model, entry in table.items()}


def _read_price(model: str, entry: object, where: str) -> Price:
    place = f"pyproject.toml, [{where}]: {model!r}"
    example = f'"{model}" = {{ input = 0.25, output = 2.0 }} (USD for a million tokens)'
    if not isinstance(entry, dict):
        raise ConfigError(f"{place} is {entry!r}, expected a table such as {example}.")
    for key, value in entry.items():
        if key not in _KEYS:
            raise ConfigError(f"{place} has no key {key!r}.{suggest(key, _KEYS)}")
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value < float("inf"):
            raise ConfigError(f"{place}: {key} is {value!r}, expected a number of 0 or more.")
    for key in ("input", "output"):
        if key not in entry:
            raise ConfigError(f"{place} has no {key!r}; expected {example}.")
    return Price(**entry)


class PriceList:
    """Finds what a provider's tokens cost; never asks the network.

    The list comes with the installed genai-prices and is as old as that. What runs on this
    machine, and what reaches no model, is free. What is not found has no price, which is not 0.
    """

    def __init__(self, own: Mapping[str, Price] | None = None) -> None:
        self._own = dict(own or {})
        self._known: dict[tuple[str, str], Rate | None] = {}

    def rate_of(self, provider: Provider, model: str = "") -> Rate | None:
        """Return what turns a usage into USD for this provider, when `model` answered."""
        asked = model_of(provider)
        for name in (model, asked, provider.name):
            if name in self._own:
                return self._own[name].cost
        if is_free(provider):
            return free_of_charge
        url = url_of(provider)
        for name in filter(None, (model, asked)):
            if (url, name) not in self._known:
                self._known[url, name] = _look_up(name, url)
            rate = self._known[url, name]
            if rate is not None:
                return rate
        return None

    def require(self, provider: Provider) -> None:
        """Refuse a budget in USD for a provider whose price nobody knows."""
        if self.rate_of(provider) is not None:
            return
        if _import_prices() is None:
            raise MissingExtraError(
                f"A budget in USD needs the prices of {provider.name!r}: "
                "pip install 'tierwise[evals]', or set the budget in tokens (--max-tokens)."
            )
        model = model_of(provider) or provider.name
        raise EvalUsageError(
            f"There is a budget in USD, and the price of {model!r} ({provider.name}) is not "
            "known, so nobody could tell when it is spent. Set the budget in tokens "
            "(--max-tokens) or calls (--max-calls), or give the price in "
            f'[tool.tierwise.evals.prices]: "{model}" = {{ input = 0.25, output = 2.0 }} '
            "(USD for a million tokens)."
        )


def is_free(provider: Provider) -> bool:
    """Return whether calling it costs nothing: it reaches no model, or one on this machine."""
    return not provider.real or is_kind(provider, "local")


def model_of(provider: Provider) -> str:
    """Return the model that a provider asks for, where it says so."""
    model = getattr(provider, "model", "")
    return model if isinstance(model, str) else ""


def url_of(provider: Provider) -> str:
    """Return the address that a provider asks, where it says so."""
    found = (getattr(provider, name, "") for name in ("url", "base_url"))
    return next((url for url in found if isinstance(url, str) and url), "")


def free_of_charge(_usage: Usage) -> float:
    """Return 0: what runs here, or reaches no model, costs nothing."""
    return 0.0


def _look_up(model: str, url: str) -> Rate | None:
    if _is_on_this_machine(url):  # a server of one's own: no list knows it, nor need it be read
        return None
    prices = _import_prices()
    if prices is None:
        return None
    source = {"provider_api_url": url} if url else {}

    def cost(**usage: int) -> Any:  # noqa: ANN401  the library's own value
        return prices.calc_price(prices.Usage(**usage), model, **source)

    try:
        found = cost(input_tokens=_PROBE, output_tokens=_PROBE)
    except LookupError:
        return None
    listed = {key: value for key, value in vars(found.model_price).items() if value is not None}
    if not {"input_mtok", "output_mtok"} <= listed.keys():
        return None  # paid by something else than tokens
    exact: Rate = lambda usage: float(cost(**_as_listed(usage)).total_price)  # noqa: E731
    is_flat = all(isinstance(value, Decimal) for value in listed.values())
    return _straight(exact) if is_flat else exact


def _as_listed(usage: Usage) -> dict[str, int]:
    cached = min(usage.cached_input_tokens, usage.input_tokens)
    reasoning = min(usage.reasoning_tokens, usage.output_tokens)
    return {
        "input_tokens": usage.input_tokens,
        "cache_read_tokens": cached,
        "output_tokens": usage.output_tokens,
        "output_reasoning_tokens": reasoning,
    }


def _straight(exact: Rate) -> Rate:
    """Return the same price as a straight line: the library takes 0.2 ms for each look."""
    fixed = exact(Usage())

    def slope(**usage: int) -> float:
        return (exact(Usage(**usage)) - fixed) / _PROBE

    read = slope(input_tokens=_PROBE)
    again = slope(input_tokens=_PROBE, cached_input_tokens=_PROBE)
    said = slope(output_tokens=_PROBE)
    thought = slope(output_tokens=_PROBE, reasoning_tokens=_PROBE)

    def cost(usage: Usage) -> float:
        counts = _as_listed(usage)
        cached, reasoning = counts["cache_read_tokens"], counts["output_reasoning_tokens"]
        paid_in = (usage.input_tokens - cached) * read + cached * again
        return fixed + paid_in + (usage.output_tokens - reasoning) * said + reasoning * thought

    return cost


def _is_on_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _import_prices() -> Any:  # noqa: ANN401  a module, or None
    try:
        import genai_prices  # noqa: PLC0415  an extra
    except ImportError:
        return None
    return genai_prices
