"""Findings about the state of the process that tests leave changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.audit.behaviour import count
from tierwise.audit.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tierwise.audit.facts import LeftFact, TestFact

_MANY_NAMES = 4


def find_left_state(tests: Iterable[TestFact]) -> Iterator[Finding]:
    """Yield each piece of process state that is left changed, with the tests that leave it."""
    by_owner: dict[str, dict[str, LeftFact]] = {}
    for test in tests:
        for left in test.left:
            by_owner.setdefault(left.owner, {})[left.subject or test.nodeid] = left
    findings = [_of_owners(owners, by_owner[owners[0]]) for owners in fold_modules(by_owner)]
    yield from sorted(findings, key=lambda found: (-len(found.tests), found.subject))


def _of_owners(owners: tuple[str, ...], found: Mapping[str, LeftFact]) -> Finding:
    names, subject = tuple(found), owners[0]
    first = found[names[0]]
    more = f" and {count(len(names) - 1, 'other')}" if len(names) > 1 else ""
    text = f"{first.before} -> {first.after}, left by {names[0]}{more}"
    if len(owners) > 1:
        subject, _, name = subject.rpartition(".")
        text = f"{len(owners)} names of it are changed, such as {name}: {text}"
    return Finding(kind="state_left", subject=subject, text=text, tests=names)


def fold_modules(by_owner: Mapping[str, Iterable[str]]) -> list[tuple[str, ...]]:
    """Return the owners, many names of one module together: it may have been imported anew.

    `by_owner` is who left each of them: only what the same tests leave is one change.
    """
    folds: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for owner, tests in sorted(by_owner.items()):
        module, _, name = owner.rpartition(".")
        together = module if name.isidentifier() and module else owner
        folds.setdefault((together, tuple(tests)), []).append(owner)
    found: list[tuple[str, ...]] = []
    for owners in folds.values():
        found += [tuple(owners)] if len(owners) >= _MANY_NAMES else [(one,) for one in owners]
    return found
