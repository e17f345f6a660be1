"""What speaks for a level besides its tests: contracts, guards, gates, commands, whole runs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tierwise.domain import Decision, Level, Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tierwise.records import KeptGate, KeptGuard

COMMAND = "$ "
"""How the name of a gate begins that is a command of the project's."""
_OLD = "is from another state of the code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many of how many."""

    good: int = 0
    of: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known of one level besides the results of its tests."""

    contracts: Share = field(default_factory=Share)
    """Implementations of contracts that are verified."""
    guards: Share = field(default_factory=Share)
    """Guards that were red when what they guard was sabotaged."""
    gates: Share = field(default_factory=Share)
    """Gates and commands that are ok on the present state of the code."""
    served_by: tuple[str, ...] = ()
    """What serves the level by a record of its own."""
    missing: tuple[str, ...] = ()
    """Commands that would serve the level and have no record."""
    doubts: tuple[str, ...] = ()
    news: tuple[str, ...] = ()
    last_run: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeRun:
    """A run that has taken tiers whole."""

    tiers: frozenset[str]
    exit_code: int | None
    started_at: str
    is_current: bool
    """Was it of the present state of the code?"""
    environment: str = ""
    """Its Python and platform."""


def gather_evidence(
    *,
    gates: Iterable[KeptGate] = (),
    guards: Iterable[KeptGuard] = (),
    commands: Mapping[Level, Sequence[str]] | None = None,
    contracts: Iterable[tuple[str, bool, str]] = (),
    default_run: Evidence | None = None,
    code_hash: str,
) -> dict[Level, Evidence]:
    """Return what speaks for each level.

    `commands` are those that the project declares; a record of another is of no account.
    `contracts` are implementations: name, whether it is verified, why not. A gate without a level
    of its own catches what new changes break: it serves `regression`.
    """
    found: dict[Level, Evidence] = defaultdict(Evidence)
    declared = commands or {}
    by_level: dict[Level, list[KeptGate]] = defaultdict(list)
    for gate in gates:
        level = Level(gate.row.level) if gate.row.level else Level.REGRESSION
        name = gate.row.gate
        if not name.startswith(COMMAND) or name.removeprefix(COMMAND) in declared.get(level, ()):
            by_level[level].append(gate)
    if default_run is not None:
        found[Level.REGRESSION] = default_run
    for level in {*by_level, *declared}:
        judged = _judge_gates(by_level[level], declared.get(level, ()), code_hash)
        found[level] = _joined(found[level], judged)
    for level, each in _guards_by_level(guards).items():
        found[level] = _joined(found[level], _judge_guards(each, code_hash))
    standings = list(contracts)
    if standings:
        found[Level.CONTRACT] = _joined(found[Level.CONTRACT], _judge_contracts(standings))
    return dict(found)


def judge_default_run(
    runs: Iterable[WholeRun], needed: frozenset[str], outcomes: Mapping[Outcome, int]
) -> Evidence | None:
    """Return what the last runs say that took all tiers of the default run whole.

    `needed` are those that have results, `outcomes` how their tests stand. Such a run is the
    regression test of most projects; each Python and platform that the present state of the
    code was run on has a last one, and a test that did not pass leaves in doubt what it tests.
    """
    whole = [run for run in runs if needed and needed <= run.tiers]
    if not whole:
        return None
    last = whole[-1]
    found = Evidence(served_by=("the default run",), last_run=last.started_at)
    if not last.is_current:
        return replace(found, doubts=(f"the last whole default run {_OLD}",))
    latest = {run.environment: run for run in whole if run.is_current}
    doubts = [_say_ended(run, last) for run in latest.values() if run.exit_code != 0]
    left = [
        f"{outcomes[outcome]} {say_outcome(outcome)}"
        for outcome in Outcome
        if outcome is not Outcome.PASSED and outcomes.get(outcome)
    ]
    doubts += [f"of the tests of the default run {', '.join(left)}"] if left else []
    if doubts:
        return replace(found, doubts=tuple(doubts))
    return replace(found, news=("the default run was whole and passed on this state of the code",))


def _say_ended(run: WholeRun, last: WholeRun) -> str:
    where = "" if run.environment == last.environment else f" on {run.environment}"
    ended = "did not end" if run.exit_code is None else f"ended with {run.exit_code}"
    return f"the last whole default run{where} {ended}"


def say_outcome(outcome: Outcome) -> str:
    """Return an outcome in words."""
    return outcome.replace("_", " ")


def _judge_gates(gates: Sequence[KeptGate], commands: Sequence[str], code_hash: str) -> Evidence:
    doubts: list[str] = []
    known = {gate.row.gate for gate in gates}
    for gate in gates:
        name = gate.row.gate.removeprefix(COMMAND)
        if gate.row.decision is not Decision.OK:
            why = f" ({gate.row.reason})" if gate.row.reason else ""
            doubts.append(f'"{name}" is {say(gate.row.decision)}{why}')
        elif not code_hash or gate.code_hash != code_hash:
            doubts.append(f'"{name}" {_OLD}')
    good = len(gates) - len(doubts)
    missing = tuple(name for name in commands if f"{COMMAND}{name}" not in known)
    return Evidence(
        gates=Share(good=good, of=len(gates) + len(missing)),
        served_by=tuple(gate.row.gate.removeprefix(COMMAND) for gate in gates),
        missing=missing,
        doubts=tuple(doubts),
        news=(f"{good} of {good} gates and commands ok",) if good else (),
        last_run=max((gate.started_at for gate in gates), default=None),
    )


def say(decision: Decision) -> str:
    """Return a decision in words."""
    return "nothing that was read" if decision is Decision.NOTHING_READ else str(decision)


def _guards_by_level(guards: Iterable[KeptGuard]) -> dict[Level, list[KeptGuard]]:
    found: dict[Level, list[KeptGuard]] = defaultdict(list)
    for guard in guards:
        if guard.row.level:
            found[Level(guard.row.level)].append(guard)
    return found


def _judge_guards(guards: Sequence[KeptGuard], code_hash: str) -> Evidence:
    current = [guard for guard in guards if code_hash and guard.code_hash == code_hash]
    caught = sum(guard.row.verdict is Verdict.PROVEN for guard in current)
    survived = sum(guard.row.verdict is Verdict.REFUTED for guard in current)
    unknown = len(current) - caught - survived
    old = len(guards) - len(current)
    told = (
        (survived, "sabotage that no guard caught"),
        (unknown, "guard that could not be told"),
        (old, "guard tried on another state of the code"),
    )
    return Evidence(
        guards=Share(good=caught, of=len(guards)),
        doubts=tuple(f"{n} {words}" for n, words in told if n),
        news=(f"{caught} guard{'s' * (caught > 1)} caught",) if caught else (),
        last_run=max(guard.started_at for guard in guards),
    )


def _judge_contracts(standings: Sequence[tuple[str, bool, str]]) -> Evidence:
    good = sum(is_verified for _, is_verified, _ in standings)
    n, bad = len(standings), len(standings) - good
    doubt = f"{bad} of {n} implementations of contracts not verified"
    return Evidence(
        contracts=Share(good=good, of=n),
        served_by=("contracts",),
        doubts=(doubt,) if bad else (),
        news=() if bad else (f"{good} implementation{'s' * (good > 1)} of contracts verified",),
    )


def _joined(one: Evidence, other: Evidence) -> Evidence:
    return Evidence(
        contracts=_added(one.contracts, other.contracts),
        guards=_added(one.guards, other.guards),
        gates=_added(one.gates, other.gates),
        served_by=one.served_by + other.served_by,
        missing=one.missing + other.missing,
        doubts=one.doubts + other.doubts,
        news=one.news + other.news,
        last_run=max(filter(None, (one.last_run, other.last_run)), default=None),
    )


def _added(one: Share, other: Share) -> Share:
    return Share(good=one.good + other.good, of=one.of + other.of)
