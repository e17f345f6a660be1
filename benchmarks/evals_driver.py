"""What the driver of a distributed run can bear: real queue, tally and store, made-up results.

Nothing is carried out: an executor answers for each trial what a worker would send back, so that
what is measured is the one process that no further machine makes faster. The sums for a hundred
million trials follow from it and are printed with their arithmetic.

Run: python benchmarks/evals_driver.py [TRIALS] [CASES]
"""

from __future__ import annotations

import asyncio
import pickle
import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tierwise.domain import Attempt, Exchange, Message, Outcome, Usage
from tierwise.evals import Trial, declaration_of, evaluate, never
from tierwise.evals.engine import Engine
from tierwise.evals.job import Job
from tierwise.evals.keeping import plan_row, trial_row
from tierwise.evals.outcomes import Conclusion
from tierwise.evals.plan import make_plan
from tierwise.evals.planned_trials import trials_of
from tierwise.evals.remote.executor import RemoteExecutor
from tierwise.evals.remote.mailbox import Mailbox
from tierwise.evals.remote.messages import Ended, Landed, Ready, Stop, Ticket
from tierwise.evals.remote.returning import pack
from tierwise.evals.running import Body, Setting, TrialResult
from tierwise.records import BatchWriter, RunInfo, RunStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.evals.executing import Executor
    from tierwise.evals.planned_trials import PlannedTrial
    from tierwise.evals.remote.messages import News, Order

BYTES = 1 if sys.platform == "darwin" else 1024  # a unit of ru_maxrss
MB, GB = 2**20, 2**30
TARGET = 100_000_000
CONCURRENCY = 1000
WORKERS = 8
HERE = Ready(place="here", versions={}, evals=frozenset())
SAID = "By the old mill, they say, and further down where the river bends."


def make_up(planned: PlannedTrial) -> TrialResult:
    """Return a result of the size that a short answer has."""
    prompt = Message(role="user", content=f"{planned.planned.label}: where is it?")
    said = Exchange(
        prompt=(prompt,),
        reply=SAID,
        provider="made up",
        usage=Usage(input_tokens=20, output_tokens=16),
        latency_s=0.4,
        attempts=(Attempt(latency_s=0.4),),
    )
    return TrialResult(
        planned=planned,
        conclusion=Conclusion(outcome=Outcome.PASSED, scores={"leak": False, "passed": True}),
        duration_s=0.4,
        exchanges=(said,),
    )


class MadeUp:
    """Carries nothing out: each trial ends as one call of a model would let it end."""

    async def run(self, job: Job, planned: PlannedTrial) -> TrialResult:
        """Return a made-up result."""
        del job
        await asyncio.sleep(0)  # a turn of the loop, as each result from elsewhere takes
        return make_up(planned)

    async def close(self) -> None:
        """Nothing is held."""


class NoWorkers:
    """A fleet without processes: what is said is pickled both ways, and nothing is carried out."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed

    def open(self) -> int:
        """Say how many workers there are."""
        return WORKERS

    async def start(self, number: int) -> NoWorker:
        """Return one of them."""
        del number
        return NoWorker(self._packed)

    def close(self) -> None:
        """Nothing runs."""


class NoWorker:
    """Answers each trial with one and the same result."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        self._news: Mailbox[News] = Mailbox()
        self._news.put(HERE)

    async def send(self, orders: Sequence[Order]) -> None:
        """Take trials."""
        for order in pickle.loads(pickle.dumps(list(orders))):  # noqa: S301  our own
            if isinstance(order, Ticket):
                self._news.put(Landed(number=order.number, packed=self._packed))
            elif isinstance(order, Stop):
                self._news.put(Ended(exit_code=0))

    async def receive(self) -> Sequence[News]:
        """Send what came of them."""
        news = await self._news.take()
        sent: Sequence[News] = pickle.loads(pickle.dumps(news))  # noqa: S301  our own
        return sent

    def kill(self) -> None:
        """Nothing runs."""


