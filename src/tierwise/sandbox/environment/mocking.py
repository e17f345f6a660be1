"""`mock_process_env`: other variables for a while, and the exact ones again."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Self

from tierwise.errors import MisuseError
from tierwise.sandbox.slot import SLOT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

_OF_PYTEST = "PYTEST_CURRENT_TEST"
"""Set and removed by pytest around each phase, which fails where it is gone or put back."""


class MockedEnv:
    """A change of the environment that holds until it is called, or its block ends."""

    def __init__(self, place: str) -> None:
        """Take the environment as it is now."""
        self._place = place
        self._before: dict[str, str] | None = dict(os.environ)

    def __call__(self) -> None:
        """Put the environment back; twice is once.

        Changes end in the reverse order. When one made later still holds, both end here, the
        environment is what it was before the earlier one, and MisuseError says so.
        """
        inner = self._end()
        if inner:
            raise MisuseError(_describe(self, inner))

    def __enter__(self) -> Self:
        """Hold until the block ends."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Put the environment back; an error of the block keeps its place before any of ours."""
        inner = self._end()
        if inner and error is None:
            raise MisuseError(_describe(self, inner))
        if inner and error is not None:
            error.add_note(_describe(self, inner))

    @property
    def place(self) -> str:
        """Where it was made, as `file:line`."""
        return self._place

    def _end(self) -> tuple[MockedEnv, ...]:
        """Put the environment back and return the later changes that ended with this one."""
        before, self._before = self._before, None
        if before is None:
            return ()
        index = SLOT.mocked.index(self)
        inner = tuple(SLOT.mocked[index + 1 :])
        del SLOT.mocked[index:]
        for each in inner:
            each._before = None  # noqa: SLF001  its own kind
        restore(before)
        return inner


def mock_process_env(
    overrides: Mapping[str, str | None] | None = None, *, clear: bool = False
) -> MockedEnv:
    """Change variables at once, and return what puts all of the environment back.

    A value of None takes a variable away; `clear` takes away all that are not named. `os.environ`
    stays the same object, so that a module that holds it sees the change. Call the result to put
    everything back, what the code under test has changed included, or use it as a block.
    """
    wanted = dict(overrides or {})
    for name, value in wanted.items():
        _check(name, value)
    frame = sys._getframe(1)  # noqa: SLF001  who forgets to restore is told where it was changed
    mocked = MockedEnv(f"{frame.f_code.co_filename}:{frame.f_lineno}")
    SLOT.mocked.append(mocked)
    if clear:
        restore({})
    for name, value in wanted.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    return mocked


def restore(before: Mapping[str, str]) -> None:
    """Make the environment hold this and nothing else, touching only what differs."""
    for name in tuple(os.environ):
        if name not in before and name != _OF_PYTEST:
            del os.environ[name]
    for name, value in before.items():
        if name != _OF_PYTEST and os.environ.get(name) != value:
            os.environ[name] = value


def _check(name: object, value: object) -> None:
    if not isinstance(name, str) or not name or "=" in name or "\0" in name:
        raise MisuseError(
            f"mock_process_env was given the name {name!r}, expected that of a variable: text "
            "without '='."
        )
    # The value is not shown: it may be a key.
    if value is not None and not isinstance(value, str):
        raise MisuseError(
            f"mock_process_env was given {type(value).__name__} for {name}, expected a string, or "
            "None to take the variable away."
        )
    if isinstance(value, str) and "\0" in value:
        raise MisuseError(f"mock_process_env was given a value with a null byte for {name}.")


def _describe(outer: MockedEnv, inner: tuple[MockedEnv, ...]) -> str:
    places = ", ".join(each.place for each in inner)
    return (
        f"The environment that was changed at {outer.place} was put back while a later change, "
        f"made at {places}, still held. Both have ended, and the environment is what it was "
        "before the earlier one. Put changes back in the reverse order, or use blocks: "
        "with mock_process_env(...):"
    )
