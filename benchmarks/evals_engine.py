"""What the engine costs a trial: CPU and memory for simulated trials, with and without a store.

Run: python benchmarks/evals_engine.py [TRIALS]
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import Any

from tierwise.domain import Message
from tierwise.evals import Trial, declaration_of, evaluate, never
from tierwise.evals.calling import Caller
from tierwise.evals.engine import Engine
from tierwise.evals.job import Job
from tierwise.evals.keeping import trial_row
from tierwise.evals.plan import make_plan
from tierwise.evals.running import Body, Setting, TrialResult
from tierwise.providers import Answer, Provider, Request
from tierwise.records import BatchWriter, RunInfo, RunStore

ASK: Request[Any] = Request(messages=(Message(role="user", content="Where is it?"),))


class Instant:
    """Answers at once, to show the engine alone."""

    name, real = "instant", False

    async def generate(self, request: Request[Any]) -> Answer[Any]:
        """Answer."""
        return Answer(text=f"seed {request.seed}")


async def body(provider: Provider, trial: Trial) -> None:
    """Ask once and score."""
    answer = trial.require(await provider.generate(ASK))
    trial.score(leak="heron" in answer.text)


def sync_body(provider: Provider, trial: Trial) -> None:
    """Do the same in a thread."""
    answer = trial.require(trial.wait(provider.generate(ASK)))
    trial.score(leak="heron" in answer.text)


def make_job(function: Any, trials: int) -> Job:  # noqa: ANN401  a body
    """Return a job of so many trials."""
    declared = evaluate(cases=["a"], trials=trials, expect=[never("leak", below=0.05)])(function)
    declaration = declaration_of(declared)
    assert declaration is not None  # noqa: S101  just declared
    return Job(
        plan=make_plan(declaration, eval_id="e", tier=None, source="", provider="instant"),
        body=Body(function=function, wants=frozenset({"provider", "trial"})),
        setting=Setting(caller=Caller(Instant()), timeout_s=60, make_folder=Path),
    )


async def floor(trials: int) -> None:
    """Call the provider in a task for each trial, and do nothing else."""
    provider = Instant()
    for _ in range(trials):
        await asyncio.create_task(provider.generate(ASK))


def run(function: Any, trials: int, store: RunStore | None) -> None:  # noqa: ANN401  a body
    """Run the trials as a session does, kept in a store or not."""
    job = make_job(function, trials)
    if store is None:
        run_engine(job, lambda _job, _result: None)
        return
    run_id = store.start_run(RunInfo())
    with BatchWriter(store.add_trials) as writer:

        def land(job: Job, result: TrialResult) -> None:
            writer.put(trial_row(job.plan, result, run_id))

        run_engine(job, land)


def run_engine(job: Job, land: Any) -> None:  # noqa: ANN401  what the engine takes
    """Run one job to its end."""
    engine = Engine(concurrency=100, land=land)
    engine.run([job])
    engine.close()


def measure(name: str, trials: int, work: Any) -> None:  # noqa: ANN401  a callable
    """Print CPU and wall time a trial, then the peak of a second, traced run."""
    cpu, wall = time.process_time(), time.perf_counter()
    work(trials)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    tracemalloc.start()
    work(trials)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    print(
        f"{name:<28}{cpu / trials * 1e6:8.0f} us CPU a trial{wall / trials * 1e6:8.0f} us wall"
        f"{peak:8.1f} MB peak"
    )


def main() -> None:
    """Measure all of them."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print(f"{trials} trials, concurrency 100, a provider that answers at once")
    with tempfile.TemporaryDirectory() as folder, RunStore.open(Path(folder) / "r.db") as store:
        measure("floor: a task and a call", trials, lambda n: asyncio.run(floor(n)))
        measure("async body", trials, lambda n: run(body, n, None))
        measure("async body, kept in a store", trials, lambda n: run(body, n, store))
        measure("sync body", trials, lambda n: run(sync_body, n, None))


if __name__ == "__main__":
    main()
