"""What was learnt, kept: runs, tests, plans, trials, exchanges and verdicts in one SQLite file."""

from importlib import import_module
from typing import TYPE_CHECKING

from tierwise.records.fingerprint import read_fingerprint as read_fingerprint
from tierwise.records.git import read_commit as read_commit
from tierwise.records.run_rows import (
    ClauseKey as ClauseKey,
    KnownGap as KnownGap,
    RunInfo as RunInfo,
    TestResult as TestResult,
    TestRow as TestRow,
)
from tierwise.records.store import RunStore as RunStore

if TYPE_CHECKING:
    from tierwise.records.batching import BatchWriter as BatchWriter
    from tierwise.records.contract_rows import (
        DeclaredContract as DeclaredContract,
        DeclaredSide as DeclaredSide,
        KeptClause as KeptClause,
    )
    from tierwise.records.proof_rows import (
        GateRow as GateRow,
        GuardRow as GuardRow,
        KeptGapRow as KeptGapRow,
        KeptGate as KeptGate,
        KeptGuard as KeptGuard,
        LinkRow as LinkRow,
        TierCounts as TierCounts,
    )
    from tierwise.records.rows import (
        Arm as Arm,
        KeptTrial as KeptTrial,
        PlanRow as PlanRow,
        PlanRun as PlanRun,
        RecordedTest as RecordedTest,
        RecordedVerdict as RecordedVerdict,
        RunRow as RunRow,
        TrialRow as TrialRow,
        VerdictRow as VerdictRow,
    )

__all__ = [
    "Arm",
    "BatchWriter",
    "ClauseKey",
    "DeclaredContract",
    "DeclaredSide",
    "GateRow",
    "GuardRow",
    "KeptClause",
    "KeptGapRow",
    "KeptGate",
    "KeptGuard",
    "KeptTrial",
    "KnownGap",
    "LinkRow",
    "PlanRow",
    "PlanRun",
    "RecordedTest",
    "RecordedVerdict",
    "RunInfo",
    "RunRow",
    "RunStore",
    "TestResult",
    "TestRow",
    "TierCounts",
    "TrialRow",
    "VerdictRow",
    "read_commit",
    "read_fingerprint",
]

_FOR_OTHERS = ("rows", "contract_rows", "proof_rows", "batching")

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load what a session of tests does not need when it is asked for."""
        for module in _FOR_OTHERS if name in __all__ else ():
            found = vars(import_module(f"{__name__}.{module}"))
            if name in found:
                return found[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
