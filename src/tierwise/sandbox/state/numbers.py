"""What random numbers come from: the module random, and numpy.random."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, Any

from tierwise.domain.watching import Change
from tierwise.sandbox.state.checks import equals, has_none_of
from tierwise.sandbox.state.memory import view_of_generator, view_of_random
from tierwise.sandbox.state.watcher import Watcher, simple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tierwise.sandbox.state.checks import Check

_WORDS = 624
_FIRST = 5
"""An index and so many words but one tell that a generator is where it was."""
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
    first = view[:_FIRST]

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
        # Each number that is taken changes the index, and each seed all words.
        witness=lambda _: (equals(first, memoryview(first.tobytes()).cast("I")),),
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


def witness_of_numpy(_: object) -> tuple[Check, ...]:
    """Return what tells that nobody has imported it."""
    return (has_none_of(sys.modules, "numpy.random"),)


NUMPY = simple("numpy", read_numpy, compare_numpy, restore_numpy, witness=witness_of_numpy)
