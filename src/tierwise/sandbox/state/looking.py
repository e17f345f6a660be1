"""Many places looked at around each test, at the cost of a few bytes compared for each.

Places are kept in parts, one for each module, so that a change in one has only that one read anew.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.state.asking import is_of
from tierwise.sandbox.state.attributes import Attributes, view_words
from tierwise.sandbox.state.checks import are_all_true, equals
from tierwise.sandbox.state.containers import view_container
from tierwise.sandbox.state.mutations import Told, find_told, watch_changes
from tierwise.sandbox.state.places import (
    Kept,
    Place,
    compare_kept,
    copy_deep,
    copy_flat,
    keep,
    restore_kept,
)
from tierwise.sandbox.state.watcher import Watcher
from tierwise.sandbox.state.words import AllWords

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tierwise.domain.watching import Change
    from tierwise.sandbox.state.checks import Check

_chained = chain.from_iterable
_MOST_ENTRIES = 100
"""Of a larger list or set only the length is compared, unless the look is thorough."""


@dataclass(slots=True, kw_only=True)
class Witnesses:
    """What tells at little cost that something may have changed."""

    told: Told | None = field(default_factory=find_told)
    """Dictionaries of which the interpreter tells; None where it does not."""
    live: list[Any] = field(default_factory=list)
    copies: list[Any] = field(default_factory=list)
    sized: list[Any] = field(default_factory=list)
    """Large containers."""
    sizes: list[int] = field(default_factory=list)
    words: AllWords = field(default_factory=AllWords)
    """How often dictionaries have changed, where that is counted; attributes of objects that
    have no namespace; what lists and sets hold."""
    checks: tuple[Check, ...] = ()
    """Those that there is something for; they all hold while nothing has changed."""

    def are_same(self) -> bool:
        """Tell whether nothing has changed; what cannot be compared may have."""
        return are_all_true(self.checks)

    def see(self, mapping: dict[Any, Any]) -> bool:
        """Watch the changes of a dictionary, and say whether anything counts or tells them."""
        return watch_changes(mapping, self.words, self.told)

    def add(self, live: Any, copy: Any, *, thorough: bool) -> None:  # noqa: ANN401  any container
        """Watch one namespace or container, of which `copy` is what it holds."""
        if is_of(live, dict) and self.see(live) and not thorough:
            return
        is_small = isinstance(live, dict) or len(live) <= _MOST_ENTRIES
        words = view_container(live, copy) if is_small and not thorough else None
        if words is not None:
            self.words.add(words)
        elif thorough or is_small:
            self.live.append(live)
            self.copies.append(copy)
        else:
            self.sized.append(live)

    def add_names(self, place: Place) -> None:
        """Watch the names of a place."""
        if not isinstance(place.names, Attributes):
            # It is read closely when its version tells, and only then.
            self.add(place.names, dict(place.names), thorough=False)
            return
        words = view_words(place.names)
        if words is None:
            self.add(vars(place.holder), dict(vars(place.holder)), thorough=False)
        else:
            self.words.add(words)

    def seal(self) -> Witnesses:
        """Make the checks."""
        self.sizes = list(map(len, self.sized))
        self.words.seal()
        self.checks = tuple(self._choose_checks())
        return self

    def _choose_checks(self) -> Iterator[Check]:
        if self.told is not None and self.told.addresses:
            yield self.told.are_same
        if self.live:
            yield equals(self.live, self.copies)
        if self.sized:
            yield partial(_have_sizes, self.sized, self.sizes)
        if self.words:
            yield self.words.are_same

    def extend(self, others: list[Witnesses]) -> None:
        """Take those of others in."""
        if self.told is not None:
            self.told.extend(other.told for other in others if other.told is not None)
        self.live += _chained(other.live for other in others)
        self.copies += _chained(other.copies for other in others)
        self.sized += _chained(other.sized for other in others)
        self.words.extend([other.words for other in others])

    def let_go(self, but: Witnesses | None = None) -> None:
        """Have the interpreter watch nothing of it any more, but for what another watches."""
        if self.told is not None:
            self.told.let_go(but.told if but is not None else None)


def _have_sizes(containers: list[Any], sizes: list[int]) -> bool:
    return list(map(len, containers)) == sizes


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The places of one module, or of one root of another kind."""

    root: object
    kept: dict[str, Kept]
    witnesses: Witnesses


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """All parts as they were at one moment."""

    parts: dict[str, Part]
    witnesses: Witnesses


@dataclass(slots=True, kw_only=True)
class Looker:
    """Looks at the places below some roots."""

    watcher: str
    find_roots: Callable[[], Mapping[str, object]]
    find_places: Callable[[str, object], list[Place]]
    registry: dict[str, Any] = field(default_factory=lambda: sys.modules)
    """What changes when there are other roots."""
    thorough: bool = False
    _last: Look | None = None

    def take(self) -> Look:
        """Look; of a part that has not changed since the last look, that is what it is."""
        known = self._last.parts if self._last is not None else {}
        parts: dict[str, Part] = {}
        witnesses = Witnesses()  # made first: what changes from here on is seen
        if not witnesses.see(self.registry):
            witnesses.sized.append(self.registry)
        for name, root in self.find_roots().items():
            part = known.get(name)
            if part is None or part.root is not root or not part.witnesses.are_same():
                part = self._look_at(name, root)
            parts[name] = part
        witnesses.extend([part.witnesses for part in parts.values()])
        last, self._last = self._last, Look(parts=parts, witnesses=witnesses.seal())
        if last is not None:
            last.witnesses.let_go(witnesses)
        return self._last

    def __del__(self) -> None:
        if self._last is not None:
            self._last.witnesses.let_go()

    def is_same(self, look: Look) -> bool:
        """Tell whether nothing has changed since."""
        return look.witnesses.are_same()

    def compare(self, before: Look, after: Look) -> Iterator[Change]:
        """Yield the changes of places that both have seen."""
        for name, part in after.parts.items():
            old = before.parts.get(name)
            if old is None or old is part or old.root is not part.root:
                continue
            for owner, kept in part.kept.items():
                earlier = old.kept.get(owner)
                if earlier is not None and earlier.place.holder is kept.place.holder:
                    yield from compare_kept(self.watcher, earlier, kept)

    def restore(self, before: Look) -> None:
        """Put back what has changed."""
        for part in before.parts.values():
            if not part.witnesses.are_same():
                for kept in part.kept.values():
                    restore_kept(kept)

    def watch(self) -> Watcher:
        """Return the watcher that looks by this."""
        return Watcher(
            name=self.watcher,
            take=self.take,
            compare=self.compare,
            is_same=self.is_same,
            restore=self.restore,
            witness=attrgetter("witnesses.checks"),
        )

    def _look_at(self, name: str, root: object) -> Part:
        copy = copy_deep if self.thorough else copy_flat
        witnesses = Witnesses()
        kept: dict[str, Kept] = {}
        for place in self.find_places(name, root):
            found = kept[place.owner] = keep(place, copy)
            witnesses.add_names(place)
            for entry, content in found.contents.items():
                witnesses.add(found.values[entry], content, thorough=self.thorough)
        return Part(root=root, kept=kept, witnesses=witnesses.seal())