def make_executor(name: str, job: Job) -> Executor:
    """Return who is asked for trials: nobody, or workers that do nothing."""
    if name == "alone":
        return MadeUp()
    packed = pack(make_up(next(trials_of(job.plan))))
    return RemoteExecutor(NoWorkers(packed), concurrency=CONCURRENCY, here=HERE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One run of the driver."""

    name: str
    trials: int
    cases: int
    run_s: float
    run_cpu_s: float
    recount_s: float
    bytes_on_disk: int
    peak_bytes: int
    start_bytes: int


async def body(trial: Trial) -> None:
    """Never called."""


def make_job(trials: int, cases: int) -> Job:
    """Return a job of so many trials in all."""
    names = [f"case {number}" for number in range(cases)]
    expect = [never("leak", below=0.05)]
    declare = evaluate(cases=names, trials=max(trials // cases, 1), expect=expect, stop="fixed")
    declaration = declaration_of(declare(body))
    assert declaration is not None  # noqa: S101  just declared
    return Job(
        plan=make_plan(declaration, eval_id="e", tier=None, source="", provider="made up"),
        body=Body(function=body, wants=frozenset({"trial"})),
        setting=Setting(caller=None, timeout_s=60, make_folder=Path),
    )


def measure(trials: int, cases: int, name: str) -> Measured:
    """Run so many trials through queue, tally and store, and count them anew from the store."""
    start_bytes = peak_bytes()
    with tempfile.TemporaryDirectory() as folder, RunStore.open(Path(folder) / "r.db") as store:
        job = make_job(trials, cases)
        run_id = store.start_run(RunInfo())
        store.add_plan(plan_row(job.plan, run_id))
        began, cpu = time.perf_counter(), time.process_time()
        with BatchWriter(store.add_trials) as writer:

            def land(job: Job, result: TrialResult) -> None:
                writer.put(trial_row(job.plan, result, run_id))

            engine = Engine(concurrency=CONCURRENCY, land=land, executor=make_executor(name, job))
            engine.run([job])
            engine.close()
            writer.flush()
        ran, run_cpu = time.perf_counter(), time.process_time() - cpu
        job.recount(store.each_kept_trial(run_id, job.plan.hash))
        counted = time.perf_counter()
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
    return Measured(
        name=name,
        trials=job.counted.n,
        cases=cases,
        run_s=ran - began,
        run_cpu_s=run_cpu,
        recount_s=counted - ran,
        bytes_on_disk=size,
        peak_bytes=peak_bytes(),
        start_bytes=start_bytes,
    )


def peak_bytes() -> int:
    """Return the most memory that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES


def report(found: Measured) -> str:
    """Say what was measured, and what follows from it for the target."""
    rate = found.trials / found.run_s
    cpu = found.run_cpu_s / found.trials
    read = found.trials / found.recount_s
    size = found.bytes_on_disk / found.trials
    peak, grown = found.peak_bytes / MB, (found.peak_bytes - found.start_bytes) / MB
    return "\n".join(
        [
            f"{found.trials:,} made-up trials of {found.cases:,} cases, {found.name}",
            f"  driven and kept   {rate:>12,.0f} trials/s",
            f"  CPU of that       {cpu * 1e6:>12,.0f} us a trial",
            f"  counted anew      {read:>12,.0f} trials/s",
            f"  on disk           {size:>12,.0f} bytes a trial",
            f"  peak memory       {peak:>12,.0f} MB, {grown:,.0f} of it grown",
            f"{TARGET:,} trials on one driver, by these figures",
            f"  time   {TARGET:.0e} / {rate:,.0f} per s = {TARGET / rate / 3600:,.1f} h",
            f"  CPU    {TARGET:.0e} x {cpu * 1e6:,.0f} us = {TARGET * cpu / 3600:,.1f} h",
            f"  count  {TARGET:.0e} / {read:,.0f} per s = {TARGET / read / 3600:,.1f} h",
            f"  disk   {TARGET:.0e} x {size:,.0f} bytes = {TARGET * size / GB:,.0f} GB",
        ]
    )


def main() -> None:
    """Measure one run."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    cases = min(int(sys.argv[2]) if len(sys.argv) > 2 else 1000, trials)
    print(f"{CONCURRENCY:,} in flight; what is sent to {WORKERS} workers is pickled both ways")
    for name in ("alone", "sent to workers"):
        print(report(measure(trials, cases, name)))


if __name__ == "__main__":
    main()
