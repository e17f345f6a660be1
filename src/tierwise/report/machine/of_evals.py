"""What an eval came to, as the properties of its test in JUnit XML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.report.machine.values import ExpectationEntry
from tierwise.report.machine.wording import say_expectation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.domain import EvalSummary, Judgement


def properties_of_eval(summary: EvalSummary) -> Iterator[tuple[str, str]]:
    """Yield the verdict by one provider, then each expectation with what its verdict rests on."""
    yield f"verdict [{summary.provider}]", summary.verdict
    for judgement in summary.judgements:
        name = f"{judgement.expectation} [{summary.provider}]"
        yield name, say_expectation(entry_of(judgement))


def entry_of(judgement: Judgement) -> ExpectationEntry:
    """Return a judgement as reports for programs hold it."""
    return ExpectationEntry(
        expectation=judgement.expectation,
        metric=judgement.metric,
        verdict=str(judgement.verdict),
        reason=judgement.reason,
        n_scored=judgement.n_scored,
        n_planned=judgement.n_planned,
        quantity=judgement.quantity,
        estimate=judgement.estimate,
        interval=judgement.interval,
        confidence=judgement.confidence,
    )
