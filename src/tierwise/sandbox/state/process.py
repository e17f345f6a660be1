"""What the process as a whole has: directory, rights of new files, locale, time zone."""

from __future__ import annotations

import locale
import os
import time
from functools import partial
from typing import TYPE_CHECKING

from tierwise.domain.watching import Change
from tierwise.sandbox.slot import SLOT
from tierwise.sandbox.state.checks import has_not_happened, holds
from tierwise.sandbox.state.showing import show_text
from tierwise.sandbox.state.watcher import Watcher, one_value, simple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tierwise.sandbox.state.checks import Check

# The one of `locale` itself takes twice as long to do nothing but pass the question on.
_setlocale = getattr(locale, "_setlocale", locale.setlocale)
_NARROWEST = 0o077
"""What is in force for the moment of a look, so that no file is open to others by it."""


def read_cwd() -> str:
    """Return the current directory, or that it is gone."""
    try:
        return os.getcwd()  # noqa: PTH109  a path as text is what it costs least
    except OSError:
        return "(a directory that is gone)"


def witness_of_cwd(_: str) -> tuple[Check, ...] | None:
    """Return what tells that nobody changed it; None if that is unknown."""
    return (has_not_happened("cwd"),) if SLOT.has_hook else None


def restore_cwd(before: str) -> None:
    """Go back, if the directory is still there."""
    if os.path.isdir(before):  # noqa: PTH112
        os.chdir(before)


def read_umask() -> str:
    """Return the umask; there is no way to read it but to set it."""
    found = os.umask(_NARROWEST)
    os.umask(found)
    return f"0o{found:03o}"


def witness_of_umask(kept: str) -> tuple[Check, ...]:
    """Return what asks for it in the shortest way."""
    return (partial(_is_umask, int(kept, 8)),)


def _is_umask(kept: int) -> bool:
    found = os.umask(_NARROWEST)
    os.umask(found)
    return found == kept


def restore_umask(before: str) -> None:
    """Set the umask."""
    os.umask(int(before, 8))


def read_locale() -> str:
    """Return the locale of all categories."""
    return _setlocale(locale.LC_ALL)


def is_same_locale(kept: str) -> bool:
    """Tell whether it is as it was."""
    return bool(_setlocale(locale.LC_ALL) == kept)


def restore_locale(before: str) -> None:
    """Set the locale of all categories."""
    locale.setlocale(locale.LC_ALL, before)


def read_timezone() -> tuple[object, ...]:
    """Return the zone in force and the variable that names it."""
    return (time.tzname, time.timezone, time.altzone, os.environ.get("TZ"))


def witness_of_timezone(kept: tuple[object, ...]) -> tuple[Check, ...]:
    """Return what tells that the zone in force is what it was."""
    return (holds(vars(time), tzname=kept[0], timezone=kept[1], altzone=kept[2]),)


def compare_timezone(before: tuple[object, ...], after: tuple[object, ...]) -> Iterator[Change]:
    """Yield a change of the zone in force; the variable is one of the environment's."""
    return (
        one_value("timezone", "time.tzname", before[0], after[0])
        if before[:3] != after[:3]
        else iter(())
    )


def restore_timezone(before: tuple[object, ...]) -> None:
    """Put the variable back, then the zone that it names."""
    name = before[3]
    if isinstance(name, str):
        os.environ["TZ"] = name
    else:
        os.environ.pop("TZ", None)
    if hasattr(time, "tzset"):
        time.tzset()


def _compare(watcher: str, owner: str) -> Callable[[str, str], Iterator[Change]]:
    def compare(before: str, after: str) -> Iterator[Change]:
        if before != after:
            shown = show_text(before), show_text(after)
            yield Change(watcher=watcher, owner=owner, before=shown[0], after=shown[1])

    return compare


CWD = simple("cwd", read_cwd, _compare("cwd", "os.getcwd()"), restore_cwd, witness=witness_of_cwd)
UMASK = simple(
    "umask", read_umask, _compare("umask", "os.umask()"), restore_umask, witness=witness_of_umask
)
LOCALE = Watcher(
    name="locale",
    take=read_locale,
    compare=_compare("locale", "locale.setlocale()"),
    is_same=is_same_locale,
    restore=restore_locale,
)
TIMEZONE = Watcher(
    name="timezone",
    take=read_timezone,
    compare=compare_timezone,
    is_same=lambda kept: (time.tzname, time.timezone, time.altzone) == kept[:3],
    restore=restore_timezone,
    witness=witness_of_timezone,
)
