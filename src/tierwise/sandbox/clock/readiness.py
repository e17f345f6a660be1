"""Are files ready? Asked afresh, since a poll object serves one thread at a time."""

from __future__ import annotations

import select
import selectors
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

CAN_ASK = hasattr(select, "poll")
"""Windows has no poll."""


def is_any_ready(wanted: Mapping[int, int]) -> bool:
    """Say whether a file can be read or written, as wanted; a closed one is ready too."""
    poll = select.poll()
    for number, events in wanted.items():
        reading = select.POLLIN if events & selectors.EVENT_READ else 0
        writing = select.POLLOUT if events & selectors.EVENT_WRITE else 0
        poll.register(number, reading | writing)
    return bool(poll.poll(0))
