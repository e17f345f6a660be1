from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from live_answers import answered, refused

from tierwise.contracts import UnobservableError
from tierwise.errors import MisuseError
from tierwise.live import (
    LiveFaultError,
    Observed,
    Signature,
    Standing,
    VerdictTable,
    Walk,
    WalkLimits,
    walk,
    walk_async,
)

RETIRED = refused(410, "gone", code="ModelDeprecated")
BUSY = refused(429, "slow down")
CLOSED = refused(403, "closed", code="FreeTierError")
BUG = refused(400, "messages: field required")
DOWN = refused(503, "down")
SLOW = Observed(failure="TimeoutError")


@dataclass
class Vendor:
    """Answers by model; a list is answered one by one, and time passes with each request."""

    answers: dict[str, object]
    takes_s: float = 1.0
    asked: list[str] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)

    @property
    def candidates(self) -> dict[str, str]:
        """All models, each its own row."""
        return {name: name for name in self.answers}

    def probe(self, model: str) -> object:
        """Answer, or raise what an SDK would."""
        self.asked.append(model)
        answer = self.answers[model]
        if isinstance(answer, list):
            answer = answer.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def clock(self) -> float:
        """Tell the time."""
        return len(self.asked) * self.takes_s + sum(self.slept)

    def walk(
        self,
        *,
        rotation: int = 0,
        limits: WalkLimits | None = None,
        table: VerdictTable | None = None,
    ) -> Walk[str, object]:
        """Walk all models by this vendor's own clock."""
        return walk(
            self.candidates,
            self.probe,
            rotation=rotation,
            limits=limits,
            table=table,
            clock=self.clock,
            sleep=self.slept.append,
        )


def test_the_first_usable_candidate_is_used_and_no_other_is_asked() -> None:
    """A walk stops where it may, with the answer that it got there."""
    answer = answered()
    vendor = Vendor({"a": answer, "b": answered()})
    found = vendor.walk()
    assert (found.key, found.subject, found.answer) == ("a", "a", answer)
    assert vendor.asked == ["a"]
    assert str(found) == "used a"


def test_what_moved_is_walked_past_and_told() -> None:
    """Retired, busy and closed candidates are no failure as long as one is left."""
    vendor = Vendor({"a": RETIRED, "b": BUSY, "c": CLOSED, "d": answered()})
    found = vendor.walk()
    assert found.key == "d"
    assert str(found) == "used d; walked past a (retired), b (busy), c (closed)"
    assert [v.standing for v in found.verdicts.values()] == ["retired", "busy", "closed", "usable"]


def test_an_answer_is_not_enough() -> None:
    """A 410 is an answer: whoever takes anything but a refusal picks a dead model."""
    with pytest.raises(UnobservableError):
        Vendor({"a": refused(410)}).walk()


def test_a_fault_of_ours_is_raised_at_once() -> None:
    """A malformed request fails with the first candidate, whatever the next would have said."""
    vendor = Vendor({"a": RETIRED, "b": BUG, "c": answered()})
    with pytest.raises(LiveFaultError) as caught:
        vendor.walk()
    assert vendor.asked == ["a", "b"]
    assert caught.value.verdict.standing is Standing.OUR_FAULT
    text = str(caught.value)
    assert text.startswith("b: our_fault: the request is malformed (400: messages:")
    assert "before it:\n  a  retired: the vendor has retired it" in text


def test_an_answer_that_nobody_understands_is_raised_at_once() -> None:
    """Could-not-tell is never walked past."""
    vendor = Vendor({"a": refused(418), "b": answered()})
    with pytest.raises(LiveFaultError, match="unknown: no signature"):
        vendor.walk()


def test_when_none_is_left_the_test_is_unobservable_with_the_table_of_verdicts() -> None:
    """Whoever reads the reason sees each candidate and why it was left."""
    with pytest.raises(UnobservableError) as caught:
        Vendor({"a": RETIRED, "beta": BUSY}).walk()
    assert str(caught.value) == (
        "none of 2 candidates can be used\n"
        "  a     retired: the vendor has retired it (410 modeldeprecated: gone)\n"
        "  beta  busy: the vendor asked to be left alone (429: slow down)"
    )


def test_no_candidate_at_all_is_unobservable() -> None:
    """A predicate that nothing fits passes nothing."""
    with pytest.raises(UnobservableError, match="nothing to try"):
        Vendor({}).walk()


def test_a_candidate_that_was_not_reached_is_tried_again() -> None:
    """One breakdown of the vendor's costs an attempt and a pause, not the test."""
    vendor = Vendor({"a": [DOWN, answered()]})
    assert vendor.walk().key == "a"
    assert vendor.slept == [1.0]


def test_a_candidate_that_stays_unreached_is_walked_past() -> None:
    """Another one may do; each has its attempts."""
    vendor = Vendor({"a": TimeoutError("slow"), "b": answered()})
    limits = WalkLimits(retries=2, pause_s=0.5)
    found = vendor.walk(limits=limits)
    assert (found.key, vendor.asked) == ("b", ["a", "a", "a", "b"])
    assert vendor.slept == [0.5, 0.5]
    assert str(found) == "used b; walked past a (unreachable)"


def test_a_walk_that_ends_with_an_unreached_candidate_fails() -> None:
    """A vendor who was not reached is no vendor who moved: nothing is known."""
    with pytest.raises(LiveFaultError, match=r"none of 2 candidates can be used\n"):
        Vendor({"a": RETIRED, "b": SLOW}).walk()


def test_a_mistake_of_the_probe_is_raised_as_it_is() -> None:
    """A KeyError in the probe says nothing of the vendor."""
    with pytest.raises(KeyError, match="typo"):
        Vendor({"a": KeyError("typo"), "b": answered()}).walk()


def test_a_probe_that_returns_nothing_is_refused() -> None:
    """A forgotten return is no answer."""
    with pytest.raises(MisuseError, match="None tells nothing"):
        Vendor({"a": None}).walk()


def test_the_limit_on_candidates_is_kept_and_told() -> None:
    """A catalogue of hundreds is not walked to its end."""
    vendor = Vendor(dict.fromkeys("abcdef", BUSY))
    with pytest.raises(UnobservableError, match=r"none of 2 .* of 6 known; 2 are the limit"):
        vendor.walk(limits=WalkLimits(candidates=2))
    assert vendor.asked == ["a", "b"]


def test_the_time_for_all_candidates_is_kept_and_told() -> None:
    """The budget of a walk is its own, whatever one request may take."""
    vendor = Vendor(dict.fromkeys("abcdef", BUSY), takes_s=10.0)
    with pytest.raises(UnobservableError, match=r"none of 3 .* of 6 known; 25 s were over"):
        vendor.walk(limits=WalkLimits(seconds=25.0))


def test_no_attempt_is_repeated_when_the_time_is_over() -> None:
    """Retries are part of the budget."""
    vendor = Vendor({"a": [SLOW] * 5, "b": answered()}, takes_s=100.0)
    with pytest.raises(LiveFaultError, match="60 s were over"):
        vendor.walk(limits=WalkLimits(seconds=60.0, retries=4))
    assert vendor.asked == ["a"]


@pytest.mark.parametrize(
    ("rotation", "order"), [(0, "abc"), (1, "bca"), (2, "cab"), (3, "abc"), (-1, "cab")]
)
def test_the_rotation_says_where_to_begin(rotation: int, order: str) -> None:
    """Another run tests another model first, in an order that is known."""
    vendor = Vendor(dict.fromkeys("abc", BUSY))
    with pytest.raises(UnobservableError):
        vendor.walk(rotation=rotation)
    assert "".join(vendor.asked) == order


def test_a_table_of_ones_own_decides() -> None:
    """Whoever knows the vendor better says so."""
    row = Signature(name="format", standing=Standing.OUR_FAULT, reason="format", status=503)
    with pytest.raises(LiveFaultError, match="format"):
        Vendor({"a": DOWN}).walk(table=VerdictTable.known().extended(row))


@pytest.mark.parametrize(
    "limits", [{"candidates": 0}, {"seconds": 0.0}, {"retries": -1}, {"pause_s": -1.0}]
)
def test_limits_under_which_nothing_is_tried_are_refused(limits: dict[str, float]) -> None:
    """A walk of no step would look like a vendor who moved."""
    with pytest.raises(MisuseError, match="would try nothing"):
        WalkLimits(**limits)  # type: ignore[arg-type]  # one value each


def test_the_awaited_walk_decides_as_the_other_does() -> None:
    """The same candidates come to the same verdicts with an async client."""
    vendor = Vendor({"a": [DOWN, RETIRED], "b": TimeoutError("slow"), "c": answered()})

    async def probe(model: str) -> object:
        return vendor.probe(model)

    async def sleep(seconds: float) -> None:
        vendor.slept.append(seconds)

    found = asyncio.run(walk_async(vendor.candidates, probe, clock=vendor.clock, sleep=sleep))
    assert str(found) == "used c; walked past a (retired), b (unreachable)"
    assert vendor.asked == ["a", "a", "b", "b", "c"]
    assert vendor.slept == [1.0, 1.0]


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        ({"a": BUG, "b": answered()}, LiveFaultError),
        ({"a": RETIRED}, UnobservableError),
        ({"a": KeyError("typo")}, KeyError),
        ({}, UnobservableError),
    ],
)
def test_the_awaited_walk_ends_as_the_other_does(
    answers: dict[str, object], error: type[Exception]
) -> None:
    """A fault, an exhausted walk and a mistake of the probe are told apart there too."""
    vendor = Vendor(answers)

    async def probe(model: str) -> object:
        return vendor.probe(model)

    async def run() -> object:
        limits = WalkLimits(candidates=1)
        return await walk_async(vendor.candidates, probe, limits=limits, clock=vendor.clock)

    with pytest.raises(error):
        asyncio.run(run())
