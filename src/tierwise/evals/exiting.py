"""A `sys.exit()` in a task that a trial's body started ends that task, and not the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Collection, Coroutine

T = TypeVar("T")


def run_past_exits(runner: asyncio.Runner, main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end on the runner's loop.

    An event loop lets a SystemExit through, wherever it was raised. The task that raised it has
    it as its result then: whoever awaits the task is told, as by any other error. A
    KeyboardInterrupt still ends the run.
    """
    loop = runner.get_loop()
    task = loop.create_task(main)
    while True:
        try:
            return loop.run_until_complete(task)
        except SystemExit as error:
            if task.done():
                raise
            said = "SystemExit in a task or a callback that a trial started: the run goes on"
            loop.call_exception_handler({"message": said, "exception": error})


def run_past_endings(
    loop: asyncio.AbstractEventLoop,
    main: Coroutine[Any, Any, T],
    tasks: Collection[asyncio.Task[Any]],
) -> T:
    """Run a coroutine to its end while tasks that were broken off come to theirs.

    Each of them may let a KeyboardInterrupt through, such as that of a task that it awaited. One
    that is none of theirs is a further Ctrl-C, and is raised.
    """
    task = loop.create_task(main)
    while True:
        try:
            return loop.run_until_complete(task)
        except (SystemExit, KeyboardInterrupt) as error:
            is_theirs = any(_ended_in(other, error) for other in tasks)
            if _ended_in(task, error) or not is_theirs:
                raise


def _ended_in(task: asyncio.Task[Any], error: BaseException) -> bool:
    return task.done() and not task.cancelled() and task.exception() is error
