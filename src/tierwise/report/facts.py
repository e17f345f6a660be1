"""Turns what the records hold into what the map needs to know of each tier."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from tierwise.domain import Outcome, Verdict
from tierwise.report.map import TierFacts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.records import RecordedTest, RecordedVerdict


def gather_facts(
    tests: Mapping[str, Iterable[RecordedTest]],
    verdicts: Iterable[RecordedVerdict],
    *,
    commit: str,
) -> dict[str, TierFacts]:
    """Return the facts of each tier that has results.

    A result is stale when it was recorded on another commit than `commit`; without a commit
    (no version control) nothing can be told apart, and nothing is called stale.
    """
    judged: dict[str, Counter[Verdict]] = defaultdict(Counter)
    for verdict in verdicts:
        judged[verdict.row.tier or ""][verdict.row.verdict] += 1
    return {
        tier: _facts_of(list(recorded), judged.get(tier, Counter()), commit=commit)
        for tier, recorded in tests.items()
    }


def _facts_of(
    recorded: list[RecordedTest], verdicts: Counter[Verdict], *, commit: str
) -> TierFacts:
    outcomes = Counter(test.row.outcome for test in recorded)
    return TierFacts(
        outcomes={outcome: outcomes[outcome] for outcome in Outcome if outcomes[outcome]},
        violations=sum(len(test.row.violations) for test in recorded),
        duration_s=sum(test.row.duration_s for test in recorded),
        last_run=max((test.run.started_at for test in recorded), default=None),
        n_stale=sum(1 for test in recorded if commit and test.run.info.commit != commit),
        verdicts={verdict: verdicts[verdict] for verdict in Verdict if verdicts[verdict]},
    )
