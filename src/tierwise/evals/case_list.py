"""Cases of a file in its order, with the ids that a field gives them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, overload

T_co = TypeVar("T_co", covariant=True)


class CaseList(Sequence[T_co]):
    """What `load_cases` returns: values in order; a part of it keeps its ids."""

    def __init__(self, values: Sequence[T_co], ids: Sequence[str] | None = None) -> None:
        self._values = tuple(values)
        self._ids = None if ids is None else tuple(ids)

    @property
    def ids(self) -> tuple[str, ...] | None:
        """The id of each case where a field was named for it; else None."""
        return self._ids

    @overload
    def __getitem__(self, place: int) -> T_co: ...
    @overload
    def __getitem__(self, place: slice) -> CaseList[T_co]: ...
    def __getitem__(self, place: int | slice) -> T_co | CaseList[T_co]:
        """Return one case, or some of them with their ids."""
        if isinstance(place, slice):
            return CaseList(self._values[place], None if self._ids is None else self._ids[place])
        return self._values[place]

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"CaseList({list(self._values)!r})"
