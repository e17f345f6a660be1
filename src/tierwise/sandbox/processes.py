"""Touches of other processes, from the arguments of audit events."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tierwise.domain import Capability, Touch
from tierwise.sandbox.targets import SHELL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.sandbox.world import World

    Classifier = Callable[[str, tuple[Any, ...], World], tuple[Touch, ...]]

_LONGEST_COMMAND = 60


def classify_popen(event: str, args: tuple[Any, ...], world: World) -> tuple[Touch, ...]:
    """Judge `subprocess.Popen(executable, args, cwd, env)`."""
    executable, command = args[0], args[1]
    words = [command] if isinstance(command, (str, bytes, os.PathLike)) else list(command or ())
    program = _text(executable if executable is not None else words[0])
    if len(words) > 2 and _is_shell(program, _text(words[1])):  # noqa: PLR2004  program, -c, command
        return started(event, f"sh{SHELL}{_shorten(_text(words[2]))}", world)
    return started(event, program, world)


def classify_system(event: str, args: tuple[Any, ...], world: World) -> tuple[Touch, ...]:
    """Judge a command line that a shell runs."""
    return started(event, f"sh{SHELL}{_shorten(_text(args[0]))}", world)


def classify_program(event: str, args: tuple[Any, ...], world: World) -> tuple[Touch, ...]:
    """Judge an event whose first argument is the program."""
    return started(event, _text(args[0]), world)


def classify_spawn(event: str, args: tuple[Any, ...], world: World) -> tuple[Touch, ...]:
    """Judge `os.spawn(mode, path, args, env)`."""
    return started(event, _text(args[1]), world)


def classify_pty_spawn(event: str, args: tuple[Any, ...], world: World) -> tuple[Touch, ...]:
    """Judge `pty.spawn(argv)`."""
    return started(event, _text(args[0][0] if args[0] else ""), world)


def classify_fork(event: str, _args: tuple[Any, ...], world: World) -> tuple[Touch, ...]:
    """Judge a copy of this process."""
    return started(event, "fork", world)


def started(event: str, program: str, world: World) -> tuple[Touch, ...]:
    """Return the touch that starting `program` is; the running interpreter is `python`."""
    name = "python" if program in world.interpreters else program
    return (Touch(capability=Capability.SUBPROCESS, target=name, event=event),)


def _is_shell(program: str, option: str) -> bool:
    return option in {"-c", "/c"} and os.path.basename(program) in {"sh", "cmd.exe"}  # noqa: PTH119  text in, text out


def _text(value: object) -> str:
    if isinstance(value, (str, bytes, os.PathLike)):
        return os.fsdecode(value)
    return str(value)


def _shorten(command: str) -> str:
    return command if len(command) <= _LONGEST_COMMAND else f"{command[:_LONGEST_COMMAND]}…"


CLASSIFIERS: Mapping[str, Classifier] = {
    "os.exec": classify_program,
    "os.fork": classify_fork,
    "os.forkpty": classify_fork,
    "os.posix_spawn": classify_program,
    "os.spawn": classify_spawn,
    "os.startfile": classify_program,
    "os.startfile/2": classify_program,
    "os.system": classify_system,
    "pty.spawn": classify_pty_spawn,
    "subprocess.Popen": classify_popen,
}
