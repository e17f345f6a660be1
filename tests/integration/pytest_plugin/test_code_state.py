from collections.abc import Callable
from pathlib import Path

import pytest

from tierwise.records import RunStore, read_fingerprint

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

SUITE = {
    "tests/unit/test_u.py": "def test_it(): pass\n",
    "src/omnia/rules.json": "{}",
}


def hashes_of(root: Path) -> list[str]:
    """Return the state of the code of each recorded run."""
    store = RunStore.open_existing(root / ".tierwise" / "records.db")
    assert store is not None
    with store:
        return [run.info.code_hash for run in store.runs()]


def test_a_run_is_kept_with_the_state_of_its_code(project: Project, run: Run) -> None:
    """An edit of code, or of data below a package, is another state; a second run is not."""
    pytester = project(SUITE, table='packages = ["src/omnia"]')
    run()
    run()
    (pytester.path / "src/omnia/rules.json").write_text("[]")
    run()
    first, second, third = hashes_of(pytester.path)
    assert first == second != third
    assert third == read_fingerprint(pytester.path, whole=["src/omnia", "tests/unit"])


def test_reading_the_code_is_no_touch_of_a_test(project: Project, run: Run) -> None:
    """Opening the store while a unit test runs is the harness's own doing."""
    project(
        {
            "tests/unit/test_u.py": """
                from tierwise.pytest_plugin.state import STATE
                def test_it(request):
                    assert request.config.stash[STATE].store is not None
            """,
        }
    )
    run().assert_outcomes(passed=1)
