"""What was learnt, kept: runs, tests, plans, trials, exchanges and verdicts in one SQLite file."""

from tierwise.records.batching import BatchWriter as BatchWriter
from tierwise.records.fingerprint import read_fingerprint as read_fingerprint
from tierwise.records.git import read_commit as read_commit
from tierwise.records.rows import (
    Arm as Arm,
    KeptTrial as KeptTrial,
    PlanRow as PlanRow,
    PlanRun as PlanRun,
    RecordedTest as RecordedTest,
    RecordedVerdict as RecordedVerdict,
    RunInfo as RunInfo,
    RunRow as RunRow,
    TestResult as TestResult,
    TestRow as TestRow,
    TrialRow as TrialRow,
    VerdictRow as VerdictRow,
)
from tierwise.records.store import RunStore as RunStore

__all__ = [
    "Arm",
    "BatchWriter",
    "KeptTrial",
    "PlanRow",
    "PlanRun",
    "RecordedTest",
    "RecordedVerdict",
    "RunInfo",
    "RunRow",
    "RunStore",
    "TestResult",
    "TestRow",
    "TrialRow",
    "VerdictRow",
    "read_commit",
    "read_fingerprint",
]
