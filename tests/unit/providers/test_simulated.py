from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from tierwise.domain import Message
from tierwise.errors import MisuseError
from tierwise.providers import Answer, Failure, FailureKind, Request, SimulatedProvider
from tierwise.providers.made_up.simulated import draw_uniform, pick_failure, place_text

SECRET = "the cup is poisoned"  # noqa: S105  a secret of the story


class Reply(BaseModel):
    mood: Literal["glad", "sad"]
    text: str


def ask(
    seed: int | None, schema: type[BaseModel] | None = None, prompt: str = "?"
) -> Request[Any]:
    return Request(messages=(Message(role="user", content=prompt),), schema=schema, seed=seed)


async def run(provider: SimulatedProvider, n: int, **fields: Any) -> list[Answer[Any] | Failure]:
    return [await provider.generate(ask(seed, **fields)) for seed in range(n)]


@pytest.mark.parametrize("rate", [0.05, 0.3])
async def test_it_leaks_at_the_known_rate(rate: float) -> None:
    """Over 2,000 trials the share of leaks is the rate, within four standard errors."""
    replies = await run(SimulatedProvider(secret=SECRET, leak_rate=rate), 2_000)
    n_leaks = sum(SECRET in reply.text for reply in replies)
    assert abs(n_leaks - 2_000 * rate) < 4 * (2_000 * rate * (1 - rate)) ** 0.5


async def test_rates_of_zero_and_one_are_exact() -> None:
    """A rate of 0 never leaks, a rate of 1 always."""
    for rate, wanted in ((0.0, 0), (1.0, 200)):
        replies = await run(SimulatedProvider(secret=SECRET, leak_rate=rate), 200)
        assert sum(SECRET in reply.text for reply in replies) == wanted


async def test_the_same_request_ends_the_same_way_in_any_order() -> None:
    """Order and concurrency change nothing: seeds decide."""
    provider = SimulatedProvider(
        secret=SECRET, leak_rate=0.5, failure_rates={FailureKind.TIMEOUT: 0.2}
    )
    forward = await run(provider, 50)
    mixed = await asyncio.gather(*(provider.generate(ask(seed)) for seed in reversed(range(50))))
    assert forward == list(reversed(mixed))
    assert len({reply.text for reply in forward}) > 1


async def test_requests_without_a_seed_are_independent_of_each_other() -> None:
    """The same unseeded request asked again is another trial."""
    provider = SimulatedProvider(secret=SECRET, leak_rate=0.5)
    texts = {(await provider.generate(ask(None))).text for _ in range(30)}
    assert len(texts) == 2


async def test_another_provider_seed_is_another_world() -> None:
    """The provider's own seed changes which trials leak."""
    first, second = [
        await run(SimulatedProvider(secret=SECRET, leak_rate=0.5, seed=seed), 50)
        for seed in (1, 2)
    ]
    assert first != second


async def test_failures_come_at_their_rates() -> None:
    """Each kind gets its share of all calls."""
    rates = {FailureKind.BUSY: 0.2, FailureKind.REFUSED: 0.1}
    replies = await run(SimulatedProvider(failure_rates=rates), 2_000)
    kinds = Counter(reply.kind for reply in replies if isinstance(reply, Failure))
    assert set(kinds) == set(rates)
    for kind, rate in rates.items():
        assert abs(kinds[kind] - 2_000 * rate) < 4 * (2_000 * rate * (1 - rate)) ** 0.5


async def test_failures_and_leaks_are_independent() -> None:
    """Among the calls that do not fail the leak rate is the one that was set."""
    provider = SimulatedProvider(
        secret=SECRET, leak_rate=0.5, failure_rates={FailureKind.BUSY: 0.5}
    )
    answers = [r for r in await run(provider, 2_000) if isinstance(r, Answer)]
    share = sum(SECRET in answer.text for answer in answers) / len(answers)
    assert 0.43 < share < 0.57


async def test_a_leak_fits_into_the_schema() -> None:
    """With a schema the secret sits in a free text field of valid data."""
    replies = await run(SimulatedProvider(secret=SECRET, leak_rate=1.0), 20, schema=Reply)
    assert {reply.data.text for reply in replies if isinstance(reply, Answer)} == {SECRET}


async def test_a_leak_that_fits_nowhere_is_a_failure_and_no_silence() -> None:
    """A schema without free text can't leak; that is said, not taken for safety."""

    class Flag(BaseModel):
        valid: bool

    leaky, silent = [
        await SimulatedProvider(secret=SECRET, leak_rate=rate).generate(ask(1, Flag))
        for rate in (1.0, 0.0)
    ]
    assert isinstance(leaky, Failure)
    assert leaky.kind is FailureKind.BAD_REQUEST
    assert isinstance(silent, Answer)


async def test_without_a_secret_the_prompt_itself_is_what_leaks() -> None:
    """`secret=None` gives away what the prompt holds, and nothing where it holds nothing."""
    provider = SimulatedProvider(leak_rate=1.0)
    knowing = await provider.generate(ask(1, prompt=f"Keep it: {SECRET}"))
    ignorant = await provider.generate(ask(1, prompt="Keep it."))
    assert SECRET in knowing.text
    assert SECRET not in ignorant.text


async def test_latency_is_waited_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """`latency_s` is slept once a call and shown on the reply."""
    slept: list[float] = []

    async def sleep(delay_s: float) -> None:
        slept.append(delay_s)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    reply = await SimulatedProvider(latency_s=0.3).generate(ask(1))
    assert slept == [0.3]
    assert reply.latency_s == 0.3


@pytest.mark.parametrize(
    "fields",
    [
        {"leak_rate": 1.5},
        {"leak_rate": float("nan")},
        {"failure_rates": {FailureKind.BUSY: -0.1}},
        {"failure_rates": {FailureKind.BUSY: 0.6, FailureKind.AUTH: 0.6}},
    ],
)
def test_a_rate_is_a_share(fields: dict[str, Any]) -> None:
    """Rates outside 0 to 1, one by one or together, are refused."""
    with pytest.raises(MisuseError, match="expected 0 to 1"):
        SimulatedProvider(**fields)


def test_draws_are_spread_evenly() -> None:
    """Draws over keys fill ten bins about equally."""
    bins = Counter(int(draw_uniform(f"key {n}") * 10) for n in range(10_000))
    assert set(bins) == set(range(10))
    assert all(880 < count < 1_120 for count in bins.values())


@pytest.mark.parametrize(
    ("draw", "kind"),
    [
        (0.0, FailureKind.BUSY),
        (0.19, FailureKind.BUSY),
        (0.2, FailureKind.AUTH),
        (0.29, FailureKind.AUTH),
        (0.31, None),
        (0.99, None),
    ],
)
def test_shares_lie_side_by_side(draw: float, kind: FailureKind | None) -> None:
    """A draw falls into the share of at most one kind."""
    assert pick_failure({FailureKind.BUSY: 0.2, FailureKind.AUTH: 0.1}, draw) == kind


def test_text_goes_where_it_stays_as_it_is() -> None:
    """A field that is too short or that changes its text is passed over."""

    class Tight(BaseModel):
        code: str = Field(max_length=3)
        notes: list[str]

    placed = place_text(Tight, '{"code": "abc", "notes": ["x", "y"]}', SECRET)
    assert placed == f'{{"code": "abc", "notes": ["{SECRET}", "y"]}}'
