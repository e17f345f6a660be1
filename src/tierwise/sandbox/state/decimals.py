"""The context of decimal arithmetic: precision, rounding, limits and traps."""

from __future__ import annotations

import sys
from functools import cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.state.checks import has_none_of
from tierwise.sandbox.state.gathered import WORD, watch_words
from tierwise.sandbox.state.watcher import Watcher, one_value
from tierwise.sandbox.state.words import read_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from decimal import Context

    from tierwise.domain.watching import Change
    from tierwise.sandbox.state.checks import Check

_TRAITS = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")
_TRAPS_AT = len(_TRAITS)
_COPY_AT = _TRAPS_AT + 1
_read_traits = attrgetter(*_TRAITS)
_WORDS = (2, 3, 4, 5, 6, 7, 10)
"""Of libmpdec's context inside Python's: precision and limits; then traps and flags, rounding and
the like, two in a word; and behind Python's views of these, capitals."""
_SIZE = 11


def read_decimal() -> tuple[object, ...] | None:
    """Return what the context of this thread says; None while nobody has imported decimal."""
    module = sys.modules.get("decimal")
    if module is None:
        return None
    context = module.getcontext()
    return (*_read_traits(context), tuple(context.traps.items()), context.copy())


def is_same_decimal(kept: Any) -> bool:  # noqa: ANN401  what was read
    """Tell whether the context says what it said; its traps are compared as one number."""
    module = sys.modules.get("decimal")
    if kept is None or module is None:
        return kept is None and module is None
    context = module.getcontext()
    return bool(
        _read_traits(context) == kept[:_TRAPS_AT] and context.traps == kept[_COPY_AT].traps
    )


def witness_of_decimal(_: object) -> tuple[Check, ...] | None:
    """Return what tells that the same context is in force and has the same words."""
    module = sys.modules.get("decimal")
    if module is None:
        return (has_none_of(sys.modules, "decimal"),)
    context = module.getcontext()
    if type(context) is not module.Context or not _is_understood():
        return None
    return partial(_is_in_force, module.getcontext, context), _watch_context(context)


def _is_in_force(ask: Callable[[], Context], context: Context) -> bool:
    return ask() is context


def _watch_context(context: Context) -> Check:
    return watch_words([id(context) + n * WORD for n in _WORDS])


@cache
def _is_understood() -> bool:
    """Try it on an example: what it says lies there, and each change of it is seen."""
    kind: type[Context] = sys.modules["decimal"].Context
    if sys.implementation.name != "cpython" or kind.__basicsize__ < _SIZE * WORD:
        return False
    example = kind(prec=11, Emax=99, Emin=0, capitals=1, clamp=0, rounding="ROUND_UP", traps=[])
    if [read_word(id(example) + n * WORD) for n in _WORDS[:3]] != [11, 99, 0]:
        return False
    changes: tuple[Callable[[], object], ...] = (
        *(partial(setattr, example, name, 7) for name in ("prec", "Emax")),
        partial(setattr, example, "Emin", -7),
        partial(setattr, example, "capitals", 0),
        partial(setattr, example, "clamp", 1),
        partial(setattr, example, "rounding", "ROUND_DOWN"),
        *(partial(example.traps.update, {signal: True}) for signal in example.traps),
    )
    return all(_is_seen(example, change) for change in changes)


def _is_seen(example: Context, change: Callable[[], object]) -> bool:
    are_same = _watch_context(example)
    was_same = are_same()
    change()
    return was_same and not are_same()


def compare_decimal(
    before: tuple[object, ...] | None, after: tuple[object, ...] | None
) -> Iterator[Change]:
    """Yield a change for each trait; flags, which each calculation raises, are none."""
    if before is None or after is None:
        return
    for trait, old, new in zip(_TRAITS, before, after, strict=False):
        yield from one_value("decimal", f"decimal.getcontext().{trait}", old, new)
    traps = _on(before[_TRAPS_AT]), _on(after[_TRAPS_AT])
    yield from one_value("decimal", "decimal.getcontext().traps", *traps)


def _on(traps: Any) -> tuple[str, ...]:  # noqa: ANN401  pairs of a signal and a flag
    return tuple(signal.__name__ for signal, is_on in traps if is_on)


def restore_decimal(before: tuple[object, ...] | None) -> None:
    """Put the traits back."""
    module = sys.modules.get("decimal")
    if before is None or module is None:
        return
    context, traps = module.getcontext(), before[_TRAPS_AT]
    for trait, value in zip(_TRAITS, before, strict=False):
        setattr(context, trait, value)
    context.traps.update(traps)


DECIMAL = Watcher(
    name="decimal",
    take=read_decimal,
    compare=compare_decimal,
    is_same=is_same_decimal,
    restore=restore_decimal,
    witness=witness_of_decimal,
)
