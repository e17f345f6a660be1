"""What speaks for a level besides its tests, and what speaks against it."""

from __future__ import annotations

import pytest

from tierwise.domain import Decision, Level, Outcome, Tier, Verdict
from tierwise.records import GateRow, GuardRow, KeptGate, KeptGuard
from tierwise.report.evidence import (
    Evidence,
    Share,
    WholeRun,
    gather_evidence,
    judge_default_run,
)
from tierwise.report.map import LevelRow, Status, TierFacts, Whole, draw_map

UNIT = Tier(name="unit", level=Level.UNIT)
GREEN = TierFacts(outcomes={Outcome.PASSED: 3}, whole=Whole.NOW)
RUFF = {Level.STATIC: ("ruff check .",)}


def gate(
    name: str = "$ ruff check .",
    decision: Decision = Decision.OK,
    level: Level | None = Level.STATIC,
    code: str = "now",
) -> KeptGate:
    """Return a gate's latest decision."""
    row = GateRow(gate=name, decision=decision, reason="why", level=level and str(level))
    return KeptGate(row=row, started_at="2026-01-02T03:04:05+00:00", code_hash=code)


def guard(verdict: Verdict, code: str = "now") -> KeptGuard:
    """Return a guard of the unit level."""
    row = GuardRow(nodeid="t", behaviour="b", sabotage="s", verdict=verdict, level="unit")
    return KeptGuard(row=row, started_at="2026-01-02T03:04:05+00:00", code_hash=code)


def row_of(level: Level, evidence: dict[Level, Evidence], *tiers: Tier) -> LevelRow:
    """Return one level of a map whose unit tests are green."""
    rows = draw_map(tiers, {"unit": GREEN}, evidence)
    return next(row for row in rows if row.level is level)


def test_a_command_that_was_ok_covers_its_level() -> None:
    """A level without a tier counts by its command's own record."""
    found = gather_evidence(gates=[gate()], commands=RUFF, code_hash="now")
    row = row_of(Level.STATIC, found)
    assert (row.status, row.reason) == (Status.COVERED, "1 of 1 gates and commands ok")
    assert row.last_run == "2026-01-02T03:04:05+00:00"
    assert row.evidence.served_by == ("ruff check .",)


@pytest.mark.parametrize(
    ("kept", "reason"),
    [
        (gate(decision=Decision.BROKEN), '"ruff check ." is broken (why)'),
        (gate(decision=Decision.STALE), '"ruff check ." is stale (why)'),
        (gate(decision=Decision.NOTHING_READ), '"ruff check ." is nothing that was read (why)'),
        (gate(code="old"), '"ruff check ." is from another state of the code'),
        (gate(code=""), '"ruff check ." is from another state of the code'),
    ],
)
def test_a_gate_that_is_not_ok_here_and_now_does_not_cover(kept: KeptGate, reason: str) -> None:
    """Broken, stale, read nothing, or of other code: partial, with the reason."""
    found = gather_evidence(gates=[kept], commands=RUFF, code_hash="now")
    row = row_of(Level.STATIC, found)
    assert (row.status, row.reason) == (Status.PARTIAL, reason)


def test_where_the_code_is_not_known_nothing_is_current() -> None:
    """Two states that nobody could read are not one."""
    found = gather_evidence(gates=[gate(code="")], commands=RUFF, code_hash="")
    assert row_of(Level.STATIC, found).status is Status.PARTIAL


def test_a_command_without_a_record_is_a_gap_that_says_what_to_run() -> None:
    """Declared is not done."""
    row = row_of(Level.STATIC, gather_evidence(commands=RUFF, code_hash="now"))
    expected = '"ruff check ." was not run: tierwise map --run static'
    assert (row.status, row.reason) == (Status.GAP, expected)


def test_one_command_does_not_speak_for_another() -> None:
    """A level is covered when each of its commands was ok."""
    commands = {Level.STATIC: ("ruff check .", "mypy")}
    row = row_of(Level.STATIC, gather_evidence(gates=[gate()], commands=commands, code_hash="now"))
    assert (row.status, row.evidence.gates) == (Status.PARTIAL, Share(good=1, of=2))
    assert row.reason == '"mypy" was not run: tierwise map --run static'


def test_a_command_that_is_no_longer_declared_is_of_no_account() -> None:
    """Who takes a command out takes its record out of the map."""
    row = row_of(Level.STATIC, gather_evidence(gates=[gate()], code_hash="now"))
    assert (row.status, row.reason) == (Status.GAP, "no tier serves this level")


def test_a_gate_without_a_level_serves_regression() -> None:
    """What watches for drift answers whether new changes broke something."""
    found = gather_evidence(gates=[gate("coverage floors", level=None)], code_hash="now")
    assert row_of(Level.REGRESSION, found).status is Status.COVERED


