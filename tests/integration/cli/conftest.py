"""Run stores filled with runs whose numbers are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from tierwise.domain import Outcome
from tierwise.records import PlanRow, RunInfo, RunStore, TrialRow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import click

EVAL = "tests/evals/test_npc.py::test_mira"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an empty project and start commands in it."""
    (tmp_path / "pyproject.toml").write_text("[tool.tierwise]\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def record(project: Path) -> Callable[..., str]:
    """Keep a run of one eval, or add an eval to a run: for each case the scores of its trials.

    None stands for a trial that ended in an error. A case's seed follows from its id.
    """

    def keep(
        scores: Mapping[str, Sequence[Mapping[str, Any] | None]],
        *,
        eval_id: str = EVAL,
        **more: Any,
    ) -> str:
        with RunStore.open(project / ".tierwise" / "records.db") as store:
            run_id = more.get("run_id") or store.start_run(
                RunInfo(commit=more.get("commit", "c0ffee12345"), code_hash=more.get("code", "h"))
            )
            plan = make_plan(run_id, eval_id, scores, more)
            store.add_plan(plan)
            store.add_trials(
                [
                    make_trial(plan, (case_id, index), found, more)
                    for case_id, trials in scores.items()
                    for index, found in enumerate(trials)
                ]
            )
            if not more.get("is_open"):
                store.finish_run(run_id, exit_code=0)
        return run_id

    return keep


def make_plan(
    run_id: str, eval_id: str, scores: Mapping[str, Sequence[Any]], more: Mapping[str, Any]
) -> PlanRow:
    provider = more.get("provider", "simulated")
    n = max(map(len, scores.values()))
    return PlanRow(
        run_id=run_id,
        plan_hash=more.get("plan_hash", f"plan of {eval_id} by {provider}"),
        eval_id=eval_id,
        tier="evals",
        n_cases=len(scores),
        trials=n,
        n_planned=more.get("n_planned", n * len(scores)),
        provider=provider,
        detail={"better": more.get("better", {})},
        definition=more.get("definition", f"{eval_id} by {provider}"),
        inputs_hash=more.get("inputs_hash", ""),
    )


def make_trial(
    plan: PlanRow,
    place: tuple[str, int],
    scores: Mapping[str, Any] | None,
    more: Mapping[str, Any],
) -> TrialRow:
    case_id, index = place
    seeds = more.get("seeds", {})
    return TrialRow(
        run_id=plan.run_id,
        plan_hash=plan.plan_hash,
        eval_id=plan.eval_id,
        case_id=case_id,
        index=index,
        key=f"{case_id}-{index}",
        seed=seeds.get(case_id, sum(case_id.encode())) + index,
        outcome=Outcome.ERROR if scores is None else Outcome.PASSED,
        scores=scores or {},
        message="ValueError: broken" if scores is None else "",
        exchanges=more.get("exchanges", ()),
        duration_s=0.5,
    )


@pytest.fixture
def call(project: Path) -> Callable[..., Result]:
    """Call a command in the project; what goes wrong is raised, not swallowed."""

    def invoke(command: click.Command, *arguments: str) -> Result:
        return CliRunner().invoke(
            command, arguments, catch_exceptions=False, standalone_mode=False
        )

    return invoke
