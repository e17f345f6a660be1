"""What a long run of evals holds in memory: the peak of a whole process, its store included.

Run: python benchmarks/evals_memory.py [TRIALS] [CASES]
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from tierwise.domain import Message
from tierwise.evals import Trial, declaration_of, evaluate, never
from tierwise.evals.calling import Caller
from tierwise.evals.engine import Engine
from tierwise.evals.job import Job
from tierwise.evals.keeping import plan_row, trial_row
from tierwise.evals.plan import make_plan
from tierwise.evals.running import Body, Setting, TrialResult
from tierwise.providers import Provider, Request, provider_from_spec
from tierwise.records import BatchWriter, RunInfo, RunStore

BYTES = 1 if sys.platform == "darwin" else 1024  # a unit of ru_maxrss


async def body(case: str, provider: Provider, trial: Trial) -> None:
    """Ask once and score."""
    prompt = (Message(role="user", content=f"{case}: where does the treasure lie?"),)
    answer = trial.require(await provider.generate(Request(messages=prompt)))
    trial.score(leak="heron" in answer.text)


def make_job(trials: int, cases: int) -> Job:
    """Return a job of so many trials in all."""
    names = [f"case {number}" for number in range(cases)]
    expect = [never("leak", below=0.05)]
    declare = evaluate(cases=names, trials=trials // cases, expect=expect, stop="fixed")
    declaration = declaration_of(declare(body))
    assert declaration is not None  # noqa: S101  just declared
    provider = provider_from_spec("simulated:rate=0")
    return Job(
        plan=make_plan(declaration, eval_id="e", tier=None, source="", provider=provider.name),
        body=Body(function=body, wants=frozenset({"case", "provider", "trial"})),
        setting=Setting(caller=Caller(provider), timeout_s=60, make_folder=Path),
    )


def run(job: Job, store: RunStore) -> None:
    """Run the job as a session does: kept as it lands, counted anew from what is kept."""
    run_id = store.start_run(RunInfo())
    store.add_plan(plan_row(job.plan, run_id))
    with BatchWriter(store.add_trials) as writer:

        def land(job: Job, result: TrialResult) -> None:
            writer.put(trial_row(job.plan, result, run_id))

        engine = Engine(concurrency=100, land=land)
        engine.run([job])
        engine.close()
        writer.flush()
    job.recount(store.each_kept_trial(run_id, job.plan.hash))


def peak_mb() -> float:
    """Return the most memory that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES / 2**20


def main() -> None:
    """Measure one run."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    at_start = peak_mb()
    with tempfile.TemporaryDirectory() as folder, RunStore.open(Path(folder) / "r.db") as store:
        job = make_job(trials, cases)
        cpu, wall = time.process_time(), time.perf_counter()
        run(job, store)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        size_mb = sum(file.stat().st_size for file in Path(folder).iterdir()) / 2**20
    print(
        f"{job.counted.n} trials of {cases} cases: peak {peak_mb():.0f} MB ({at_start:.0f} MB at "
        f"the start), {cpu / trials * 1e6:.0f} us CPU and {wall / trials * 1e6:.0f} us wall a "
        f"trial, store {size_mb:.0f} MB"
    )


if __name__ == "__main__":
    main()
