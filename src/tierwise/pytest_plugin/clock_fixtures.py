"""The fixture that makes time virtual for one test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.sandbox.clock.virtual_clock import VirtualClock


@pytest.fixture
def clock() -> Iterator[VirtualClock]:
    """Make time virtual for this test: every clock agrees, and waiting takes no real time.

    It begins at the present and stands still while anybody works; it jumps when everybody waits.
    """
    from tierwise.sandbox.clock.virtual_clock import VirtualClock  # noqa: PLC0415  not for start-up

    with VirtualClock() as running:
        yield running
