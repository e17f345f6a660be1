"""What tokens cost, and that nobody takes a price that is not known for none."""

from __future__ import annotations

import sys
from typing import Any

import genai_prices
import pytest

from tierwise.domain import Usage
from tierwise.errors import ConfigError, EvalUsageError, MissingExtraError
from tierwise.evals.budget import Budget
from tierwise.evals.calling import Caller
from tierwise.evals.pricing import Price, PriceList, read_prices
from tierwise.evals.purse import Purse
from tierwise.providers import LocalProvider, MockProvider, Provider

USAGE = Usage(
    input_tokens=12_000, output_tokens=700, cached_input_tokens=4_000, reasoning_tokens=300
)


class Vendor(MockProvider):
    """A provider that reaches a model."""

    real = True

    def __init__(self, model: str = "", url: str = "") -> None:
        super().__init__(name="vendor")
        self.model = model
        self.url = url


def listed(model: str, usage: Usage = USAGE) -> float:
    """Return what the library itself says."""
    found = genai_prices.calc_price(
        genai_prices.Usage(
            input_tokens=usage.input_tokens,
            cache_read_tokens=usage.cached_input_tokens,
            output_tokens=usage.output_tokens,
        ),
        model,
    )
    return float(found.total_price)


def cost(prices: PriceList, provider: Provider, model: str = "", usage: Usage = USAGE) -> Any:
    rate = prices.rate_of(provider, model)
    return None if rate is None else rate(usage)


@pytest.mark.parametrize("model", ["gpt-5-mini", "claude-sonnet-4-5", "gemini-2.5-pro"])
@pytest.mark.parametrize("n_read", [12_000, 300_000], ids=["short", "beyond a threshold"])
def test_prices_are_those_of_the_list(model: str, n_read: int) -> None:
    """Cached input at its own price, reasoning not paid twice, thresholds kept."""
    usage = Usage(
        input_tokens=n_read,
        output_tokens=700,
        cached_input_tokens=4_000,
        reasoning_tokens=300,
    )
    assert cost(PriceList(), Vendor(model), usage=usage) == pytest.approx(listed(model, usage))


def test_the_model_that_answered_decides_and_the_one_asked_for_steps_in() -> None:
    """An alias answers under the name of a dated model, or of none that is known."""
    prices = PriceList()
    assert cost(prices, Vendor("gpt-5-mini"), "gpt-5-nano") == pytest.approx(listed("gpt-5-nano"))
    assert cost(prices, Vendor("gpt-5-mini"), "weird") == pytest.approx(listed("gpt-5-mini"))


@pytest.mark.parametrize(
    "provider",
    [
        Vendor("no-such-model-1"),
        Vendor(),
        Vendor("gpt-5-mini", url="http://127.0.0.1:8000/v1"),
        Vendor("gpt-5-mini", url="http://localhost:8000/v1"),
        Vendor("gpt-5-mini", url="https://models.example.com/v1"),
    ],
    ids=["unknown", "nameless", "own server", "own server by name", "somebody's server"],
)
def test_a_price_that_is_not_known_is_none(provider: Provider) -> None:
    """A server of somebody's own takes what it likes, whatever it calls its model."""
    assert cost(PriceList(), provider) is None


def test_for_a_server_on_this_machine_no_list_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes half a second and knows nothing about it."""

    class Unread:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(f"{name} was read")

    monkeypatch.setitem(sys.modules, "genai_prices", Unread())  # type: ignore[arg-type]
    assert cost(PriceList(), Vendor("m", url="http://[::1]:8000/v1")) is None


def test_the_vendor_s_own_address_is_known() -> None:
    """There the list holds."""
    provider = Vendor("gpt-5-mini", url="https://api.openai.com/v1")
    assert cost(PriceList(), provider) == pytest.approx(listed("gpt-5-mini"))


@pytest.mark.parametrize("provider", [MockProvider(), object.__new__(LocalProvider)])
def test_what_runs_here_or_reaches_no_model_is_free(provider: Provider) -> None:
    """Doubles, and a model on this machine."""
    if isinstance(provider, LocalProvider):
        provider.name = "local:small"
    assert cost(PriceList(), provider) == 0.0


def test_prices_of_one_s_own_come_first() -> None:
    """By the model that answered, the one asked for, or the provider's name."""
    own = Price(input=1.0, output=10.0, cached_input=0.5)
    expected = (8_000 * 1.0 + 4_000 * 0.5 + 700 * 10.0) / 1e6
    for name in ("answered", "gpt-5-mini", "vendor"):
        assert cost(PriceList({name: own}), Vendor("gpt-5-mini"), "answered") == expected


