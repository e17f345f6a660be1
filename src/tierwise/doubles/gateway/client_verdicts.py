"""What the journal shows of a client: how it behaves when the vendor refuses or breaks off."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from tierwise.doubles.gateway.comparing import (
    find_credentials,
    is_asked_elsewhere,
    is_limited_alike,
    is_out_of_quota,
)
from tierwise.doubles.gateway.faults import NO_STATUS
from tierwise.doubles.gateway.wire import Ending

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tierwise.doubles.gateway.journal import Entry

MOST_ATTEMPTS = 5
"""More failed attempts of one request than this are a storm."""
_EARLY_S = 0.05
"""Clocks and timers are not exact: so much sooner is still in time."""
_RETRYABLE = frozenset({408, 409, 425, 429})
_ABOUT_THE_KEY = frozenset({401, 402, 403, 404, 429})
"""What another key may be let through with."""
_TOO_MANY = 429
_FIRST_SERVER_ERROR = 500
_FIRST_ERROR = 400


class Misbehaviour(StrEnum):
    """What a client should not do."""

    RETRY_AFTER_IGNORED = "retry_after_ignored"
    """It asked again sooner than the vendor had said."""
    RETRIED_NON_RETRYABLE = "retried_non_retryable"
    """It asked the same again although it was told that this never helps."""
    RETRY_STORM = "retry_storm"
    """It asked the same over and over while each attempt failed."""
    TRUNCATED_STREAM_ACCEPTED = "truncated_stream_accepted"
    """It took a stream that had ended early for a whole answer."""
    GAVE_UP = "gave_up"
    """It never asked again after a failure that another attempt may have mended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientVerdict:
    """One thing that a client should not have done, with the requests that show it."""

    kind: Misbehaviour
    message: str
    numbers: tuple[int, ...]
    """The requests' places in the journal."""
    is_certain: bool = True
    """False where the journal cannot tell: the client may have told its caller."""

    def __str__(self) -> str:
        """Return the kind, how sure it is, and what was seen."""
        sure = "" if self.is_certain else " (cannot be told from the journal alone)"
        return f"{self.kind}{sure}: {self.message}"


def judge_client(
    entries: Iterable[Entry], *, raised: bool | None = None, most_attempts: int = MOST_ATTEMPTS
) -> tuple[ClientVerdict, ...]:
    """Return what was wrong with the client whose requests these are.

    `raised` says whether the client told its caller of the failure by an error: nobody but the
    test knows, and without it what depends on it is not certain.
    """
    found: list[ClientVerdict] = []
    kept = tuple(entries)
    for attempts in _group(kept):
        found += _judge_waiting(attempts)
        found += _judge_repeats(attempts)
        found += _judge_number(attempts, most_attempts)
        found += _judge_end(attempts, kept, raised=raised)
    found += _judge_others(kept)
    return tuple(sorted(found, key=lambda verdict: verdict.numbers))


