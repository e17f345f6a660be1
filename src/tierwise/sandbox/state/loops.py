"""What asyncio keeps for the thread that runs the tests: policy, current loop, tasks."""

from __future__ import annotations

import sys
from functools import partial
from operator import not_
from typing import TYPE_CHECKING, Any

from tierwise.domain.watching import Change
from tierwise.sandbox.state.checks import has_none_of, holds
from tierwise.sandbox.state.showing import show, show_type
from tierwise.sandbox.state.watcher import simple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.sandbox.state.checks import Check

_Loops = tuple[object, object]


def read_loops() -> _Loops:
    """Return the policy that was set, and the loop; asking asyncio itself would make both."""
    events: Any = sys.modules.get("asyncio.events")
    policy = getattr(events, "_event_loop_policy", None)
    return policy, getattr(getattr(policy, "_local", None), "_loop", None)


def compare_loops(before: _Loops, after: _Loops) -> Iterator[Change]:
    """Yield another policy, and a loop that is open and was not the current one before.

    A policy that asyncio made by itself is none, nor is the loop that asyncio.run takes away.
    """
    if before[0] is not after[0] and not (before[0] is None and _is_usual(after[0])):
        yield _change("asyncio policy", before[0], after[0])
    loop = after[1]
    if loop is not before[1] and loop is not None and not _is_closed(loop):
        yield _change("asyncio current event loop", before[1], loop)


def restore_loops(before: _Loops) -> None:
    """Put both back."""
    asyncio: Any = sys.modules.get("asyncio")
    if asyncio is None:
        return
    if read_loops()[0] is not before[0]:
        asyncio.set_event_loop_policy(before[0])
    if before[0] is not None and read_loops()[1] is not before[1]:
        asyncio.set_event_loop(before[1])


def _is_usual(policy: object) -> bool:
    return type(policy).__module__.startswith("asyncio.") and type(policy).__name__ in (
        "_UnixDefaultEventLoopPolicy",
        "_WindowsProactorEventLoopPolicy",
        "WindowsProactorEventLoopPolicy",
        "DefaultEventLoopPolicy",
    )


def _is_closed(loop: Any) -> bool:  # noqa: ANN401  any loop
    try:
        return bool(loop.is_closed())
    except Exception:  # noqa: BLE001  a stand-in of a loop
        return False


def _change(owner: str, before: object, after: object) -> Change:
    shown = [show(value) if value is None else show_type(value) for value in (before, after)]
    return Change(watcher="event_loop", owner=owner, before=shown[0], after=shown[1])


def witness_of_loops(kept: _Loops) -> tuple[Check, ...]:
    """Return what tells that both are what they were."""
    events: Any = sys.modules.get("asyncio.events")
    if events is None:
        return (has_none_of(sys.modules, "asyncio.events"),)
    policy, loop = kept
    is_policy = holds(vars(events), _event_loop_policy=policy)
    own = getattr(getattr(policy, "_local", None), "__dict__", None)
    if type(own) is not dict:
        return (is_policy,)
    is_set = "_loop" in own
    return is_policy, holds(own, _loop=loop) if is_set else has_none_of(own, "_loop")


def witness_of_tasks(_: object) -> tuple[Check, ...] | None:
    """Return what tells that there are none; None where there are some, be they done."""
    if "asyncio.tasks" not in sys.modules:
        return (has_none_of(sys.modules, "asyncio.tasks"),)
    known = getattr(_known_tasks(), "data", None)
    return (partial(not_, known),) if type(known) is set and not known else None


def read_tasks() -> frozenset[object]:
    """Return the tasks of all loops that have not ended."""
    known = _known_tasks()
    # Those that nobody holds any more are taken out of the data of a WeakSet.
    if not getattr(known, "data", known):
        return frozenset()
    return frozenset(task for task in [*known] if not task.done())


def _known_tasks() -> Any:  # noqa: ANN401  a WeakSet of them, or nothing
    names = vars(sys.modules["asyncio.tasks"]) if "asyncio.tasks" in sys.modules else {}
    found = names.get("_scheduled_tasks")
    return found if found is not None else names.get("_all_tasks", ())


def compare_tasks(before: frozenset[object], after: frozenset[object]) -> Iterator[Change]:
    """Yield each task that waits and did not before."""
    for task in sorted(after - before, key=_name_task):
        yield Change(
            watcher="tasks", owner=f"task {_name_task(task)}", before="(absent)", after="pending"
        )


def _name_task(task: Any) -> str:  # noqa: ANN401  asyncio's own
    coroutine = getattr(task, "get_coro", lambda: None)()
    return str(getattr(coroutine, "__qualname__", None) or type(task).__qualname__)


EVENT_LOOP = simple(
    "event_loop", read_loops, compare_loops, restore_loops, witness=witness_of_loops
)
TASKS = simple("tasks", read_tasks, compare_tasks, witness=witness_of_tasks)
