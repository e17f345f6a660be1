"""Whole evals so small that hundreds run in some seconds, each through the real engine.

Each case has a simulated subject of its own that leaks at a rate of its own, so that the truth is
known: of exactly these cases, and of all from which they were drawn.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tierwise.domain import Message
from tierwise.evals import Trial, declaration_of, evaluate
from tierwise.evals.baseline import Baseline
from tierwise.evals.calling import Caller
from tierwise.evals.engine import Engine
from tierwise.evals.job import Job
from tierwise.evals.judging import judge_eval
from tierwise.evals.plan import Plan, make_plan
from tierwise.evals.running import Body, Setting, TrialResult
from tierwise.providers import Answer, Failure, Provider, Request, SimulatedProvider

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.domain import Claim, Judgement
    from tierwise.evals import Expectation, StoppingRule
    from tierwise.providers import FailureKind

FACT = "heron"


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What is measured: for each case how often it is a hit, and points that come on top."""

    rates: Mapping[str, float]
    base: Mapping[str, float] = field(default_factory=dict)
    failures: Mapping[FailureKind, float] = field(default_factory=dict)
    seed: int = 0

    @property
    def rate(self) -> float:
        """The true rate of exactly these cases."""
        return sum(self.rates.values()) / len(self.rates)

    @property
    def points(self) -> float:
        """The true mean of exactly these cases."""
        return self.rate + sum(self.base.values()) / len(self.rates)


@dataclass(frozen=True, kw_only=True)
class Small:
    """What came of one small eval."""

    judgements: tuple[Judgement, ...]
    results: tuple[TrialResult, ...]

    @property
    def verdicts(self) -> tuple[str, ...]:
        """One for each promise."""
        return tuple(str(judgement.verdict) for judgement in self.judgements)

    @property
    def baseline(self) -> Baseline:
        """What a later run is compared with."""
        scores = (
            (metric, result.planned.planned.label, float(value))
            for result in self.results
            for metric, value in result.conclusion.scores.items()
            if not isinstance(value, str)
        )
        return Baseline.from_scores("before", scores)

    def claim(self, population: str, *, of: int = 0) -> Claim:
        """Return what a judgement claims of a population."""
        claims = self.judgements[of].claims
        return next(claim for claim in claims if claim.population == population)


def draw_rates(shape: tuple[float, float], n: int, *, seed: int) -> dict[str, float]:
    """Draw the rates of n cases from a Beta distribution; their mean over all draws is a/(a+b)."""
    chance = random.Random(seed)
    return {f"case {k}": chance.betavariate(*shape) for k in range(n)}


class _ByCase:
    """Asks the subject of the case that the prompt names."""

    name, real = "simulated", False

    def __init__(self, subject: Subject) -> None:
        self._of = {
            case: SimulatedProvider(
                secret=FACT,
                leak_rate=rate,
                failure_rates=subject.failures,
                seed=subject.seed,
                keep_calls=False,
            )
            for case, rate in subject.rates.items()
        }

    async def generate(self, request: Request[Any]) -> Answer[Any] | Failure:
        """Answer as that subject does."""
        return await self._of[request.prompt_text].generate(request)


def run_small(
    subject: Subject,
    *expect: Expectation,
    trials: int,
    stop: StoppingRule | str = "fixed",
    baseline: Baseline | None = None,
) -> Small:
    """Run one eval to its verdicts; each trial scores `hit` and `points`."""

    async def body(case: str, provider: Provider, trial: Trial) -> None:
        prompt = (Message(role="user", content=case),)
        reply = trial.require(await provider.generate(Request(messages=prompt)))
        hit = FACT in reply.text
        trial.score(hit=hit, points=hit + subject.base.get(case, 0.0))

    rule: Any = stop
    declare = evaluate(cases=list(subject.rates), trials=trials, expect=expect, stop=rule)
    declaration = declaration_of(declare(body))
    assert declaration is not None
    plan = make_plan(declaration, eval_id="small", tier=None, source="", provider="simulated")
    job, results = _run(plan, body, Caller(_ByCase(subject)))
    judged = judge_eval(
        plan.expectations, (), job.tally, baseline=baseline, watch=job.counted.stop
    )
    return Small(judgements=judged.judgements, results=tuple(results))


def _run(plan: Plan, function: Any, caller: Caller) -> tuple[Job, list[TrialResult]]:
    wants = frozenset({"case", "provider", "trial"})
    setting = Setting(caller=caller, eval_id="small", timeout_s=60.0, make_folder=Path)
    job = Job(plan=plan, body=Body(function=function, wants=wants), setting=setting)
    results: list[TrialResult] = []
    engine = Engine(concurrency=2, land=lambda _job, result: results.append(result))
    try:
        engine.run([job])
    finally:
        engine.close()
    if job.stopped_by is not None:
        raise job.stopped_by
    return job, results
