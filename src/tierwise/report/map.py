"""The taxonomy filled from what was measured: one row a level, a status and the reason for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from tierwise.domain import Level, Outcome, Verdict
from tierwise.report.evidence import Evidence, say_outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.domain import Tier

K = TypeVar("K")


class Status(StrEnum):
    """How far a level is covered."""

    COVERED = "covered"
    PARTIAL = "partial"
    GAP = "gap"


class Whole(StrEnum):
    """When a tier was last run without leaving any of its tests out."""

    NOW = "now"
    BEFORE = "before"
    """On another state of the code than the present one."""
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class TierFacts:
    """What the records know of one tier: the latest outcome of each of its tests."""

    outcomes: Mapping[Outcome, int] = field(default_factory=dict)
    violations: int = 0
    duration_s: float = 0.0
    last_run: str | None = None
    """When its newest result landed, ISO 8601 in UTC; None when it never ran."""
    n_stale: int = 0
    """Results that belong to another state of the code than the present one."""
    verdicts: Mapping[Verdict, int] = field(default_factory=dict)
    whole: Whole = Whole.NEVER
    n_retried: int = 0
    """Tests that passed only when they were tried again."""
    n_accepted: int = 0
    """Violations that the project's baseline accepts for now."""
    n_elsewhere: int = 0
    """Tests that did not pass on another Python or platform than the last, and stand so."""

    @property
    def n_tests(self) -> int:
        """Return how many tests have a result."""
        return sum(self.outcomes.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelRow:
    """One level of the map."""

    level: Level
    status: Status
    reason: str
    tiers: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    outcomes: Mapping[Outcome, int] = field(default_factory=dict)
    verdicts: Mapping[Verdict, int] = field(default_factory=dict)
    last_run: str | None = None
    evidence: Evidence = field(default_factory=Evidence)

    @property
    def n_tests(self) -> int:
        """Return how many tests have a result."""
        return sum(self.outcomes.values())

    @property
    def number(self) -> int:
        """Return the level's place in the taxonomy, from 1 to 12."""
        return list(Level).index(self.level) + 1


def draw_map(
    tiers: Iterable[Tier],
    facts: Mapping[str, TierFacts],
    evidence: Mapping[Level, Evidence] | None = None,
) -> tuple[LevelRow, ...]:
    """Return one row for each of the twelve levels, in the order of the taxonomy.

    `facts` are keyed by tier name; a tier without facts has never run. `evidence` is what speaks
    for a level besides its tests, and may serve it alone.
    """
    known = evidence or {}
    by_level: dict[Level, list[Tier]] = {level: [] for level in Level}
    for tier in tiers:
        by_level[tier.level].append(tier)
    return tuple(
        _row(level, serving, facts, known.get(level, Evidence()))
        for level, serving in by_level.items()
    )


def _row(
    level: Level, serving: list[Tier], facts: Mapping[str, TierFacts], evidence: Evidence
) -> LevelRow:
    known = [facts.get(tier.name, TierFacts()) for tier in serving]
    outcomes = sum_counts([fact.outcomes for fact in known])
    verdicts = sum_counts([fact.verdicts for fact in known])
    status, reason = judge_level(
        serving, known, level=level, outcomes=outcomes, verdicts=verdicts, evidence=evidence
    )
    runs = (evidence.last_run, *(fact.last_run for fact in known))
    return LevelRow(
        level=level,
        status=status,
        reason=reason,
        tiers=tuple(tier.name for tier in serving),
        questions=tuple(tier.question for tier in serving if tier.question),
        outcomes=outcomes,
        verdicts=verdicts,
        last_run=max(filter(None, runs), default=None),
        evidence=evidence,
    )


def judge_level(
    serving: list[Tier],
    known: list[TierFacts],
    *,
    level: Level,
    outcomes: Mapping[Outcome, int],
    verdicts: Mapping[Verdict, int],
    evidence: Evidence,
) -> tuple[Status, str]:
    """Decide a level's status: covered only when all is known, current and good."""
    silent = [tier.name for tier, fact in zip(serving, known, strict=True) if not fact.n_tests]
    if len(silent) == len(serving) and not evidence.served_by:
        return Status.GAP, _say_gap(level, silent, evidence.missing)
    doubts = _count_doubts(outcomes, verdicts)
    doubts += [f"{_listed(silent)} never ran"] if silent else []
    doubts += _doubt_tiers(serving, known)
    doubts += [_say_missing(level, evidence.missing)] if evidence.missing else []
    doubts += evidence.doubts
    if doubts:
        return Status.PARTIAL, ", ".join(doubts)
    return Status.COVERED, "; ".join([*_good_news(outcomes, verdicts), *evidence.news])


def _say_gap(level: Level, silent: list[str], missing: tuple[str, ...]) -> str:
    told = [f"no test of {_listed(silent)} has a result yet"] if silent else []
    told += [_say_missing(level, missing)] if missing else []
    return ", ".join(told) or "no tier serves this level"


def _say_missing(level: Level, commands: tuple[str, ...]) -> str:
    return f"{_listed(list(commands))} was not run: tierwise map --run {level}"


def _count_doubts(outcomes: Mapping[Outcome, int], verdicts: Mapping[Verdict, int]) -> list[str]:
    doubts = [
        f"{n} {say_outcome(outcome)}"
        for outcome, n in outcomes.items()
        if outcome != Outcome.PASSED and n
    ]
    return doubts + [
        f"{n} {verdict}" for verdict, n in verdicts.items() if verdict != Verdict.PROVEN and n
    ]


def _doubt_tiers(serving: list[Tier], known: list[TierFacts]) -> list[str]:
    doubts = []
    if elsewhere := sum(fact.n_elsewhere for fact in known):
        doubts.append(f"{elsewhere} of these on another Python or platform than the last")
    if violations := sum(fact.violations for fact in known):
        doubts.append(f"{violations} violation{'s' * (violations > 1)}")
    if accepted := sum(fact.n_accepted for fact in known):
        left = f"{accepted} accepted violation{'s' * (accepted > 1)} left"
        doubts.append(f"{left} (tierwise baseline)")
    if retried := sum(fact.n_retried for fact in known):
        doubts.append(f"{retried} passed only when tried again")
    stale = sum(fact.n_stale for fact in known)
    if stale:
        doubts.append(f"{stale} from another state of the code")
    # Old results say already that nothing was run whole since.
    asked = (Whole.NEVER,) if stale else (Whole.NEVER, Whole.BEFORE)
    doubts += [
        _parted(tier, fact.whole)
        for tier, fact in zip(serving, known, strict=True)
        if fact.n_tests and fact.whole in asked
    ]
    return doubts


def _parted(tier: Tier, whole: Whole) -> str:
    now = "was not run whole on this state of the code"
    said = "was never run whole" if whole is Whole.NEVER else now
    # `tierwise eval run` leaves the other tests of a tier out, and a bare pytest all of it.
    how = f" (all of it: pytest --tier {tier.name})" if tier.deliberate else ""
    return f'"{tier.name}" {said}{how}'


def _good_news(outcomes: Mapping[Outcome, int], verdicts: Mapping[Verdict, int]) -> list[str]:
    passed, proven = outcomes.get(Outcome.PASSED, 0), verdicts.get(Verdict.PROVEN, 0)
    news = [f"all {passed} passed on this state of the code"] if passed else []
    return news + ([f"{proven} expectation{'s' * (proven > 1)} proven"] if proven else [])


def sum_counts(counts: Iterable[Mapping[K, int]]) -> dict[K, int]:
    """Return several counts as one."""
    total: dict[K, int] = {}
    for count in counts:
        for key, n in count.items():
            total[key] = total.get(key, 0) + n
    return total


def _listed(names: list[str]) -> str:
    return " and ".join(f'"{name}"' for name in names)
