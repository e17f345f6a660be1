"""Turns what the records hold into what the map needs to know of each tier."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from tierwise.domain import Outcome, Verdict
from tierwise.report.map import TierFacts, Whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.records import RecordedTest, RecordedVerdict, RunRow, TierCounts
    from tierwise.report.evidence import WholeRun


def gather_facts(
    tests: Mapping[str, Iterable[RecordedTest]],
    verdicts: Iterable[RecordedVerdict],
    *,
    runs: Iterable[RunRow],
    code_hash: str,
) -> dict[str, TierFacts]:
    """Return the facts of each tier that has results.

    A result is stale when it was recorded with other files than those of `code_hash`; where
    either is not known, it is stale too.
    """
    whole = _whole_by_tier(runs, code_hash)
    judged: dict[str, Counter[Verdict]] = defaultdict(Counter)
    for verdict in verdicts:
        judged[verdict.row.tier or ""][verdict.row.verdict] += 1
    return {
        tier: replace(
            _facts_of(list(recorded), judged.get(tier, Counter()), code_hash=code_hash),
            whole=whole.get(tier, Whole.NEVER),
        )
        for tier, recorded in tests.items()
    }


def _whole_by_tier(runs: Iterable[RunRow], code_hash: str) -> dict[str, Whole]:
    whole: dict[str, Whole] = {}
    for run in runs:
        for tier in run.complete_tiers:
            if _is_of(run, code_hash):
                whole[tier] = Whole.NOW
            else:
                whole.setdefault(tier, Whole.BEFORE)
    return whole


def _is_of(run: RunRow, code_hash: str) -> bool:
    return bool(code_hash) and run.info.code_hash == code_hash


def _facts_of(
    recorded: list[RecordedTest], verdicts: Counter[Verdict], *, code_hash: str
) -> TierFacts:
    outcomes = Counter(test.row.outcome for test in recorded)
    return TierFacts(
        outcomes={outcome: outcomes[outcome] for outcome in Outcome if outcomes[outcome]},
        violations=sum(len(test.row.violations) for test in recorded),
        duration_s=sum(test.row.duration_s for test in recorded),
        last_run=max((test.run.started_at for test in recorded), default=None),
        n_stale=sum(1 for test in recorded if not _is_of(test.run, code_hash)),
        verdicts={verdict: verdicts[verdict] for verdict in Verdict if verdicts[verdict]},
        n_retried=sum(
            1 for test in recorded if test.row.attempts > 1 and test.row.outcome is Outcome.PASSED
        ),
    )


def facts_of_counts(
    counted: Mapping[str, TierCounts], runs: Iterable[WholeRun]
) -> dict[str, TierFacts]:
    """Return what `gather_facts` does, of results that were counted in the store."""
    whole: dict[str, Whole] = {}
    for run in runs:
        for tier in run.tiers:
            if run.is_current:
                whole[tier] = Whole.NOW
            else:
                whole.setdefault(tier, Whole.BEFORE)
    return {
        tier: TierFacts(
            outcomes=counts.outcomes,
            violations=counts.violations,
            duration_s=counts.duration_s,
            last_run=counts.last_run,
            n_stale=counts.n_stale,
            verdicts=counts.verdicts,
            whole=whole.get(tier, Whole.NEVER),
            n_retried=counts.n_retried,
            n_elsewhere=counts.n_elsewhere,
        )
        for tier, counts in counted.items()
    }
