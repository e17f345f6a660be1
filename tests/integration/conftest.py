"""What every integration test starts from."""

import contextlib

import pytest

# A pytest session inside this process takes out what it imported. httpx2 keeps classes of
# httpcore2 from its first error on, and knew none of its errors if it was imported again.
with contextlib.suppress(ModuleNotFoundError):
    import httpcore2  # noqa: F401


@pytest.fixture(autouse=True)
def _plain_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take out what a CI service or a parallel run sets and what changes pytest's own output."""
    for name in ("CI", "BUILD_NUMBER", "COLUMNS", "FORCE_COLOR", "NO_COLOR", "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)
