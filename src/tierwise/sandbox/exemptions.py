"""What is nobody's touch, by rule: told from the frames that made it.

A rule looks at the frames nearest to the touch and stops at the first that is not part of the
machinery it excuses: code of a user that is called by that machinery stays judged.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from typing import TYPE_CHECKING

from tierwise.domain import Capability
from tierwise.sandbox.frames import Step, name_in
from tierwise.sandbox.world import is_installed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tierwise.domain import Touch
    from tierwise.sandbox.world import World

    Rule = Callable[[Touch, Sequence[Step], World], bool]

_NAMES_OF_THE_SYSTEM = frozenset({"/etc/os-release", "/usr/lib/os-release"})
_CODE_SUFFIXES = (".py", ".pyc", ".pyi", ".pyw", *EXTENSION_SUFFIXES)
_PYTEST_S_OWN_FILES = frozenset(
    {
        "assertion/rewrite.py",
        "cacheprovider.py",
        "capture.py",
        "faulthandler.py",
        "junitxml.py",
        "logging.py",
        "pathlib.py",
        "stepwise.py",
        "tmpdir.py",
    }
)


def exemption_of(touch: Touch, steps: Sequence[Step], world: World) -> str | None:
    """Return the name of the rule by which this touch is nobody's, or None."""
    for name, rule in _RULES:
        if rule(touch, steps, world):
            return name
    return None


def _is_import(touch: Touch, steps: Sequence[Step], _world: World) -> bool:
    """Cover reading code anywhere on sys.path, listing its folders and writing bytecode."""
    if not steps or not steps[0].path.startswith(("<frozen importlib", "<frozen zipimport")):
        return False
    if touch.event in {"os.listdir", "os.mkdir"} or "zipimport" in steps[0].path:
        return True
    name = os.path.basename(touch.target)  # noqa: PTH119  text in, text out
    # Bytecode is written to a neighbour named `x.pyc.<number>` first, then renamed.
    return name.endswith(_CODE_SUFFIXES) or ".pyc." in name


def _is_library_s_import(touch: Touch, steps: Sequence[Step], world: World) -> bool:
    """Cover what a library reads while it is imported: only the first to ask would be blamed."""
    if touch.capability is not Capability.READ or touch.event != "open":
        return False
    for index, step in enumerate(steps):
        if step.path.startswith("<frozen importlib"):
            return index > 0  # the import system's own reading has a rule of its own
        if not (is_installed(step.path) or name_in(step.path, world.stdlib)):
            return False
    return False


def _is_source_look_up(touch: Touch, steps: Sequence[Step], world: World) -> bool:
    """Cover the source lines that tracebacks, warnings, inspect and doctest show."""
    if touch.event != "open":
        return False
    for step in steps:
        name = name_in(step.path, world.stdlib)
        if name == "linecache.py":
            return True
        if name != "tokenize.py":
            return False
    return False


def _is_debugger_s_rc(touch: Touch, steps: Sequence[Step], world: World) -> bool:
    """Cover what each Pdb looks for when it is made; doctest makes one for every run."""
    return (
        touch.event == "open"
        and os.path.basename(touch.target) == ".pdbrc"  # noqa: PTH119  text in, text out
        and _is_stdlib(steps, world, "pdb.py")
    )


def _is_pytest_s_own(_touch: Touch, steps: Sequence[Step], world: World) -> bool:
    """Cover the cache, rewritten bytecode, capture files, and the folders that tmp_path makes."""
    return _nearest(steps, world) in {("_pytest", name) for name in _PYTEST_S_OWN_FILES}


def _is_coverage_s_own(_touch: Touch, steps: Sequence[Step], world: World) -> bool:
    """Cover data files of coverage and pytest-cov."""
    package, _ = _nearest(steps, world)
    return package in {"coverage", "pytest_cov"}


def _is_hypothesis_s_own(_touch: Touch, steps: Sequence[Step], world: World) -> bool:
    """Cover the example database; strategies call what a user gave them and stay judged."""
    package, name = _nearest(steps, world)
    return package == "hypothesis" and not name.startswith("strategies")


def _is_socket_pair(_touch: Touch, steps: Sequence[Step], world: World) -> bool:
    """Cover the loopback connection that stands in where the system has no socketpair."""
    return _is_stdlib(steps, world, "socket.py") and steps[0].function in {
        "socketpair",
        "_fallback_socketpair",
    }


def _is_judged_start(touch: Touch, steps: Sequence[Step], world: World) -> bool:
    """Cover what subprocess does to start and await a process: its own event was judged."""
    return touch.event != "subprocess.Popen" and _is_stdlib(steps, world, "subprocess.py")


def _is_machine_look_up(touch: Touch, steps: Sequence[Step], world: World) -> bool:
    """Cover `platform` asking `uname`: once a process, so only the first test would be blamed."""
    if touch.capability not in (Capability.SUBPROCESS, Capability.READ):
        return False
    if touch.capability is Capability.READ and touch.target in _NAMES_OF_THE_SYSTEM:
        return True  # clients of vendors say in a header which system they run on
    for step in steps:
        name = name_in(step.path, world.stdlib)
        if name == "platform.py":
            return True
        if name != "subprocess.py":
            return False
    return False


def _is_known_table(touch: Touch, steps: Sequence[Step], world: World) -> bool:
    """Cover the machine's tables, which `mimetypes` reads once a process."""
    known = getattr(sys.modules.get("mimetypes"), "knownfiles", ())
    return _is_stdlib(steps, world, "mimetypes.py") and touch.target in known


def _is_forgotten_tmp(_touch: Touch, steps: Sequence[Step], world: World) -> bool:
    """Cover a forgotten temporary file that vanishes when the collector finds it, in any test."""
    names = [name_in(step.path, world.stdlib) for step in steps]
    for index, step in enumerate(steps):
        if names[index] is None:
            return False
        if names[index] == "tempfile.py":
            if step.function == "__del__":
                return True
            is_finalizer = index + 1 < len(steps) and names[index + 1] == "weakref.py"
            if step.function == "_cleanup" and is_finalizer:
                return True
    return False


def _nearest(steps: Sequence[Step], world: World) -> tuple[str, str]:
    """Return (package, path in it) of the nearest frame that is not of the standard library."""
    for step in steps:
        if step.path.startswith("<frozen") or name_in(step.path, world.stdlib) is not None:
            continue
        for folder, package in world.harness:
            if step.path.startswith(folder):
                return (package, step.path[len(folder) :].replace(os.sep, "/"))
        return ("", step.path)
    return ("", "")


def _is_stdlib(steps: Sequence[Step], world: World, name: str) -> bool:
    return bool(steps) and name_in(steps[0].path, world.stdlib) == name


_RULES: tuple[tuple[str, Rule], ...] = (
    ("import", _is_import),
    ("import of a library", _is_library_s_import),
    ("source look-up", _is_source_look_up),
    ("debugger's rc file", _is_debugger_s_rc),
    ("pytest's own files", _is_pytest_s_own),
    ("coverage's own files", _is_coverage_s_own),
    ("Hypothesis's own files", _is_hypothesis_s_own),
    ("socket pair", _is_socket_pair),
    ("judged at its start", _is_judged_start),
    ("machine look-up", _is_machine_look_up),
    ("table of the machine", _is_known_table),
    ("forgotten temporary file", _is_forgotten_tmp),
)
