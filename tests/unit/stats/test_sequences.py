from __future__ import annotations

import math

import pytest
from hypothesis import given, settings, strategies as st
from scipy.special import betaln

from tierwise.errors import StatisticsError
from tierwise.stats import (
    Interval,
    Undetermined,
    clean_trials_needed,
    clopper_pearson,
    confidence_sequence,
    excludes_rate,
    intersect_sequence,
    wilson,
)


@st.composite
def counts(draw: st.DrawFn) -> tuple[int, int]:
    n = draw(st.integers(1, 400))
    return draw(st.integers(0, n)), n


@pytest.mark.parametrize("rate", [0.02, 0.3, 0.5, 0.95])
@pytest.mark.parametrize("prior", [(1, 1), (1, 9)])
def test_the_truth_leaves_the_sequence_as_seldom_as_promised(
    rate: float, prior: tuple[float, float]
) -> None:
    """Looking after each of 60 trials, the truth is ever excluded with at most 10 %."""
    assert (
        _ever_excluded(
            rate, 60, lambda x, n: confidence_sequence(x, n, confidence=0.9, prior=prior)
        )
        <= 0.1
    )


@settings(max_examples=60)
@given(counts(), st.floats(0.01, 0.99), st.sampled_from([(1.0, 1.0), (1.0, 99.0)]))
def test_a_single_rate_is_excluded_where_the_sequence_excludes_it(
    seen: tuple[int, int], rate: float, prior: tuple[float, float]
) -> None:
    """The cheap look and the whole interval agree."""
    found = confidence_sequence(*seen, prior=prior)
    assert isinstance(found, Interval)
    if min(abs(found.low - rate), abs(found.high - rate)) > 1e-9:
        assert excludes_rate(*seen, rate, prior=prior) == (rate not in found)


def test_rounds_of_unequal_cases_keep_the_promise_for_their_mean() -> None:
    """Two cases at .05 and .95, looked at after each round of both: their mean rate is .5."""
    rounds = {0: 0.05 * 0.95, 1: 0.05 * 0.05 + 0.95 * 0.95, 2: 0.95 * 0.05}
    inside, ever = {0: 1.0}, 0.0
    for n in range(2, 82, 2):
        step: dict[int, float] = {}
        for events, probability in inside.items():
            for more, chance in rounds.items():
                step[events + more] = step.get(events + more, 0.0) + probability * chance
        out = {x for x in step if excludes_rate(x, n, 0.5, confidence=0.9)}
        ever += sum(step[x] for x in out)
        inside = {x: p for x, p in step.items() if x not in out}
    assert ever <= 0.1


def test_peeking_at_a_fixed_interval_breaks_it() -> None:
    """The same looks at Wilson from trial 10 exclude the truth far more often than 10 %."""
    wrong = _ever_excluded(0.3, 60, lambda x, n: wilson(x, n, confidence=0.9) if n >= 10 else None)
    assert wrong > 0.25


@settings(max_examples=40)
@given(st.integers(1, 2000), st.sampled_from([0.9, 0.95, 0.99]))
def test_without_events_it_is_the_closed_form(n: int, confidence: float) -> None:
    """The upper end is 1 - (alpha / (n + 1))**(1 / n)."""
    found = confidence_sequence(0, n, confidence=confidence)
    assert found.low == 0
    assert found.high == pytest.approx(1 - ((1 - confidence) / (n + 1)) ** (1 / n), rel=1e-7)


@settings(max_examples=50)
@given(counts(), st.sampled_from([(1, 1), (0.5, 0.5), (1, 99), (20, 3)]))
def test_the_ends_are_where_the_evidence_reaches_its_limit(
    count: tuple[int, int], prior: tuple[float, float]
) -> None:
    """At each inner end the mixture martingale equals 1 / alpha."""
    (x, n), (a, b) = count, prior
    found = confidence_sequence(x, n, prior=prior)
    for p in (found.low, found.high):
        if 0 < p < 1:
            evidence = betaln(a + x, b + n - x) - betaln(a, b)
            evidence -= x * math.log(p) + (n - x) * math.log1p(-p)
            one_step = n * math.ulp(p) / min(p, 1 - p)
            assert evidence == pytest.approx(math.log(20), abs=1e-6 + one_step)


