"""A temporary folder of a process, which the next one removes when its owner was killed.

The owner holds a lock on a file in it, which the system lets go however the process ends, in
whatever container it ran: a number of a process may be another one's elsewhere.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOCK = "owner.lock"
_YOUNG_S = 60.0
"""A younger folder may be one whose owner has not come to its lock yet."""


@contextlib.contextmanager
def own_folder(kind: str, run: str) -> Iterator[Path]:
    """Make a folder for this process and remove it at the end, and those that were left behind.

    `kind` is what the folders of all runs begin with, `run` what tells this run's.
    """
    remove_abandoned(f"{kind}-")
    with (
        tempfile.TemporaryDirectory(prefix=_begin(kind, run), ignore_cleanup_errors=True) as name,
        (Path(name) / _LOCK).open("wb") as lock,
    ):
        _lock(lock.fileno())
        yield Path(name)


def remove_folders_of(kind: str, run: str) -> None:
    """Remove what the killed processes of a run left on this machine, however young."""
    remove_abandoned(_begin(kind, run), older_than_s=0.0)


def remove_abandoned(prefix: str, *, older_than_s: float = _YOUNG_S) -> None:
    """Remove folders whose owner has gone; those of a living one, or of another user, stay."""
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with contextlib.suppress(OSError):
            is_old = time.time() - folder.lstat().st_mtime >= older_than_s
            if is_old and folder.is_dir() and not folder.is_symlink() and _is_abandoned(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _begin(kind: str, run: str) -> str:
    return f"{kind}-{run}-"


def _is_abandoned(folder: Path) -> bool:
    lock = folder / _LOCK
    if not lock.exists():
        return True
    with lock.open("rb") as file:
        return _lock(file.fileno())


def _lock(descriptor: int) -> bool:
    """Take the lock until the file is closed; return whether it was free."""
    try:
        import fcntl  # noqa: PLC0415  not on Windows
    except ImportError:
        return False  # an open file cannot be removed there, and nobody can tell who has it
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
