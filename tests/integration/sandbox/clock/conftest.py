"""How long anybody waited really while time was virtual."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.sandbox.clock.engine import Engine

if TYPE_CHECKING:
    from tierwise.sandbox.clock.waiting import Wait


@pytest.fixture
def real_pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Keep the length in seconds of every pause by the machine's time."""
    lengths: list[float] = []
    original = Engine._length_of_pause

    def kept(self: Engine, wait: Wait, length: float) -> float:
        lengths.append(length)
        return original(self, wait, length)

    monkeypatch.setattr(Engine, "_length_of_pause", kept)
    return lengths
