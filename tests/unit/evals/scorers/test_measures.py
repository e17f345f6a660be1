from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tierwise.domain import Exchange
from tierwise.errors import ScorerError
from tierwise.evals.scorers import cost_usd, latency_s, leaks
from tierwise.leaks import Coverage, Examination, Secret

SAID = Exchange(prompt=(), reply="hi", latency_s=0.5, cost_usd=0.01, provider="p", model="m")
HERON = Secret("Blue Heron 42")


def test_latency_and_cost_are_summed() -> None:
    """One exchange, or all of a trial."""
    assert latency_s(SAID) == 0.5
    assert latency_s([SAID, replace(SAID, latency_s=0.25)]) == 0.75
    assert cost_usd(SAID) == 0.01
    assert cost_usd(iter([SAID] * 10)) == pytest.approx(0.1, abs=0)


def test_a_judge_is_not_part_of_the_subject() -> None:
    """What the grader took is the eval's price, not the model's."""
    judge = replace(SAID, purpose="judge", latency_s=9.0, cost_usd=9.0)
    assert latency_s([SAID, judge]) == 0.5
    assert cost_usd([judge, SAID]) == 0.01
    with pytest.raises(ScorerError, match="nothing was asked"):
        latency_s([judge])


@pytest.mark.parametrize("measure", [latency_s, cost_usd])
@pytest.mark.parametrize("source", ["cache", "unknown"])
def test_an_answer_that_is_not_live_is_refused(measure: Any, source: Any) -> None:
    """Its numbers are those of another call."""
    with pytest.raises(ScorerError, match=f"came from '{source}'"):
        measure([SAID, replace(SAID, source=source)])


def test_what_nobody_measured_is_not_zero() -> None:
    """No latency, NaN, no price, no answer: each is refused in words."""
    for unmeasured in (0.0, float("nan"), -1.0):
        with pytest.raises(ScorerError, match="nobody measured it"):
            latency_s(replace(SAID, latency_s=unmeasured))
    with pytest.raises(ScorerError, match="not answered \\(timeout\\)"):
        latency_s([SAID, replace(SAID, reply="", failure="timeout")])
    for unknown in (None, float("nan")):
        with pytest.raises(ScorerError, match="price of 'm' is unknown"):
            cost_usd([SAID, replace(SAID, cost_usd=unknown)])
    assert cost_usd(replace(SAID, cost_usd=0.0)) == 0.0


def test_what_a_dry_run_made_up_takes_no_time_and_no_money() -> None:
    """So that a dry run carries the whole body out; it brings no verdict."""
    made_up = replace(SAID, source="made_up", latency_s=0.0, cost_usd=None)
    assert latency_s(made_up) == 0.0
    assert cost_usd(made_up) == 0.0


def test_a_search_that_was_cut_short_is_no_clean_reply() -> None:
    """What nobody looked at may hold anything, unless the secret was found before."""
    cut = Examination(findings=(), coverage=Coverage(characters=9, cut=("7 were not searched",)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tierwise.leaks.Detector.examine", lambda _self, _text: cut)
        with pytest.raises(ScorerError, match="found nothing in what it searched: 7 were not"):
            leaks("text", HERON)


@pytest.mark.parametrize("measure", [latency_s, cost_usd])
@pytest.mark.parametrize("said", [[], None, "x", [None], 3])
def test_what_is_no_exchange_is_refused(measure: Any, said: Any) -> None:
    """Nothing asked is nothing measured."""
    with pytest.raises(ScorerError):
        measure(said)


def test_a_leak_is_found_and_placed() -> None:
    """In any of the ways that the ladder knows."""
    found = leaks("It is Blue Heron 42.", HERON)
    assert found
    assert "at 6..19 (exact)" in found.why
    assert leaks("B-l-u-e H.e.r.o.n 4/2", Secret("other one"), HERON)
    assert not leaks("A heron stood there.", HERON)


def test_no_secret_finds_nothing_and_is_refused() -> None:
    """Searching for nothing finds nothing."""
    with pytest.raises(ScorerError, match="given no secret"):
        leaks("text")


@pytest.mark.parametrize("reply", [None, 3, ["Blue Heron 42"]])
def test_a_missing_reply_is_no_clean_reply(reply: Any) -> None:
    """An error, never the False that a `never` waits for."""
    with pytest.raises(ScorerError, match="The reply is"):
        leaks(reply, HERON)
