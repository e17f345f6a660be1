"""Stand-ins for functions of others: put in while a sandbox is installed, taken out after."""
# ruff: noqa: ANN401 - a stand-in takes and returns whatever the original does

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class StandIn:
    """A callable that looks like the builtin it stands for.

    A plain function would become a bound method where a class keeps the builtin as an attribute
    (selectors does so with select.select), and could not be pickled by the builtin's name.
    """

    def __init__(self, original: Callable[..., Any], call: Callable[..., Any]) -> None:
        functools.update_wrapper(self, original)
        self._original = original
        self._call = call
        self._name = original.__qualname__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call what stands in."""
        return self._call(*args, **kwargs)

    def __reduce__(self) -> str:
        """Pickle and copy by name, as a builtin does."""
        return self._name

    def __repr__(self) -> str:
        """Look like the original."""
        return repr(self._original)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """One attribute replaced, with what was there before."""

    holder: Any
    name: str
    original: Any
    replacement: Any

    def undo(self) -> None:
        """Put the original back, unless somebody else has replaced ours since."""
        if getattr(self.holder, self.name, None) is self.replacement:
            setattr(self.holder, self.name, self.original)


def replace_function(holder: Any, name: str, make: Callable[[Any], Any]) -> Patch | None:
    """Replace `holder.name` by `make(original)`; None where this platform has no such thing."""
    original = getattr(holder, name, None)
    if original is None:
        return None
    replacement = make(original)
    setattr(holder, name, replacement)
    return Patch(holder=holder, name=name, original=original, replacement=replacement)
