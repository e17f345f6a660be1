"""What is said when everybody waits for something that no passing of time will bring."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from tierwise.sandbox.clock.waiting import place_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.sandbox.clock.waiting import Wait


def stuck_message(waits: Iterable[Wait]) -> str:
    """Name each thread and task, what it waits for, and where."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    lines = [
        f"  thread {names.get(wait.thread, '?')!r} waits for {wait.what} at {wait.place}"
        for wait in waits
    ]
    return "\n".join(
        [
            "Everybody waits, and for nothing that time brings: this would hang for ever.",
            *lines,
            *_task_lines(),
            "Let somebody do what is waited for, or give the wait a timeout.",
        ]
    )


def _task_lines() -> list[str]:
    """Name the tasks of the loop that runs in this thread."""
    loop = asyncio._get_running_loop()  # noqa: SLF001  get_running_loop raises where there is none
    tasks = asyncio.all_tasks(loop) if loop is not None else set()
    return sorted(
        f"  task {task.get_name()!r} waits at {_place(task)}" for task in tasks if not task.done()
    )


def _place(task: asyncio.Task[object]) -> str:
    frames = task.get_stack()
    return place_of(frames[-1]) if frames else "its start"
