"""A loop that a trial blocks, seen from a real thread."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from tierwise.evals.blocking import TRIAL, BlockWatch

if TYPE_CHECKING:
    from tierwise.clock import VirtualClock

HERE = Path(__file__).parent


def watch(name: str, root: Path | None = HERE) -> list[str]:
    """Return what is told of a task of this name that blocks its loop."""
    told, heard = list[str](), threading.Event()

    def tell(text: str) -> None:
        told.append(text)
        heard.set()

    async def block() -> None:
        heard.wait(1)

    async def run() -> None:
        with BlockWatch(tell, root=root, blocked_s=0.02, look_every_s=0.005):
            await asyncio.create_task(block(), name=name)

    asyncio.run(run())
    return told[:1]


def test_a_trial_that_blocks_the_loop_is_named_with_its_line_and_the_way_out() -> None:
    """Nobody in the loop could say so."""
    (told,) = watch(f"{TRIAL}e (case 'a', index 3)")
    assert told.startswith(f"{TRIAL}e (case 'a', index 3) has blocked the event loop for 0 s at ")
    assert "at test_blocking.py:" in told
    assert "Write the body as a plain `def`" in told


def test_a_task_of_a_trials_own_is_found_by_its_line() -> None:
    """A body may start tasks that have other names."""
    (told,) = watch("Task-1")
    assert told.startswith("something that a trial started has blocked the event loop")
    assert watch("Task-1", root=None) == []


def test_a_loop_that_turns_is_no_news(clock: VirtualClock) -> None:
    """However long its trials take."""
    told = list[str]()

    async def run() -> None:
        with BlockWatch(told.append, root=HERE, blocked_s=0.5, look_every_s=0.005):
            await asyncio.sleep(1)

    asyncio.run(run())
    assert told == []
