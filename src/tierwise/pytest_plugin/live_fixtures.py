"""The fixture by which a live test walks candidates and judges answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.pytest_plugin.live_calls import NOTES
from tierwise.pytest_plugin.live_hooks import watch
from tierwise.pytest_plugin.state import STATE

if TYPE_CHECKING:
    from tierwise.live import Live


@pytest.fixture
def live(request: pytest.FixtureRequest) -> Live:
    """Walk candidates and judge a vendor's answers; what was used is kept with the result.

    Walks begin where the `rotation` of `[tool.tierwise.live]` falls, or else the order seed.
    """
    from tierwise.live import Live  # noqa: PLC0415  not for start-up

    state = request.config.stash[STATE]
    watch(request.config, state)
    rotation = state.config.live.rotation
    made = Live(rotation=(state.order_seed or 0) if rotation is None else rotation)
    request.node.stash[NOTES] = made.notes
    return made
