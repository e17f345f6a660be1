from pathlib import Path

from tierwise.domain import Capability, Outcome, Violation
from tierwise.records import RunInfo, RunStore, TestRow


def test_a_lone_surrogate_in_any_text_of_a_test_is_escaped(tmp_path: Path) -> None:
    """A parametrized test may have one in its name; SQLite has none, and no row is lost."""
    broken = Violation(
        capability=Capability.WRITE, target="/\udc80", subject="t", tier="unit", stack=("\udc80",)
    )
    row = TestRow(
        nodeid="test_it[\udc80]",
        tier="unit",
        level="unit",
        outcome=Outcome.FAILED,
        message="no \udc80",
        violations=(broken,),
        allowed=("write:/\udc80 (why)",),
    )
    with RunStore.open(tmp_path / "records.db") as store:
        store.add_tests(store.start_run(RunInfo()), [row])
        ((kept,),) = store.latest_tests_by_tier().values()
    assert kept.row.nodeid == "test_it[\\udc80]"
    assert kept.row.message == "no \\udc80"
    assert kept.row.allowed == ("write:/\udc80 (why)",)
    assert kept.row.violations == (broken,)
