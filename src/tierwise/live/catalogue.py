"""A vendor's catalogue as typed rows, from which a live test picks its subjects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from typing import Any, Generic, TypeVar, cast

from pydantic import TypeAdapter

from tierwise.errors import CatalogueError

R = TypeVar("R")
RowSource = Iterable[Mapping[str, Any]] | Callable[[], Iterable[Mapping[str, Any]]]
"""Rows, or a function that fetches them."""

_MOST_SHOWN = 5


class Catalogue(Generic[R]):
    """Rows of one type with one key each; read whole or not at all."""

    def __init__(self, rows: Mapping[str, R], *, name: str) -> None:
        self.name = name
        self._rows = dict(rows)

    @classmethod
    def read(
        cls,
        rows: RowSource,
        row_type: Callable[..., R],
        *,
        key: str = "id",
        name: str = "catalogue",
    ) -> Catalogue[R]:
        """Return the catalogue that the rows make.

        `row_type` is a pydantic class, a dataclass, whose types are checked too, another class,
        called with a row's fields, or a function of a row. A row that it refuses, a key that is
        missing or there twice, and a source without rows raise `CatalogueError`: what was not
        read is not known to be fine.
        """
        found = rows() if callable(rows) else rows
        build = _make_builder(row_type)
        read: dict[str, R] = {}
        faults: list[str] = []
        n_rows = 0
        for number, row in enumerate(found):
            n_rows += 1
            try:
                _add(read, row, build, key)
            except (ValueError, TypeError, KeyError) as error:
                faults.append(f"row {number}{_name_of(row, key)}: {_told(error)}")
        if faults or not read:
            raise CatalogueError(_describe(name, faults, n_rows))
        return cls(read, name=name)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[R]:
        return iter(self._rows.values())

    def __getitem__(self, key: str) -> R:
        return self._rows[key]

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all rows, in the vendor's order."""
        return tuple(self._rows)

    def pick(self, predicate: Callable[[R], bool]) -> dict[str, R]:
        """Return the rows that are fit to be a subject, by key and in the order of their keys.

        That order is the same whatever order the vendor lists them in. None may be fit: `walk`
        then says so, and passes nothing.
        """
        return {key: self._rows[key] for key in sorted(self._rows) if predicate(self._rows[key])}


def _add(read: dict[str, R], row: Any, build: Callable[..., R], key: str) -> None:  # noqa: ANN401
    if not isinstance(row, Mapping):
        raise TypeError(f"it is {type(row).__name__}, expected a mapping")
    name = row.get(key)
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"its {key!r} is {name!r}, expected a name")
    if name in read:
        raise ValueError(f"its {key!r} is there twice")
    read[name] = build(row)


def _make_builder(row_type: Callable[..., R]) -> Callable[[Mapping[str, Any]], R]:
    validate: Callable[[Mapping[str, Any]], R] | None = getattr(row_type, "model_validate", None)
    if validate is not None:
        return validate
    if not isinstance(row_type, type):
        return row_type
    if not is_dataclass(row_type):
        return lambda row: row_type(**row)
    # Python itself takes a price of None, or of "0", for a float; what was picked would be wrong.
    adapter: TypeAdapter[R] = TypeAdapter(cast("type[R]", row_type))

    def build(row: Mapping[str, Any]) -> R:
        row_type(**row)  # a field too many is refused, which pydantic would let pass
        return adapter.validate_python(dict(row))

    return build


def _name_of(row: object, key: str) -> str:
    name = row.get(key) if isinstance(row, Mapping) else None
    return f" ({name})" if isinstance(name, str) else ""


def _told(error: Exception) -> str:
    missing = isinstance(error, KeyError)
    text = f"it has no {error}" if missing else str(error)
    return " ".join(text.split())


def _describe(name: str, faults: list[str], n_rows: int) -> str:
    if not faults:
        return (
            f"{name}: no rows were read, which is not the same as a vendor who offers nothing. "
            "See what the source answered."
        )
    shown = "".join(f"\n  {fault}" for fault in faults[:_MOST_SHOWN])
    more = len(faults) - _MOST_SHOWN
    rest = f"\n  and {more} more" if more > 0 else ""
    return (
        f"{name}: {len(faults)} of {n_rows} rows cannot be read, so that none of them is "
        f"used:{shown}{rest}\nEither the vendor changed the rows' shape, or the row type is wrong."
    )
