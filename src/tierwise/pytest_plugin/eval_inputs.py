"""All that a trial rests on besides its case: files, packages, interpreter; and one hash of it."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import stat
import tomllib
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from tierwise.pytest_plugin.eval_outside import read_outside
from tierwise.pytest_plugin.eval_packages import read_packages
from tierwise.records.fingerprint import read_digests

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tierwise.config import Config

_OF_THE_RUN = frozenset(
    {
        "cache",
        "call_timeout_s",
        "concurrency",
        "max_calls",
        "max_seconds",
        "max_tokens",
        "max_usd",
        "prices",
        "provider",
        "retries",
    }
)
"""Keys that say how trials are carried out and paid for, and nothing of what is asked."""
_MOST_DESCRIPTORS = 256
_DIGITS = 8
_TO_PRINT_S = 10.0
"""What a run prints comes after its end was recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The state of what trials rest on; `hash` is "" when it could not be read."""

    hash: str = ""
    entries: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """By name, the start of a file's digest or a package's version."""
    outputs: tuple[str, ...] = ()
    """Files of the project that this very run is writing its output to: they are no inputs."""


def read_inputs(
    config: Config, *, is_old_output: Callable[[str], bool] = lambda _path: False
) -> Inputs:
    """Read files below the project's root, code outside of it, and versions of packages.

    The files that prompts are written in are among them; what this run's output goes to is not,
    nor is what `is_old_output` says to be an earlier run's.
    """
    open_files = set(find_open_outputs())
    outputs: list[str] = []

    def is_output(path: str) -> bool:
        if open_files and identify(path) in open_files:
            outputs.append(os.path.relpath(path, config.root))
            return True
        return is_old_output(path)

    try:
        digests = dict(
            read_digests(
                config.root,
                whole=config.code_paths,
                texts=True,
                reduce={"pyproject.toml": leave_out_the_run},
                skip=is_output,
            )
        ) | dict(read_outside(config.root))
    except OSError:
        return Inputs()
    entries = {name: digest.hex() for name, digest in digests.items()}
    entries["Python"] = platform.python_version()
    entries |= {f"package {name}": version for name, version in read_packages().items()}
    text = json.dumps(sorted(entries.items()))
    return Inputs(
        hash=hashlib.sha256(text.encode()).hexdigest(),
        entries={
            name: value[:_DIGITS] if name in digests else value for name, value in entries.items()
        },
        outputs=tuple(outputs),
    )


class OldOutputs:
    """The files of the project that output of earlier runs went to, as long as nobody edits them.

    `ends` has for each, by its path below the root, when the last such run ended.
    """

    def __init__(self, root: Path, ends: Mapping[str, str]) -> None:
        self._ends = {
            str(root / path): datetime.fromisoformat(end).timestamp() + _TO_PRINT_S
            for path, end in ends.items()
        }

    def holds(self, path: str) -> bool:
        """Tell whether a file still is what a run left."""
        end = self._ends.get(path)
        return end is not None and Path(path).stat().st_mtime <= end


def find_open_outputs() -> Iterator[tuple[int, int]]:
    """Yield device and number of each file that this process has open to write, and no more.

    A shell opens what output is sent to in that way; pytest keeps a copy of it while it captures.
    """
    for descriptor in range(_MOST_DESCRIPTORS):
        try:
            found = os.fstat(descriptor)
        except OSError:
            continue
        if stat.S_ISREG(found.st_mode) and _is_to_write(descriptor):
            yield found.st_dev, found.st_ino


def identify(path: str) -> tuple[int, int] | None:
    """Return device and number of a file."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def leave_out_the_run(text: bytes) -> bytes:
    """Return a pyproject.toml without what only concerns how evals are carried out.

    A larger budget goes on with the trials that are paid for.
    """
    try:
        content = tomllib.loads(text.decode())
        evals = content["tool"]["tierwise"]["evals"]
        content["tool"]["tierwise"]["evals"] = {
            key: value for key, value in evals.items() if key not in _OF_THE_RUN
        }
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError, AttributeError):
        return text
    return json.dumps(content, sort_keys=True, default=str).encode()


def _is_to_write(descriptor: int) -> bool:
    try:
        import fcntl  # noqa: PLC0415  Windows has none: there the standard streams must do
    except ImportError:
        return descriptor in (1, 2)
    return fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY
