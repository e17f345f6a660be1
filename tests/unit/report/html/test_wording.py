"""Numbers, times and states as a person reads them."""

from __future__ import annotations

import pytest

from tierwise.domain import Outcome, Verdict
from tierwise.report.html.wording import (
    file_of,
    name_of,
    say_counts,
    say_seconds,
    say_when,
    tier_of,
    tone_of,
)
from tierwise.report.map import Status


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.0, "0 ms"),
        (0.0124, "12 ms"),
        (0.9996, "1.00 s"),
        (59.996, "1 min 00 s"),
        (1.0, "1.00 s"),
        (59.994, "59.99 s"),
        (125.0, "2 min 05 s"),
    ],
)
def test_a_time_has_a_unit_that_fits(seconds: float, said: str) -> None:
    """Milliseconds, seconds or minutes."""
    assert say_seconds(seconds) == said


@pytest.mark.parametrize(
    "state", [Outcome.UNOBSERVABLE, Verdict.UNDECIDED, Status.PARTIAL, "nothing_read", "strange"]
)
def test_what_is_not_known_to_be_good_is_in_doubt(state: object) -> None:
    """No state is good by default."""
    assert tone_of(state) == "doubt"


def test_good_and_bad_are_told_apart() -> None:
    """A pass is good, a failure and a harness error are bad, a gap is neither."""
    states = (Outcome.PASSED, Outcome.ERROR, Verdict.REFUTED, Status.GAP, "verified", "broken")
    assert [tone_of(s) for s in states] == ["good", "bad", "bad", "none", "good", "bad"]


def test_a_moment_is_said_and_what_is_none_is_kept() -> None:
    """An ISO time is read; anything else is shown as it is."""
    assert say_when("2026-11-03T09:05:00+00:00") == "3 Nov 2026, 09:05"
    assert say_when("yesterday") == "yesterday"


def test_moments_of_other_time_zones_are_said_in_utc() -> None:
    """Runs of several machines stand in one page, and are told in one time."""
    assert say_when("2026-11-03T23:30:00-05:00") == "4 Nov 2026, 04:30"
    assert say_when("2026-11-03T09:05:00") == "3 Nov 2026, 09:05"


def test_a_tier_has_a_short_name_everywhere() -> None:
    """The page's filter compares it with the list, so both have to cut it alike."""
    assert tier_of("unit") == "unit"
    assert tier_of("x" * 999) == f"{'x' * 30} ... (999 characters)"


def test_counts_come_in_the_order_of_outcomes() -> None:
    """Those of which there is none are left out."""
    assert say_counts({"not_run": 2, "passed": 1200, "failed": 0}) == "1,200 passed, 2 not run"


def test_an_id_is_parted_into_name_and_file() -> None:
    """What has no file keeps its name."""
    assert (name_of("a.py::T::x"), file_of("a.py::T::x")) == ("T::x", "a.py")
    assert (name_of("alone"), file_of("alone")) == ("alone", "")