@settings(max_examples=50)
@given(counts())
def test_peeking_costs_width(count: tuple[int, int]) -> None:
    """The sequence holds the estimate and is wider than the interval for one look."""
    x, n = count
    found, one_look = confidence_sequence(x, n), clopper_pearson(x, n)
    assert 0 <= found.low <= x / n <= found.high <= 1
    assert found.high - found.low >= 0.98 * (one_look.high - one_look.low)


@settings(max_examples=50)
@given(counts())
def test_counting_fails_mirrors_the_sequence(count: tuple[int, int]) -> None:
    """With a symmetric prior the complement has the mirrored interval."""
    x, n = count
    found, mirrored = confidence_sequence(x, n), confidence_sequence(n - x, n)
    assert (found.low, found.high) == pytest.approx((1 - mirrored.high, 1 - mirrored.low))


@pytest.mark.parametrize(("rate", "prior"), [(0.05, (1, 1)), (0.2, (1, 1)), (0.05, (1, 19))])
def test_the_price_of_peeking_is_where_the_sequence_first_excludes_the_rate(
    rate: float, prior: tuple[float, float]
) -> None:
    """A loop over the sequence itself ends at the same number."""
    n = 1
    while rate in confidence_sequence(0, n, prior=prior):
        n += 1
    assert clean_trials_needed(rate, prior=prior) == n


def test_looks_may_be_intersected() -> None:
    """What all looks share is kept, with a name that says so."""
    looks = [confidence_sequence(x, n) for x, n in [(0, 20), (3, 40), (4, 80)]]
    found = intersect_sequence(looks)
    assert found.low == max(look.low for look in looks)
    assert found.high == min(look.high for look in looks)
    assert found.method == "beta-binomial sequence, prior (1, 1), running intersection"


def test_looks_that_contradict_each_other_are_undetermined() -> None:
    """100 clean trials and then 100 events are not draws at one rate."""
    found = intersect_sequence([confidence_sequence(0, 100), confidence_sequence(100, 200)])
    assert isinstance(found, Undetermined)
    assert "not alike or not independent" in found.reason


def test_nothing_seen_is_undetermined() -> None:
    """No trial and no look give a reason."""
    assert isinstance(confidence_sequence(0, 0), Undetermined)
    assert isinstance(intersect_sequence([]), Undetermined)


def test_nonsense_is_refused() -> None:
    """Priors at 0, mixed looks and impossible counts raise."""
    with pytest.raises(StatisticsError, match="prior"):
        confidence_sequence(0, 10, prior=(0, 1))
    with pytest.raises(StatisticsError, match="prior"):
        clean_trials_needed(0.1, prior=(1, -1))
    with pytest.raises(StatisticsError, match="one sequence"):
        intersect_sequence([wilson(1, 5), clopper_pearson(1, 5)])
    with pytest.raises(StatisticsError, match="events=3 of n=2"):
        confidence_sequence(3, 2)
    with pytest.raises(StatisticsError, match="rate"):
        clean_trials_needed(0)
    with pytest.raises(StatisticsError, match="confidence"):
        confidence_sequence(0, 2, confidence=95)


def _ever_excluded(rate: float, looks: int, interval: object) -> float:
    """Walk all reachable (events, trials) and sum what is excluded on the way."""
    waiting, excluded = {0: 1.0}, 0.0
    for n in range(1, looks + 1):
        step: dict[int, float] = {}
        for x, p in waiting.items():
            step[x] = step.get(x, 0.0) + p * (1 - rate)
            step[x + 1] = step.get(x + 1, 0.0) + p * rate
        waiting = {}
        for x, p in step.items():
            if p < 1e-9:
                continue
            found: Interval | None = interval(x, n)  # type: ignore[operator]
            if found is not None and rate not in found:
                excluded += p
            else:
                waiting[x] = p
    return excluded
