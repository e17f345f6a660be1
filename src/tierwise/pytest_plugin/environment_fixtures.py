"""The fixture that takes the developer's own variables out of one test."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping


@pytest.fixture
def clean_env(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MutableMapping[str, str]]:
    """Leave this test only the variables that a process needs; gives `os.environ`.

    Parametrized indirectly, it keeps the names or patterns that it is given as well. All is put
    back at the end, what the code under test has changed included.
    """
    from tierwise.sandbox.environment.cleaning import find_unneeded  # noqa: PLC0415  few tests
    from tierwise.sandbox.environment.mocking import restore  # noqa: PLC0415

    before = dict(os.environ)
    # By the test's own monkeypatch: what two changed would not be put back in order.
    for name in find_unneeded(before, getattr(request, "param", ())):
        monkeypatch.delenv(name)
    yield os.environ
    restore(before)
