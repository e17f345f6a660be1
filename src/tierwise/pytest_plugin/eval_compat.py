"""What evals need of pytest that has no public name, in one place."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pytest


def fixture_definitions(item: pytest.Function) -> Mapping[str, Sequence[pytest.FixtureDef[Any]]]:
    """Return the definitions that each fixture name resolves to here, the last winning."""
    found = item._fixtureinfo.name2fixturedefs  # noqa: SLF001  no public way to know the scopes
    return cast("Mapping[str, Sequence[pytest.FixtureDef[Any]]]", found)


def sees_same_fixture(item: pytest.Function, other: pytest.Function, name: str) -> bool:
    """Tell whether a name means one and the same fixture to both items."""
    manager = item.session._fixturemanager  # noqa: SLF001  a request of `item` looks here too
    seen = manager.getfixturedefs(name, item)
    return seen is not None and seen[-1:] == fixture_definitions(other)[name][-1:]


def fixture_value(item: pytest.Function, name: str) -> Any:  # noqa: ANN401  a user's own value
    """Return a fixture that is wider than a function, set up for the item that runs now."""
    return item._request.getfixturevalue(name)  # noqa: SLF001  the request is public, its place is not


def hide_arguments(function: Any, hidden: frozenset[str]) -> Any:  # noqa: ANN401  any callable
    """Return a stand-in that pytest resolves fixtures for, with some arguments left out.

    It keeps the name, the marks and, for tracebacks and reports, the place of the function.
    """

    def stand_in(**_: object) -> None:
        raise AssertionError("an eval's stand-in is never called")

    stand_in.__name__, stand_in.__qualname__ = function.__name__, function.__qualname__
    stand_in.__module__, stand_in.__doc__ = function.__module__, function.__doc__
    stand_in.__dict__.update(function.__dict__)
    stand_in.__wrapped__ = function  # type: ignore[attr-defined]  # leads pytest to the source
    signature = inspect.signature(function)
    kept = [value for name, value in signature.parameters.items() if name not in hidden]
    stand_in.__signature__ = signature.replace(  # type: ignore[attr-defined]  # inspect reads it
        parameters=kept
    )
    return stand_in
