"""Numbers, times and states as the page says them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from tierwise.domain import Decision, Outcome, Verdict
from tierwise.report.html.text import shorten, show_text
from tierwise.report.map import Status

if TYPE_CHECKING:
    from collections.abc import Mapping

Tone = Literal["good", "doubt", "bad", "none"]

_GOOD = frozenset({Outcome.PASSED, Verdict.PROVEN, Status.COVERED, Decision.OK, "verified"})
_BAD = frozenset({Outcome.FAILED, Outcome.ERROR, Verdict.REFUTED, Decision.BROKEN, Decision.STALE})
_NONE = frozenset({Status.GAP, Outcome.NOT_RUN, "gone", "new"})
_LONGEST_NAME = 300
_LONGEST_TIER = 30
_MINUTE_MS = 59_995
"""From here on a time would be said as `60.00 s`."""
_SECOND_MS = 1000


def tone_of(state: object) -> Tone:
    """Return how a state is shown; one that is not known is in doubt, never good."""
    if state in _GOOD:
        return "good"
    if state in _BAD:
        return "bad"
    return "none" if state in _NONE else "doubt"


def say_state(state: object) -> str:
    """Return a state as it is read: `not_run` is `not run`."""
    return str(state).replace("_", " ")


def say_seconds(seconds: float) -> str:
    """Return a time with a unit that fits: `12 ms`, `3.41 s`, `2 min 05 s`."""
    ms = round(seconds * 1000)  # first, as the page's script has it, so that both say the same
    if ms >= _MINUTE_MS:
        minutes, rest = divmod(round(ms / 1000), 60)
        return f"{minutes:,} min {rest:02} s"
    return f"{ms / 1000:.2f} s" if ms >= _SECOND_MS else f"{ms} ms"


def say_when(stamp: str) -> str:
    """Return an ISO time as date and time of day in UTC; what is no time is returned as it is."""
    try:
        when = datetime.fromisoformat(stamp)
    except ValueError:
        return stamp
    if when.tzinfo is not None:
        when = when.astimezone(UTC)  # records of other machines may be imported
    return f"{when.day} {when:%b %Y, %H:%M}"


def say_counts(counts: Mapping[str, int]) -> str:
    """Return outcomes with their numbers, those of which there is none left out."""
    order = [str(outcome) for outcome in Outcome]
    known = sorted(
        counts.items(), key=lambda item: order.index(item[0]) if item[0] in order else 9
    )
    return ", ".join(f"{n:,} {say_state(name)}" for name, n in known if n)


def name_of(test_id: str) -> str:
    """Return the name of a test or an eval without its file."""
    return shorten(test_id.partition("::")[2] or test_id, _LONGEST_NAME)


def file_of(test_id: str) -> str:
    """Return the file of a test or an eval; "" of what has none."""
    file, is_parted, _ = test_id.partition("::")
    return shorten(file, _LONGEST_NAME) if is_parted else ""


def tier_of(name: str) -> str:
    """Return a tier's name as the page has it; a long one is cut."""
    return shorten(show_text(name), _LONGEST_TIER)
