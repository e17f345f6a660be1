"""The rooms behind tiers and runs, used as a tool built on them would: type-checked, never run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, assert_type

from tierwise import config, errors, records, sandbox
from tierwise.config import Config, EvalsConfig, Order
from tierwise.domain import (
    Allowance,
    Attempt,
    Capability,
    Claim,
    EvalJudged,
    EvalStarted,
    EvalSummary,
    Event,
    Exchange,
    Judgement,
    Level,
    Listener,
    Message,
    Mode,
    Outcome,
    Reused,
    Role,
    RunAbandoned,
    RunExplained,
    RunHeldUp,
    Source,
    Spending,
    StopRequested,
    Tier,
    ToolCall,
    Touch,
    TrialEnded,
    Usage,
    Verdict,
    VerdictReached,
    Violation,
)
from tierwise.errors import ExitCode, MisuseError, TierwiseError
from tierwise.records import (
    Arm,
    BatchWriter,
    KeptTrial,
    PlanRow,
    PlanRun,
    RecordedTest,
    RecordedVerdict,
    RunInfo,
    RunRow,
    RunStore,
    TestResult,
    TestRow,
    TrialRow,
    VerdictRow,
)
from tierwise.sandbox import Fault, Policy, PolicyViolation, Sandbox

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path("project")
SLEEP = Touch(capability=Capability.SLEEP, target="1.5 s", event="time.sleep")
BROKEN = Violation(capability=Capability.SLEEP, target="1.5 s", subject="test_it", tier="unit")


def words(role: Role, call: ToolCall) -> Exchange:
    message = Message(role=role, content="hello", tool_calls=(call,), tool_call_id=call.id)
    used = Usage(input_tokens=3, output_tokens=4)
    assert_type(used.total_tokens, int)
    source: Source = "cache"
    attempts = (Attempt(failure="busy", retry_after_s=1.0), Attempt(waited_s=1.0))
    said = Exchange(
        prompt=(message,), reply="hi", usage=used, viewer=None, attempts=attempts, source=source
    )
    assert_type(said.prompt_text, str)
    return said


def read(event: Event) -> str:
    """Tell the kinds apart: the union is closed, so what is left at the end is one kind."""
    if isinstance(event, EvalStarted):
        return f"{event.eval_id}: {event.planned}"
    if isinstance(event, TrialEnded):
        assert_type(event.outcome, Outcome)
        return event.case_id
    if isinstance(event, VerdictReached):
        assert_type(event.verdict, Verdict)
        return event.reason
    if isinstance(event, StopRequested):
        return f"{event.n_in_flight} in flight"
    if isinstance(event, RunAbandoned):
        assert_type(event.exit_code, int)
    if isinstance(event, RunExplained | RunHeldUp | RunAbandoned):
        return event.text
    assert_type(event, EvalJudged)
    return summarise(event.summary)


def summarise(summary: EvalSummary) -> str:
    assert_type(summary.outcomes[Outcome.PASSED], int)
    assert_type(summary.reused, tuple[Reused, ...])
    assert_type(summary.spent + summary.spent_before, Spending)
    assert_type(summary.spent.tokens, int)
    judgement = summary.judgements[0]
    assert_type(judgement, Judgement)
    assert_type(judgement.claims, tuple[Claim, ...])
    assert_type(judgement.interval, tuple[float, float] | None)
    return judgement.claims[0].sentence


def listen(event: Event) -> None:
    read(event)


LISTENER: Listener = listen


def configure() -> Order:
    found = config.load_config(ROOT, mode=Mode.ENFORCE)
    assert_type(found, Config)
    assert_type(config.parse_config({"order": "random"}, ROOT), Config)
    assert_type(config.tier_of(found, "tests/unit/test_it.py"), Tier | None)
    assert_type(config.default_tiers(), tuple[Tier, ...])
    assert_type(config.parse_allowance("write:build/", "tier unit", reason="why"), Allowance)
    assert_type(found.evals, EvalsConfig)
    config.check_floors(found.floors, {"python": "3.11.2", "sqlite": None})
    return found.order


def watch() -> None:
    tier = Tier(name="unit", level=Level.UNIT, allow=(Allowance(capability=Capability.TMP),))
    allow = sandbox.union_of([tier.allow, (Allowance(capability=Capability.READ, target="x"),)])
    assert_type(allow, tuple[Allowance, ...])
    assert_type(sandbox.resolve_allowance(allow[0], ROOT), Allowance)
    policy = Policy(subject="test_it", tier=tier.name, allow=allow, watched=frozenset(Capability))
    assert_type(sandbox.forbids(policy, SLEEP), bool)
    guard = Sandbox(project_root=ROOT, exempt_paths=[ROOT / "build"])
    guard.install()
    try:
        with guard.acting(policy), guard.acting_here(policy), guard.suspended():
            sandbox.touch(Capability.MODEL, "smollm2")
    except PolicyViolation as violation:
        outside_the_root: BaseException = violation
        assert_type(violation.violation, Violation)
        raise outside_the_root from None
    finally:
        guard.uninstall()
    guard.enter(policy)
    guard.leave(policy)
    assert_type(guard.take("test_it") + guard.pending(), tuple[Violation, ...])
    assert_type(guard.faults(), tuple[Fault, ...])
    assert_type(sandbox.slug_of(Capability.SLEEP), str)
    assert_type(sandbox.explain(BROKEN, deliberate_tiers=["evals"]), str)


def keep(arm: Arm, exchange: Exchange) -> None:
    with RunStore.open(ROOT / "records.db", secrets=["sk-1"]) as store:
        assert_type(store, RunStore)
        code_hash: str = records.read_fingerprint(ROOT, whole=["src/omnia", "packages/*/tests"])
        run_id = store.start_run(
            RunInfo(commit=records.read_commit(ROOT), code_hash=code_hash, order_seed=1)
        )
        assert_type(run_id, str)
        row = TestRow(
            nodeid="t", tier=None, level=None, outcome=Outcome.PASSED, violations=(BROKEN,)
        )
        store.add_test(run_id, row)
        results: list[TestResult] = [row]
        store.add_tests(run_id, results)
        plan = PlanRow(
            run_id=run_id,
            plan_hash="p",
            eval_id="e",
            tier="evals",
            n_cases=1,
            trials=2,
            n_planned=2,
            provider="mock",
        )
        assert_type(store.add_plan(plan, reused=[1, 2]), int)
        trial = TrialRow(
            run_id=run_id,
            plan_hash="p",
            eval_id="e",
            case_id="c",
            index=0,
            key="k",
            seed=1,
            outcome=Outcome.PASSED,
            arm=arm,
            scores={"leak": False},
            exchanges=(exchange,),
        )
        writer = BatchWriter(store.add_trials, interval_s=0.1)
        assert_type(writer, BatchWriter[TrialRow])
        with writer:
            writer.put(trial)
            assert_type(writer.flush(timeout_s=1.0), bool)
            assert_type(writer.n_unwritten, int)
            assert_type(writer.behind_s, float)
        assert_type(writer.hindrance, BaseException | None)
        assert_type(store.say_kept("trials", 0), str)
        assert_type(writer.failure, BaseException | None)
        writer.close()
        store.add_verdict(
            VerdictRow(
                run_id=run_id,
                plan_hash="p",
                eval_id="e",
                tier="evals",
                expectation="never leak",
                metric="leak",
                verdict=Verdict.UNDECIDED,
                reason="too few",
                n_scored=1,
                n_planned=2,
            )
        )
        store.finish_run(run_id, exit_code=ExitCode.UNDECIDED, complete_tiers=["evals"])


def remember(path: Path) -> Mapping[str, tuple[RecordedTest, ...]]:
    store = RunStore.open_existing(path)
    assert_type(store, RunStore | None)
    if store is None:
        return {}
    assert_type(store.latest_verdicts(), tuple[RecordedVerdict, ...])
    assert_type(store.runs(), tuple[RunRow, ...])
    for entry in store.evals.runs():
        assert_type(entry.plans, tuple[PlanRow, ...])
        for scores in store.evals.scores(entry.run.run_id):
            assert_type(scores.cases["a"].metrics["leak"].n_true, int)
        assert_type(store.evals.usage(entry.run.run_id)["p"].cost_usd, float)
    assert_type(store.trials_of_run("r"), tuple[TrialRow, ...])
    assert_type(store.last_order_seed(), int | None)
    assert_type(store.count_runs_of_plan("p"), int)
    for row in store.each_trial("r"):
        assert_type(row, TrialRow)
    for earlier in store.runs_of_eval("e"):
        assert_type(earlier, PlanRun)
        for kept in store.each_kept_trial(earlier.run_id, earlier.plan_hash):
            assert_type(kept, KeptTrial)
        assert_type(store.spending(earlier.run_id, earlier.plan_hash), tuple[Spending, Spending])
    found = store.latest_tests_by_tier()
    store.close()
    return found


MISUSES: tuple[type[MisuseError], ...] = (
    errors.ConfigError,
    errors.EvalUsageError,
    errors.AirgapError,
    errors.FloorError,
    errors.MissingExtraError,
    errors.ProviderSpecError,
    errors.StatisticsError,
)
"""What was used wrongly is one family; a store that cannot be written is not of it."""


def fail(name: str) -> NoReturn:
    try:
        raise MISUSES[0](f"There is no tier {name!r}.{errors.suggest(name, ['unit'])}")
    except (errors.StoreError, errors.SuiteError, errors.WorkerError) as error:
        assert_type(error.exit_code, ExitCode)
        raise
    except TierwiseError as error:
        assert_type(error.slug, str)
        raise SystemExit(error.exit_code) from error
