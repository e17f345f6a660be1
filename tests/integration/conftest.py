"""What every integration test starts from."""

import pytest


@pytest.fixture(autouse=True)
def _plain_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take out what a CI service or a parallel run sets and what changes pytest's own output."""
    for name in ("CI", "BUILD_NUMBER", "COLUMNS", "FORCE_COLOR", "NO_COLOR", "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)
