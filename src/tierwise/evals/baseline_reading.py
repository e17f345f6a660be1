"""An earlier run, read from the store, as what the evals of a new one are compared with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from tierwise.errors import EvalUsageError
from tierwise.evals.baseline import Baseline
from tierwise.evals.enough import is_eval_broken_off
from tierwise.evals.pairing import find_kind, mean_of_case
from tierwise.records.run_names import LAST, find_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.records import RunRow, RunStore
    from tierwise.records.scores import EvalScores


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineRun:
    """One earlier run with all its scores."""

    run: RunRow
    evals: tuple[EvalScores, ...]
    passed_over: tuple[str, ...] = ()
    """Later runs that `last` does not mean, since all their evals were broken off."""

    @classmethod
    def read(
        cls,
        store: RunStore,
        name: str,
        *,
        but: str = "",
        tell: Callable[[int], None] = lambda _n: None,
    ) -> Self:
        """Read the run that `name` means; the run `but` is not looked at.

        `last` is the latest of which any eval was not broken off, if there is one.
        """
        known = tuple(entry for entry in store.evals.runs() if entry.run.run_id != but)
        found = find_run(name, known)
        named = cls(run=found.run, evals=store.evals.scores(found.run.run_id, tell=tell))
        if name != LAST or _has_measured(store, named):
            return named
        passed = [found.run.run_id]
        for entry in reversed(known[:-1]):
            run_id = entry.run.run_id
            read = cls(run=entry.run, evals=store.evals.scores(run_id, tell=tell))
            if _has_measured(store, read):
                return replace(read, passed_over=tuple(passed))
            passed.append(run_id)
        return named

    def of(self, eval_id: str, provider: str) -> Baseline | None:
        """Return what an eval scored in it, or None where it did not run.

        Of several providers the same one is taken; the only one may also be another, which is
        how a new provider is compared with the old one.
        """
        found = [entry for entry in self.evals if entry.plan.eval_id == eval_id]
        same = [entry for entry in found if entry.plan.provider == provider]
        chosen = same if len(same) == 1 else found
        if not chosen:
            return None
        if len(chosen) > 1:
            names = ", ".join(entry.plan.provider for entry in found)
            raise EvalUsageError(
                f"The baseline {self.run.run_id} ran {eval_id} with several providers ({names}), "
                f"and which of them {provider} is to be compared with is not clear. Name a run "
                "with one provider; `tierwise eval runs` lists them."
            )
        return self._make(chosen[0])

    def _make(self, entry: EvalScores) -> Baseline:
        label = f"{self.run.run_id} ({entry.plan.provider}, {self.run.started_at[:10]})"
        if self.passed_over:
            label += f", past the broken-off {', '.join(self.passed_over)}"
        return Baseline(
            plan_hash=entry.plan.plan_hash,
            label=label,
            metrics={
                metric: {
                    case_id: found
                    for case_id, case in entry.cases.items()
                    if (found := mean_of_case(case, metric)).n
                }
                for metric in entry.metrics
                if find_kind(metric, entry) in ("rate", "number")
            },
        )


def _has_measured(store: RunStore, found: BaselineRun) -> bool:
    verdicts = store.evals.verdicts(found.run.run_id)
    return any(not is_eval_broken_off(entry, verdicts) for entry in found.evals)
