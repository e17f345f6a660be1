"""A run as a stream of frozen events; producers do not know who reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tierwise.domain.exchange import Exchange  # noqa: TC001  kept for readers at run time
from tierwise.domain.judgement import EvalSummary  # noqa: TC001
from tierwise.domain.words import Outcome, Verdict  # noqa: TC001


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalStarted:
    """An eval's plan is fixed and its trials are queued."""

    eval_id: str
    planned: int
    provider: str = ""
    reused: int = 0
    """How many of the planned trials earlier runs have made already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunExplained:
    """Something to know before the trials: what changed, or what is never taken over."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRequested:
    """Someone pressed Ctrl-C: no new trial starts, and those in flight are let end."""

    n_in_flight: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHeldUp:
    """Something keeps trials from going on; `text` says who waits for what."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAbandoned:
    """The process ends at once, since nothing else ends what was interrupted; nothing follows."""

    text: str
    exit_code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialEnded:
    """One run of one case ended; `index` counts the trials of a case from 0."""

    eval_id: str
    case_id: str
    index: int
    outcome: Outcome
    provider: str = ""
    scores: Mapping[str, bool | float | str] = field(default_factory=dict)
    message: str = ""
    duration_s: float = 0.0
    exchanges: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictReached:
    """One expectation of one eval was judged."""

    eval_id: str
    provider: str = ""
    expectation: str
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalJudged:
    """An eval is over: all its expectations are judged and counted."""

    summary: EvalSummary


Event = (
    EvalStarted
    | TrialEnded
    | RunExplained
    | StopRequested
    | RunHeldUp
    | RunAbandoned
    | VerdictReached
    | EvalJudged
)
"""What can happen in a run of evals."""

Listener = Callable[[Event], None]
"""Whoever is told each event as it happens."""
