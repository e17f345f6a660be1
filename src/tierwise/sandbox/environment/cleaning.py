"""`clean_env`: the environment with nothing in it but what a process needs."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tierwise.errors import MisuseError
from tierwise.sandbox.environment.mocking import restore
from tierwise.sandbox.environment.names import HARNESS, NEEDED, is_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, MutableMapping


@contextmanager
def clean_env(keep: Iterable[str] = ()) -> Iterator[MutableMapping[str, str]]:
    """Take away all variables but those that a process needs, until the block ends.

    `keep` names others that stay, by name or by a pattern with `*`. Gives `os.environ`, which is
    put back exactly, whatever the block has done to it.
    """
    before = dict(os.environ)
    for name in find_unneeded(before, keep):
        del os.environ[name]
    try:
        yield os.environ
    finally:
        restore(before)


def find_unneeded(names: Iterable[str], keep: Iterable[str]) -> tuple[str, ...]:
    """Return the names that neither a process needs nor `keep` means."""
    if isinstance(keep, str):
        raise MisuseError(
            f'clean_env was given keep="{keep}", expected a list of names: keep=["{keep}"].'
        )
    kept = (*NEEDED, *HARNESS, *keep)
    return tuple(name for name in names if not is_named(name, kept))
