"""Sides of a comparison whose numbers are known, and an event loop whose clock jumps."""

from __future__ import annotations

import asyncio
import selectors
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Outcome
from tierwise.evals.comparison import Side
from tierwise.records import PlanRow, RunInfo, RunRow
from tierwise.records.scores import CaseScores, EvalScores

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence


@pytest.fixture
def make_scores() -> Callable[..., EvalScores]:
    """Make an eval's scores: for each case its trials, a dict of scores each, None an error."""

    def make(cases: Mapping[str, Sequence[Any]], **more: Any) -> EvalScores:
        found = {}
        for case_id, trials in cases.items():
            seeds = more.get("seeds", {})
            case = CaseScores(seed=seeds.get(case_id, sum(case_id.encode())))
            for scores in trials:
                case.add(Outcome.ERROR if scores is None else Outcome.PASSED, scores or {}, 1)
            found[case_id] = case
        n = max(map(len, cases.values()), default=1)
        plan = PlanRow(
            run_id="r",
            plan_hash=more.get("plan_hash", "p"),
            eval_id=more.get("eval_id", "e"),
            tier=None,
            n_cases=len(cases),
            trials=more.get("trials", n),
            n_planned=more.get("n_planned", sum(map(len, cases.values()))),
            provider=more.get("provider", "x"),
            definition=more.get("definition", "d"),
            inputs_hash=more.get("inputs_hash", ""),
            detail={"better": more.get("better", {}), "identity": more.get("identity", "")},
        )
        return EvalScores(plan=plan, cases=found)

    return make


@pytest.fixture
def make_side() -> Callable[..., Side]:
    """Make a side of evals; `run` is the id of its run, `code` the fingerprint of its files."""

    def make(*evals: EvalScores, **more: Any) -> Side:
        run = RunRow(
            run_id=more.get("run", "A"),
            started_at=more.get("started_at", "2026-01-01T00:00:00"),
            info=RunInfo(commit=more.get("commit", ""), code_hash=more.get("code", "h")),
            finished_at=more.get("finished_at", "2026-01-01T00:01:00"),
        )
        return Side(name=more.get("name", "x"), run=run, evals=evals)

    return make


class _JumpingSelector(selectors.DefaultSelector):
    """Moves the clock on instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        """Return what is ready; with nothing left to come the test would hang."""
        ready = super().select(0)
        if not ready:
            assert timeout is not None, "the loop waits for something that will never happen"
            self.now += timeout
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop that is never late and never waits."""

    def __init__(self) -> None:
        self.jumping = _JumpingSelector()
        super().__init__(self.jumping)

    def time(self) -> float:
        """Return the jumping clock's seconds."""
        return self.jumping.now


@pytest.fixture
def jumping() -> Callable[[Callable[[Callable[[], float]], Coroutine[Any, Any, Any]]], Any]:
    """Run `scenario(clock)` to its end in jumping time and return what it returns."""

    def run(scenario: Callable[[Callable[[], float]], Coroutine[Any, Any, Any]]) -> Any:
        with asyncio.Runner(loop_factory=JumpingLoop) as runner:
            return runner.run(scenario(runner.get_loop().time))

    return run
