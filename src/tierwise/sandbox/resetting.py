"""What a project puts back itself: functions that it registers to run after each test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from tierwise.errors import MisuseError
from tierwise.sandbox.slot import SLOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Reset = Callable[[], object]

ResetT = TypeVar("ResetT", bound="Reset")


class Resets:
    """What one session runs after each of its tests, in the order of being registered."""

    def __init__(self, known: Iterable[Reset] = ()) -> None:
        self._functions: list[Reset] = []
        self._tell: Callable[[], object] | None = None
        for function in known:
            self.add(function)

    def add(self, function: Reset) -> None:
        """Take a function; one that is known already is taken once."""
        if function in self._functions:
            return
        self._functions.append(function)
        if self._tell is not None:
            self._tell()
            self._tell = None

    def when_there_are_any(self, tell: Callable[[], object]) -> None:
        """Call `tell` once there is something to run: at once, or when the first one is added."""
        if self._functions:
            tell()
        else:
            self._tell = tell

    def run(self) -> Iterator[tuple[str, BaseException]]:
        """Run all of them; yield the name and the error of each that raised."""
        for function in tuple(self._functions):
            try:
                _refuse_promise(function())
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException as error:  # noqa: BLE001  the caller decides; the rest is run
                yield name_of_reset(function), error


def reset_each_test(function: ResetT) -> ResetT:
    """Have a function put state back after each test, and once before the first.

    Call it where the state is, or in a conftest; as a decorator it returns the function as it is.
    It runs after the test's fixtures are torn down, in the order of registration, under the
    policy of that test. One that raises is an error of that test which names it; the others run
    all the same. Registered twice is registered once. Outside a session nothing is run, ever.
    """
    _check(function)
    if SLOT.sandboxes:
        SLOT.sandboxes[-1].resets.add(function)
    elif function not in SLOT.early_resets:
        SLOT.early_resets.append(function)
    return function


def name_of_reset(function: object) -> str:
    """Return `module.function`, or what else tells a reader which one it is."""
    inner = getattr(function, "func", function)  # of a functools.partial
    name = getattr(inner, "__qualname__", None)
    module = getattr(inner, "__module__", None)
    if name is None:
        return repr(function)
    return f"{module}.{name}" if module else str(name)


def _check(function: object) -> None:
    import inspect  # noqa: PLC0415  not for start-up

    if not callable(function):
        raise MisuseError(
            f"reset_each_test was given {type(function).__name__} {function!r:.60}, expected a "
            "function without arguments: reset_each_test(clear_cache), not clear_cache()."
        )
    name = name_of_reset(function)
    if type(function).__name__ == "FixtureFunctionDefinition":
        raise MisuseError(
            f"reset_each_test was given the fixture {name}, which only pytest can call. Register "
            "a plain function, or leave it out: an autouse fixture runs for each test anyway."
        )
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise MisuseError(
            f"reset_each_test was given {name}, which is async: a reset runs when the loop of its "
            "test is closed. Make it a plain function, with asyncio.run(...) inside if it has to "
            "wait."
        )
    if inspect.isgeneratorfunction(function):
        raise MisuseError(
            f"reset_each_test was given {name}, which yields, so that calling it does nothing. "
            "Make it a plain function; what has a before and an after is a fixture."
        )
    _check_arguments(function, name)


def _check_arguments(function: Callable[..., Any], name: str) -> None:
    import inspect  # noqa: PLC0415  as above

    try:
        signature = inspect.signature(function)
    except (ValueError, TypeError):
        return  # a builtin that does not say; called wrongly, it raises after the first test
    try:
        signature.bind()
    except TypeError as error:
        raise MisuseError(
            f"reset_each_test was given {name}{signature}, which cannot be called without "
            f"arguments ({error}). Register a function that needs none, such as "
            f"functools.partial({name.rpartition('.')[2]}, ...)."
        ) from None


def _refuse_promise(result: object) -> None:
    if not hasattr(result, "__await__"):
        return
    close = getattr(result, "close", None)
    if close is not None:
        close()  # nobody will await it, and nobody needs a warning about that as well
    raise MisuseError(
        "It returned something to be awaited, which nobody does: nothing was reset. Make it a "
        "plain function, with asyncio.run(...) inside if it has to wait."
    )
