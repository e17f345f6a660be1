"""Which threads still act for a test?"""

from __future__ import annotations

import sys
import threading
from pathlib import PurePath
from typing import TYPE_CHECKING

from tierwise.sandbox.slot import SLOT, Owner

if TYPE_CHECKING:
    from types import FrameType

    from tierwise.sandbox.ledger import Ledger

_WORKER = ("concurrent", "futures", "thread.py")


def busy_threads(ledger: Ledger) -> list[threading.Thread]:
    """Return the threads, without daemons, that do something for a policy of this ledger."""
    frames = sys._current_frames()  # noqa: SLF001  the only way to see what another thread does
    return [
        thread
        for thread in threading.enumerate()
        if not thread.daemon
        and thread is not threading.current_thread()
        and _acts_for(ledger, thread.ident)
        and not is_idle(frames.get(thread.ident or 0))
    ]


def is_idle(frame: FrameType | None) -> bool:
    """Say whether this is the innermost frame of an executor's worker that waits for work."""
    if frame is None or frame.f_code.co_name != "_worker":
        return False
    return PurePath(frame.f_code.co_filename).parts[-3:] == _WORKER


def _acts_for(ledger: Ledger, ident: int | None) -> bool:
    owner = SLOT.threads.get(ident or 0)
    return isinstance(owner, Owner) and owner.ledger is ledger


def owner_of_thread(native_id: int) -> Owner | None:
    """Return whom a thread acts for, by the system's id of it; None when nobody is known."""
    for thread in threading.enumerate() if native_id else ():
        if thread.native_id == native_id:
            owner = SLOT.threads.get(thread.ident or 0)
            return owner if isinstance(owner, Owner) else None
    return None
