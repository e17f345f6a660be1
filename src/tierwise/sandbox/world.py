"""The facts about this machine that touches are judged by, computed once a session."""

from __future__ import annotations

import importlib.util
import os
import site
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_INSTALLED = frozenset({"site-packages", "dist-packages"})
_SYSTEM_PREFIXES = frozenset({"/", "/usr", "/usr/local"})
_HARNESS_PACKAGES = ("_pytest", "coverage", "pytest_cov", "hypothesis", "pluggy")


class Place(Enum):
    """Whose part of the file system a path lies in."""

    PROJECT = auto()
    TMP = auto()
    LIBRARY = auto()
    """The interpreter, the standard library, installed packages, time zone data."""
    EXEMPT = auto()
    """The harness's own files: nobody's touch."""
    OUTSIDE = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Facts for the classifiers; everything they would otherwise have to ask the system for."""

    roots: tuple[tuple[str, Place], ...]
    """Folders with a separator at the end, longest first, so that the most specific one wins."""
    project_root: str
    stdlib: tuple[str, ...]
    """Folders of the standard library, with a separator at the end."""
    harness: tuple[tuple[str, str], ...]
    """(folder with a separator at the end, package) of what runs the tests."""
    interpreters: frozenset[str]
    """Paths of the running interpreter: starting one of them is starting `python`."""
    cwd: Callable[[], str]
    real_path: Callable[[str], str]
    path_of_descriptor: Callable[[int], str | None]


def survey(
    *, project_root: Path, exempt_paths: Sequence[Path] = (), tmp_paths: Sequence[Path] = ()
) -> World:
    """Look around once and return what classifiers need to know."""
    library = _library_folders()
    tmp = [Path(tempfile.gettempdir()), *_paths_of_environment("TMPDIR"), *tmp_paths]
    placed = [
        *((folder, Place.LIBRARY) for folder in library),
        *((folder, Place.TMP) for folder in tmp),
        (project_root, Place.PROJECT),
        *((path, Place.EXEMPT) for path in exempt_paths),
    ]
    return World(
        roots=sort_roots(
            (spelling, place) for folder, place in placed for spelling in _spellings(folder)
        ),
        project_root=_with_separator(str(project_root)),
        stdlib=tuple(_with_separator(path) for path in _stdlib_folders()),
        harness=_harness_folders(project_root),
        interpreters=frozenset(_interpreters()),
        cwd=os.getcwd,
        real_path=os.path.realpath,
        path_of_descriptor=_path_of_descriptor,
    )


def is_installed(path: str) -> bool:
    """Say whether a file lies where packages are installed."""
    return not _INSTALLED.isdisjoint(Path(path).parts)


def is_first_party(path: str, project_root: str) -> bool:
    """Say whether code lies in the project and is not installed there, as in its own venv."""
    return path.startswith(project_root) and not is_installed(path)


def sort_roots(placed: Iterable[tuple[str, Place]]) -> tuple[tuple[str, Place], ...]:
    """Return the roots with separators, longest first; of equal folders the last one wins."""
    distinct = {_with_separator(folder): place for folder, place in placed}
    return tuple(sorted(distinct.items(), key=lambda root: -len(root[0])))


def _with_separator(folder: str) -> str:
    return os.path.normcase(folder).rstrip(os.sep) + os.sep


def _spellings(path: Path) -> tuple[str, ...]:
    absolute = os.path.abspath(path)  # noqa: PTH100  Path.absolute keeps '..', and the text is wanted
    return (absolute, os.path.realpath(absolute))


def _paths_of_environment(name: str) -> list[Path]:
    value = os.environ.get(name)
    return [Path(value)] if value else []


def _stdlib_folders() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    running = str(Path(os.__file__).parent)
    return tuple(dict.fromkeys((paths["stdlib"], paths["platstdlib"], running)))


def _library_folders() -> list[Path]:
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix} - _SYSTEM_PREFIXES
    paths = sysconfig.get_paths()
    packages = [paths["purelib"], paths["platlib"], paths["include"], *site.getsitepackages()]
    tmp = os.path.realpath(tempfile.gettempdir())
    # A folder on sys.path is one of installed packages (editable installs), unless it is so wide
    # that it would open the whole machine.
    wide = {tmp, str(Path.home()), *_SYSTEM_PREFIXES}
    on_path = [entry for entry in sys.path if entry and os.path.realpath(entry) not in wide]
    user = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    found = [
        *prefixes,
        *_stdlib_folders(),
        *packages,
        *user,
        *on_path,
        *_interpreters(),
        *_time_zones(),
    ]
    return [Path(entry) for entry in dict.fromkeys(found)]


def _interpreters() -> tuple[str, ...]:
    return (sys.executable, os.path.realpath(sys.executable)) if sys.executable else ()


def _time_zones() -> list[str]:
    # zoneinfo's own default, without importing zoneinfo.
    return [
        entry for entry in (sysconfig.get_config_var("TZPATH") or "").split(os.pathsep) if entry
    ]


def _harness_folders(project_root: Path) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for package in _HARNESS_PACKAGES:
        spec = importlib.util.find_spec(package)
        if spec is None or spec.origin is None:
            continue
        folder = Path(spec.origin).parent
        # Whoever develops pytest or coverage tests it: there it is no harness.
        if not is_first_party(str(folder), _with_separator(str(project_root))):
            found.append((_with_separator(str(folder)), package))
    return tuple(found)


def _path_of_descriptor(descriptor: int) -> str | None:
    for table in ("/proc/self/fd", "/dev/fd"):
        try:
            return os.readlink(f"{table}/{descriptor}")  # noqa: PTH115  text is wanted
        except OSError:
            continue
    return None