def _group(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Return the attempts of each request: the same again, until one of them is answered."""
    open_groups: dict[tuple[str | None, str, bytes], list[Entry]] = {}
    groups: list[list[Entry]] = []
    for entry in entries:
        key = (entry.vendor, entry.path, entry.raw.body)
        group = open_groups.get(key)
        if group is None:
            group = open_groups[key] = []
            groups.append(group)
        group.append(entry)
        if is_answered(entry):
            del open_groups[key]
    return groups


def is_answered(entry: Entry) -> bool:
    """Tell whether a request got a whole answer."""
    is_error = entry.status == NO_STATUS or entry.status >= _FIRST_ERROR
    return not (is_error or entry.fault or entry.progress.timed_out)


def may_be_retried(entry: Entry) -> bool:
    """Tell whether the same request may succeed when it is made again."""
    told = dict(entry.response.headers).get("x-should-retry")
    if told is not None:
        return told == "true"
    if is_out_of_quota(entry):
        return False
    is_broken = entry.status < _FIRST_ERROR
    return is_broken or entry.status in _RETRYABLE or entry.status >= _FIRST_SERVER_ERROR


def _retry_after_s(entry: Entry) -> float | None:
    headers = {name.lower(): value for name, value in entry.response.headers}
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return float(headers[name]) / unit
        except (KeyError, ValueError):
            continue
    return None


def _judge_waiting(attempts: Sequence[Entry]) -> list[ClientVerdict]:
    found = []
    for before, after in pairwise(attempts):
        asked_s = _retry_after_s(before)
        waited_s = after.at_s - _find_end_s(before)
        is_other = before.status == _TOO_MANY and _has_other_key(before, after)
        if asked_s is not None and waited_s < asked_s - _EARLY_S and not is_other:
            found.append(
                ClientVerdict(
                    kind=Misbehaviour.RETRY_AFTER_IGNORED,
                    message=f"request {after.number} came {waited_s:.2f} s after request "
                    f"{before.number} was refused with {before.status} and Retry-After "
                    f"{asked_s:g} s",
                    numbers=(before.number, after.number),
                )
            )
    return found


def _find_end_s(entry: Entry) -> float:
    return entry.at_s + entry.progress.real_s


def _has_other_key(before: Entry, after: Entry) -> bool:
    return find_credentials(before) != find_credentials(after)


def _judge_others(entries: Sequence[Entry]) -> list[ClientVerdict]:
    """Judge other questions that came while the key was to wait with the model."""
    found = []
    for index, before in enumerate(entries):
        asked_s = _retry_after_s(before) if before.status == _TOO_MANY else None
        if asked_s is None:
            continue
        waits = {
            entry.number: entry.at_s - _find_end_s(before)
            for entry in entries[index + 1 :]
            if is_limited_alike(before, entry) and entry.raw.body != before.raw.body
        }
        early = {n: wait_s for n, wait_s in waits.items() if 0 <= wait_s < asked_s - _EARLY_S}
        if early:
            found.append(_accuse_others(before, asked_s, early))
    return found


def _accuse_others(before: Entry, asked_s: float, early: Mapping[int, float]) -> ClientVerdict:
    """Accuse; what came at the same moment may have been on its way already."""
    first = min(early)
    return ClientVerdict(
        kind=Misbehaviour.RETRY_AFTER_IGNORED,
        message=f"request {first} asked {before.model} something else {early[first]:.2f} s after "
        f"request {before.number} was refused with {before.status} and Retry-After {asked_s:g} s",
        numbers=(before.number, *early),
        is_certain=any(wait_s > _EARLY_S for wait_s in early.values()),
    )


def _judge_repeats(attempts: Sequence[Entry]) -> list[ClientVerdict]:
    return [
        ClientVerdict(
            kind=Misbehaviour.RETRIED_NON_RETRYABLE,
            message=f"request {after.number} repeats request {before.number}, which was refused "
            f"with {before.status}: the same request cannot succeed",
            numbers=(before.number, after.number),
        )
        for before, after in pairwise(attempts)
        if not may_be_retried(before)
        and not (before.status in _ABOUT_THE_KEY and _has_other_key(before, after))
    ]


def _judge_number(attempts: Sequence[Entry], most: int) -> list[ClientVerdict]:
    failed = [entry.number for entry in attempts if not is_answered(entry)]
    if len(failed) <= most:
        return []
    message = f"one request was made {len(failed)} times in vain; expected {most} at most"
    return [ClientVerdict(kind=Misbehaviour.RETRY_STORM, message=message, numbers=tuple(failed))]


def _judge_end(
    attempts: Sequence[Entry], entries: Sequence[Entry], *, raised: bool | None
) -> list[ClientVerdict]:
    last = attempts[-1]
    if is_answered(last) or not may_be_retried(last):
        return []
    if any(
        entry.number > last.number
        and entry.at_s >= _find_end_s(last)
        and is_asked_elsewhere(last, entry)
        for entry in entries
    ):
        return []
    if _is_cleanly_truncated(last):
        return _judge_truncated(last, entries, raised=raised)
    why = f"status {last.status}" if last.status >= _FIRST_ERROR else f"{last.fault or 'time-out'}"
    return [
        ClientVerdict(
            kind=Misbehaviour.GAVE_UP,
            message=f"request {last.number} failed ({why}), and after {len(attempts)} "
            "attempt(s) it was not made again",
            numbers=tuple(entry.number for entry in attempts),
        )
    ]


def _is_cleanly_truncated(entry: Entry) -> bool:
    is_stream = entry.raw_asked is not None and entry.raw_asked.stream
    is_clean = is_stream and entry.response.ending is Ending.COMPLETE
    return is_clean and entry.status < _FIRST_ERROR and "truncate" in (entry.fault or "")


def _judge_truncated(
    last: Entry, entries: Sequence[Entry], *, raised: bool | None
) -> list[ClientVerdict]:
    """Accept a later turn as proof: what the stream had said stands in it as an answer."""
    if raised:
        return []
    went_on = [
        entry.number
        for entry in entries
        if entry.number > last.number
        and entry.raw_asked is not None
        and last.raw_asked is not None
        and len(entry.raw_asked.turns) > len(last.raw_asked.turns)
        and entry.raw_asked.turns[: len(last.raw_asked.turns)] == last.raw_asked.turns
    ]
    told = f"; request {went_on[0]} goes on from there" if went_on else ""
    return [
        ClientVerdict(
            kind=Misbehaviour.TRUNCATED_STREAM_ACCEPTED,
            message=f"the answer to request {last.number} ended early, and it was not asked for "
            f"again{told}",
            numbers=(last.number, *went_on[:1]),
            is_certain=bool(went_on) or raised is False,
        )
    ]
