"""What the marks `requires_secret` and `subject` say, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.errors import MisuseError, suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pytest

NAMES = frozenset({"requires_secret", "subject"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveMarks:
    """What a test's marks ask for."""

    secrets: tuple[str, ...] = ()
    subject: str | None = None
    floor: float | None = None


def find_marked(items: Iterable[pytest.Item]) -> dict[pytest.Item, LiveMarks]:
    """Return the items that have one of the marks, themselves or by their class or module."""
    has_mark: dict[pytest.Collector | None, bool] = {None: False}

    def find(node: pytest.Collector | None) -> bool:
        if node not in has_mark:
            own = any(mark.name in NAMES for mark in node.own_markers) if node else False
            has_mark[node] = own or find(node.parent if node else None)
        return has_mark[node]

    return {
        item: read_marks(item)
        for item in items
        if any(mark.name in NAMES for mark in item.own_markers) or find(item.parent)
    }


def read_marks(item: pytest.Item) -> LiveMarks:
    """Return what the marks of an item say; the closest `subject` wins, all secrets are needed."""
    where = item.nodeid
    secrets = [
        name
        for mark in item.iter_markers("requires_secret")
        for name in _read_secrets(mark.args, mark.kwargs, where)
    ]
    mark = item.get_closest_marker("subject")
    subject, floor = _read_subject(mark.args, mark.kwargs, where) if mark else (None, None)
    return LiveMarks(secrets=tuple(dict.fromkeys(secrets)), subject=subject, floor=floor)


def _read_secrets(
    args: tuple[object, ...], kwargs: Mapping[str, object], where: str
) -> tuple[str, ...]:
    names = tuple(name for name in args if isinstance(name, str))
    if kwargs or not names or len(names) != len(args):
        raise MisuseError(
            f"{where}: mark.requires_secret takes names of environment variables, such as "
            '@pytest.mark.requires_secret("OPENAI_API_KEY").'
        )
    return names


def _read_subject(
    args: tuple[object, ...], kwargs: Mapping[str, object], where: str
) -> tuple[str, float | None]:
    unknown = [key for key in kwargs if key != "floor"]
    if unknown:
        hint = suggest(unknown[0], ["floor"])
        raise MisuseError(f"{where}: mark.subject has no argument {unknown[0]!r}.{hint}")
    floor = kwargs.get("floor")
    if len(args) != 1 or not isinstance(args[0], str) or not args[0].strip():
        raise MisuseError(
            f"{where}: mark.subject takes one name, such as @pytest.mark.subject("
            '"anthropic", floor=0.5).'
        )
    if floor is None:
        return args[0], None
    if not isinstance(floor, int | float) or isinstance(floor, bool) or not 0 <= floor <= 1:
        raise MisuseError(
            f"{where}: mark.subject has floor={floor!r}; expected a share from 0 to 1."
        )
    return args[0], float(floor)
