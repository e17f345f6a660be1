"""Guards, gates and gaps are told with their reasons, and with their age."""

from __future__ import annotations

from tierwise.domain import Decision, Verdict
from tierwise.records.proof_rows import GateRow, GuardRow, KeptGapRow, KeptGate, KeptGuard
from tierwise.records.run_rows import KnownGap
from tierwise.report.html.from_proofs import list_gaps, list_gates, list_guards


def test_a_guard_says_what_it_guards_and_what_broke_it() -> None:
    """Behaviour, sabotage and reason stand in one line."""
    row = GuardRow(
        nodeid="t.py::test_acl",
        behaviour="acl:has_access",
        sabotage="returns True",
        verdict=Verdict.REFUTED,
        reason="it stayed green",
    )
    (found,) = list_guards([KeptGuard(row=row, started_at="", code_hash="now")], "now")
    assert (found.name, found.state) == ("t.py::test_acl", "refuted")
    assert found.detail == "acl:has_access; broken by returns True; it stayed green"


def test_a_decision_on_other_code_says_so() -> None:
    """What was decided on another state of the code, or on one that is not known, is old."""
    row = GateRow(gate="bundle", decision=Decision.OK)
    kept = [KeptGate(row=row, started_at="", code_hash=code) for code in ("now", "then", "")]
    details = [line.detail for line in list_gates(kept, "now")]
    assert details == ["", "on another state of the code", "on another state of the code"]
    assert list_gates(kept[2:], "")[0].detail == "on another state of the code"


def test_a_gap_that_is_over_comes_first() -> None:
    """It asks for its mark to be taken away."""
    gaps = [
        KeptGapRow(nodeid=name, location="", gap=KnownGap(reason="r", is_over=is_over))
        for name, is_over in (("a", False), ("b", True))
    ]
    assert [line.nodeid for line in list_gaps(gaps)] == ["b", "a"]
