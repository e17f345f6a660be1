"""What numbers come from: the module random, numpy.random and the decimal context."""

from __future__ import annotations

import random
import sys
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from tierwise.domain.watching import Change
from tierwise.sandbox.state.memory import view_of_generator, view_of_random
from tierwise.sandbox.state.watcher import Watcher, one_value, simple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_WORDS = 624
_FURTHEST = 300
"""So many times all words of a generator may be used up by one test, and not more."""


def compare_random(before: Any, after: Any) -> Iterator[Change]:  # noqa: ANN401  opaque state
    """Yield a change when the generator was seeded; numbers taken from it are none."""
    if before[1][:_WORDS] != after[1][:_WORDS] and not _leads_to(before, after):
        yield Change(
            watcher="random", owner="random", before="not seeded", after="seeded by the test"
        )


def _leads_to(before: Any, after: Any) -> bool:  # noqa: ANN401  opaque state
    follower, last = random.Random(), random.Random()  # noqa: S311  they follow another
    follower.setstate(before)
    last.setstate(after)
    read, wanted = _reader_of(follower), _reader_of(last)()
    follower.getrandbits(32 * (_WORDS - before[1][_WORDS]))
    for _ in range(_FURTHEST):
        follower.getrandbits(32 * _WORDS)
        if read() == wanted:
            return True
    return False


def _reader_of(generator: random.Random) -> Callable[[], object]:
    view = view_of_generator(generator)
    if view is None:
        return lambda: generator.getstate()[1][:_WORDS]
    return view[1:].tobytes


def watch_random() -> Watcher:
    """Return the watcher of the generator that the functions of `random` share."""
    view = view_of_random()
    if view is None:
        return simple("random", random.getstate, compare_random, random.setstate)
    raw: Callable[[], bytes] = view.tobytes

    def is_same(kept: tuple[bytes, object]) -> bool:
        return raw() == kept[0]

    def compare(before: tuple[bytes, object], after: tuple[bytes, object]) -> Iterator[Change]:
        return compare_random(before[1], after[1])

    return Watcher(
        name="random",
        take=lambda: (raw(), random.getstate()),
        compare=compare,
        is_same=is_same,
        restore=lambda before: random.setstate(before[1]),
    )


def read_numpy() -> Any:  # noqa: ANN401  opaque state
    """Return the state of numpy's shared generator; None while nobody has imported it."""
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is None:
        return None
    state = numpy_random.get_state(legacy=False)
    if state["bit_generator"] != "MT19937":
        return None
    inner = state["state"]
    return (inner["key"].tobytes(), int(inner["pos"]), state["has_gauss"], state["gauss"])


def compare_numpy(before: Any, after: Any) -> Iterator[Change]:  # noqa: ANN401  opaque state
    """Yield a change when the generator was seeded; numbers taken from it are none."""
    if before is None or after is None or before[0] == after[0]:
        return
    if not _leads_to(_as_python(before), _as_python(after)):
        yield Change(
            watcher="numpy", owner="numpy.random", before="not seeded", after="seeded by the test"
        )


def _as_python(state: Any) -> Any:  # noqa: ANN401  opaque state
    # Both are Mersenne twisters with the same words.
    words = memoryview(state[0]).cast("I")
    return (3, (*words, state[1]), None)


def restore_numpy(before: Any) -> None:  # noqa: ANN401  opaque state
    """Put the state back."""
    numpy_random = sys.modules.get("numpy.random")
    if before is None or numpy_random is None:
        return
    words = list(memoryview(before[0]).cast("I"))
    numpy_random.set_state(("MT19937", words, before[1], before[2], before[3]))


_TRAITS = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")
_TRAPS_AT = len(_TRAITS)
_COPY_AT = _TRAPS_AT + 1
_read_traits = attrgetter(*_TRAITS)


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


NUMPY = simple("numpy", read_numpy, compare_numpy, restore_numpy)
DECIMAL = Watcher(
    name="decimal",
    take=read_decimal,
    compare=compare_decimal,
    is_same=is_same_decimal,
    restore=restore_decimal,
)
