"""A `sys.exit()` in a task that a trial's body started ends that task, and not the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Coroutine

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
