"""What was read of CI, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One simple command, in the folder that it runs in."""

    words: tuple[str, ...]
    folder: str
    where: str
    """The file and the job, target or session that it stands in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """One run of pytest that a file asks for."""

    where: str
    command: str
    folder: str = ""
    paths: tuple[str, ...] = ()
    """Relative to the project; none is the default of pytest in that folder."""
    keyword: str = ""
    marks: str | None = None
    ignored: tuple[str, ...] = ()
    deselected: tuple[str, ...] = ()
    unknown: str = ""
    """Why it cannot be told what it runs; "" when it can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """Something of CI that could not be told."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ci:
    """All that a project's CI runs, as far as it could be read."""

    files: tuple[str, ...] = ()
    """The files of CI services that were read."""
    others: tuple[str, ...] = ()
    """Files of commands (Makefile, tox.ini ...) that were read where no CI service is set up."""
    invocations: tuple[Invocation, ...] = ()
    unread: tuple[Unread, ...] = ()