def test_cached_input_costs_as_much_as_other_input_unless_said() -> None:
    """A price of two numbers is a price."""
    assert Price(input=1.0, output=0.0).cost(USAGE) == 0.012


def test_a_dollar_budget_without_a_price_is_refused_with_the_ways_out() -> None:
    """Before the first call, since nobody could tell when it is spent."""
    with pytest.raises(EvalUsageError) as caught:
        Caller(Vendor("no-such-model-1"), purse=Purse(Budget(usd=5)))
    said = str(caught.value)
    for part in ("no-such-model-1", "--max-tokens", "[tool.tierwise.evals.prices]"):
        assert part in said


@pytest.mark.parametrize(
    ("provider", "options"),
    [
        (Vendor("no-such-model-1"), {"purse": Purse(Budget(tokens=5))}),
        (MockProvider(), {"purse": Purse(Budget(usd=5))}),
        (
            Vendor("no-such-model-1"),
            {
                "purse": Purse(Budget(usd=5)),
                "prices": PriceList({"no-such-model-1": Price(input=1, output=1)}),
            },
        ),
    ],
    ids=["tokens", "free", "own price"],
)
def test_other_budgets_need_no_price(provider: Provider, options: dict[str, Any]) -> None:
    """Nor does one in USD where the price is known."""
    assert Caller(provider, **options).name == provider.name


def test_an_eval_s_own_dollar_budget_needs_the_price_too() -> None:
    """It is a limit in USD like the run's."""
    with pytest.raises(EvalUsageError):
        Caller(Vendor("no-such-model-1"), purse=Purse(per_eval={"e": Budget(usd=5)}))


def test_without_the_extra_prices_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dollar budget then names what to install; all else goes on."""
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    assert cost(PriceList(), Vendor("gpt-5-mini")) is None
    assert cost(PriceList(), MockProvider()) == 0.0
    with pytest.raises(MissingExtraError, match=r"tierwise\[evals\]"):
        Caller(Vendor("gpt-5-mini"), purse=Purse(Budget(usd=5)))


def test_prices_are_read_from_the_configuration() -> None:
    """Whole numbers and fractions, cached input where it is given."""
    table = {"a": {"input": 1, "output": 2.5}, "b": {"input": 1, "output": 2, "cached_input": 0}}
    assert read_prices(table, where="tool.x") == {
        "a": Price(input=1, output=2.5),
        "b": Price(input=1, output=2, cached_input=0),
    }


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (1.5, ("'m' is 1.5", "input = 0.25")),
        ({"input": 1}, ("no 'output'",)),
        ({"input": 1, "outptu": 2}, ("no key 'outptu'", "Did you mean 'output'")),
        ({"input": "1", "output": 2}, ("input is '1'", "0 or more")),
        ({"input": -1, "output": 2}, ("input is -1",)),
        ({"input": True, "output": 2}, ("input is True",)),
    ],
)
def test_a_price_that_makes_no_sense_is_refused(entry: object, words: tuple[str, ...]) -> None:
    """With the place, what was found and what is expected."""
    with pytest.raises(ConfigError) as caught:
        read_prices({"m": entry}, where="tool.tierwise.evals.prices")
    for part in ("pyproject.toml, [tool.tierwise.evals.prices]", *words):
        assert part in str(caught.value)