@pytest.mark.parametrize(
    ("guards", "reason"),
    [
        ([guard(Verdict.PROVEN)] * 2, "all 3 passed on this state of the code; 2 guards caught"),
        (
            [guard(Verdict.PROVEN), guard(Verdict.REFUTED)],
            "1 sabotage that no guard caught",
        ),
        ([guard(Verdict.UNDECIDED)], "1 guard that could not be told"),
        ([guard(Verdict.PROVEN, "old")], "1 guard tried on another state of the code"),
    ],
)
def test_guards_speak_for_the_level_of_their_tests(guards: list[KeptGuard], reason: str) -> None:
    """Green tests with a guard that did not catch its sabotage are not covered."""
    row = row_of(Level.UNIT, gather_evidence(guards=guards, code_hash="now"), UNIT)
    assert row.reason == reason


def test_guards_do_not_serve_a_level_by_themselves() -> None:
    """A guard is a test; without results of its tier there is nothing to guard."""
    found = gather_evidence(guards=[guard(Verdict.PROVEN)], code_hash="now")
    assert row_of(Level.UNIT, found).status is Status.GAP


def test_contracts_serve_the_contract_level() -> None:
    """Verified implementations cover it, an unverified one leaves it partial."""
    good = gather_evidence(contracts=[("a", True, ""), ("b", True, "")], code_hash="now")
    bad = gather_evidence(contracts=[("a", True, ""), ("b", False, "no")], code_hash="now")
    assert row_of(Level.CONTRACT, good).reason == "2 implementations of contracts verified"
    assert row_of(Level.CONTRACT, bad).reason == "1 of 2 implementations of contracts not verified"
    assert row_of(Level.CONTRACT, bad).status is Status.PARTIAL


def whole(
    *tiers: str, exit_code: int | None = 0, is_current: bool = True, environment: str = ""
) -> WholeRun:
    """Return a run that has taken these tiers whole."""
    return WholeRun(
        tiers=frozenset(tiers),
        exit_code=exit_code,
        started_at="2026",
        is_current=is_current,
        environment=environment,
    )


@pytest.mark.parametrize(
    ("runs", "status", "reason"),
    [
        (
            [whole("unit", "e2e", exit_code=1), whole("unit", "e2e")],
            Status.COVERED,
            "the default run was whole and passed on this state of the code",
        ),
        ([whole("unit", "e2e"), whole("unit")], Status.COVERED, None),
        ([whole("unit"), whole("e2e")], Status.GAP, "no tier serves this level"),
        (
            [whole("unit", "e2e"), whole("unit", "e2e", exit_code=1)],
            Status.PARTIAL,
            "the last whole default run ended with 1",
        ),
        (
            [whole("unit", "e2e", exit_code=None)],
            Status.PARTIAL,
            "the last whole default run did not end",
        ),
        (
            [whole("unit", "e2e", is_current=False)],
            Status.PARTIAL,
            "the last whole default run is from another state of the code",
        ),
    ],
)
def test_the_default_run_is_the_regression_test(
    runs: list[WholeRun], status: Status, reason: str | None
) -> None:
    """One run must have taken all tiers with results whole, lately, on this code, and passed."""
    judged = judge_default_run(runs, frozenset({"unit", "e2e"}), {Outcome.PASSED: 3})
    row = row_of(Level.REGRESSION, gather_evidence(default_run=judged, code_hash="now"))
    assert row.status is status
    assert reason in (None, row.reason)


def test_without_results_no_run_is_a_regression_test() -> None:
    """A run of nothing says nothing."""
    assert judge_default_run([whole("unit")], frozenset(), {}) is None


def test_a_test_that_passed_when_tried_again_leaves_its_level_partial() -> None:
    """It failed on this state of the code, too."""
    facts = TierFacts(outcomes={Outcome.PASSED: 3}, whole=Whole.NOW, n_retried=1)
    (row,) = (row for row in draw_map([UNIT], {"unit": facts}) if row.level is Level.UNIT)
    assert (row.status, row.reason) == (Status.PARTIAL, "1 passed only when tried again")


def test_a_default_run_that_failed_on_another_python_is_not_hidden() -> None:
    """Of a matrix each environment has a last run, and all of them count."""
    runs = [
        whole("unit", exit_code=1, environment="Python 3.11 on linux"),
        whole("unit", exit_code=1, environment="Python 3.12 on linux", is_current=False),
        whole("unit", environment="Python 3.13 on linux"),
    ]
    judged = judge_default_run(runs, frozenset({"unit"}), {Outcome.PASSED: 3})
    assert judged is not None
    assert judged.doubts == ("the last whole default run on Python 3.11 on linux ended with 1",)
    again = whole("unit", environment="Python 3.11 on linux")
    judged = judge_default_run([*runs, again], frozenset({"unit"}), {Outcome.PASSED: 3})
    assert judged is not None
    assert judged.doubts == ()


@pytest.mark.parametrize(
    ("outcome", "words"),
    [(Outcome.NOT_RUN, "2 not run"), (Outcome.UNOBSERVABLE, "2 unobservable")],
)
def test_a_test_that_told_nothing_is_no_regression_test(outcome: Outcome, words: str) -> None:
    """A session ends with 0 where tests were skipped; what they test may have broken."""
    counts = {Outcome.PASSED: 3, outcome: 2}
    judged = judge_default_run([whole("unit")], frozenset({"unit"}), counts)
    row = row_of(Level.REGRESSION, gather_evidence(default_run=judged, code_hash="now"))
    assert row.status is Status.PARTIAL
    assert row.reason == f"of the tests of the default run {words}"
