"""Stand before a double and note what is asked of it."""

from __future__ import annotations

import inspect
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tierwise.contracts.comparing import check_matchers
from tierwise.contracts.encoding import encode, find_opaque, name_type
from tierwise.contracts.interactions import Interaction, Scenario, keep_scenario
from tierwise.contracts.paths import parse_path
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    from tierwise.contracts.comparing import Matcher

_T = TypeVar("_T")
_OPERATORS = ("__call__", "__len__", "__getitem__", "__setitem__", "__delitem__", "__contains__")


@contextmanager
def record_interactions(
    double: _T,
    file: str | Path,
    description: str,
    *,
    given: str = "",
    match: Mapping[str, Mapping[str, Matcher]] | None = None,
    secrets: Mapping[str, str] | None = None,
) -> Iterator[_T]:
    """Give a consumer the double, and keep in `file` what it asks and is answered.

    The scenario takes the place of the one with the same `description`; the same again writes
    nothing, and neither does a block that ends in an exception. `match` says of a call's answer
    where something else than equality is meant: `{"find": {"$.id": same_type()}}`. The values of
    `secrets` are written as `[masked NAME]`.
    """
    rules = match or {}
    for each in rules.values():
        check_matchers(tuple(each.values()))
        for path in each:
            parse_path(path)
    log = Log(rules)
    yield stand_before(double, log)
    if not log.interactions:
        raise MisuseError(
            f"{description!r}: nothing was asked of the double, so there is nothing to keep. "
            "Hand what record_interactions gives to the code under test."
        )
    log.check_all_matched(description)
    scenario = Scenario(description=description, given=given, interactions=tuple(log.interactions))
    keep_scenario(Path(file), scenario, secrets or {})


class Log:
    """The interactions of one scenario, in the order in which they were answered."""

    def __init__(self, rules: Mapping[str, Mapping[str, Matcher]]) -> None:
        self.interactions: list[Interaction] = []
        self._rules = rules

    def add(self, asked: Interaction, **answered: Any) -> None:  # noqa: ANN401
        """Note one call with what came of it."""
        values = {
            name: getattr(asked, name) for name in ("call", "kind", "args", "kwargs", "is_async")
        }
        rules = self._rules.get(asked.call, {})
        self.interactions.append(Interaction(**(values | {"match": rules} | answered)))

    def fail(self, asked: Interaction, error: Exception, **answered: Any) -> None:  # noqa: ANN401
        """Note one call that ended in an exception."""
        self.add(asked, raises=name_type(type(error)), message=str(error), **answered)

    def check_all_matched(self, description: str) -> None:
        """Raise MisuseError for matchers of a call that was never made."""
        made = {one.call for one in self.interactions}
        for name in self._rules:
            if name not in made:
                raise MisuseError(
                    f"{description!r}: match speaks of {name!r}, which was not called. "
                    f"Called: {', '.join(sorted(made))}."
                )


def stand_before(double: Any, log: Log) -> Any:  # noqa: ANN401  as the double
    """Return what looks like the double, and notes each call in the log."""
    operators = {
        name: _forward(name) for name in _OPERATORS if callable(getattr(type(double), name, None))
    }
    kind = type(f"Recorded{type(double).__name__}", (_Recorded,), operators)
    return kind(double, log)


class _Recorded:
    def __init__(self, double: Any, log: Log) -> None:  # noqa: ANN401
        object.__setattr__(self, "_tierwise", (double, log))

    @property  # type: ignore[misc]  # isinstance has to see the double
    def __class__(self) -> Any:  # noqa: ANN401
        """Be of the double's type to whoever asks."""
        return type(object.__getattribute__(self, "_tierwise")[0])

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        double, log = object.__getattribute__(self, "_tierwise")
        asked = Interaction(call=name, kind="get")
        try:
            value = getattr(double, name)
        except Exception as error:
            if not name.startswith("_"):
                log.fail(asked, error)
            raise
        if name.startswith("_"):
            return value
        if callable(value) and not isinstance(value, type):
            return _noting(name, value, log)
        log.add(asked, answer=encode(value))
        return value

    def __setattr__(self, name: str, value: Any) -> None:  # noqa: ANN401
        double, log = object.__getattribute__(self, "_tierwise")
        asked = Interaction(call=name, kind="set", args=_encode_arguments(name, (value,), {})[0])
        setattr(double, name, value)
        log.add(asked)


def _forward(name: str) -> Callable[..., Any]:
    def operator(self: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        double, log = object.__getattribute__(self, "_tierwise")
        return _noting(name, getattr(double, name), log)(*args, **kwargs)

    return operator


def _noting(name: str, function: Callable[..., Any], log: Log) -> Callable[..., Any]:
    def ask(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        given, named = _encode_arguments(name, args, kwargs)
        asked = Interaction(call=name, args=given, kwargs=named)
        try:
            answer = function(*args, **kwargs)
        except Exception as error:
            log.fail(asked, error)
            raise
        if inspect.isawaitable(answer):
            return _wait(answer, asked, log)
        log.add(asked, answer=encode(answer))
        return answer

    return ask


async def _wait(answer: Awaitable[Any], asked: Interaction, log: Log) -> Any:  # noqa: ANN401
    try:
        found = await answer
    except Exception as error:
        log.fail(asked, error, is_async=True)
        raise
    log.add(asked, answer=encode(found), is_async=True)
    return found


def _encode_arguments(
    name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    given = tuple(encode(value) for value in args)
    named = {key: encode(value) for key, value in kwargs.items()}
    opaque = find_opaque([*given, *named.values()])
    if opaque is not None:
        raise MisuseError(
            f"{name}(...) was given a {opaque}, which can't be written to a file and made again "
            "for the real side. Numbers, text, lists, dictionaries, dates, and dataclasses, "
            "pydantic models and enums of a module can."
        )
    return given, named
