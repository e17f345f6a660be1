"""An earlier run as what a new one is compared with, case by case."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tierwise.evals.counting import score_numbers
from tierwise.evals.moments import Moments
from tierwise.records.scores import Shared

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.stats import CaseMean


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What each case scored before, by metric and the case's id; True counts 1, False 0.

    Only trials that the claims rested on belong in it, those of controls do not.
    """

    label: str
    """Names the run for a reader, such as its id and date."""
    metrics: Mapping[str, Mapping[str, CaseMean]] = field(default_factory=dict)
    plan_hash: str = ""
    shared: Shared = field(default_factory=Shared)
    """What is one observation here and there: a comparison with it proves nothing."""

    @classmethod
    def from_scores(cls, label: str, scores: Iterable[tuple[str, str, float]]) -> Baseline:
        """Make one of (metric, case id, score) of each scored trial, in any order."""
        found: dict[str, dict[str, Moments]] = {}
        for metric, case_id, score in scores:
            found.setdefault(metric, {}).setdefault(case_id, Moments()).add(score)
        metrics = {
            metric: {case_id: score_numbers(numbers) for case_id, numbers in cases.items()}
            for metric, cases in found.items()
        }
        return cls(label=label, metrics=metrics)
