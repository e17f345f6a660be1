"""What a session of a noxfile runs, read from its syntax tree."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.audit.ci.project import join
from tierwise.audit.ci.values import Command

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tierwise.audit.ci.project import Project

_RUN = frozenset({"run", "run_always"})
_UNTOLD = "$VARIABLE"
"""Stands for an argument that is worked out when the session runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session: its commands, each with the folder that it runs in."""

    name: str
    commands: tuple[tuple[str, tuple[str, ...]], ...]
    notified: tuple[str, ...] = ()
    is_default: bool = True


def commands_of_call(
    command: Command, words: Sequence[str], project: Project
) -> Iterator[Command]:
    """Yield what `nox -s NAME` runs; LookupError when it cannot be told."""
    path = join(command.folder, "noxfile.py")
    text = project.read(path)
    if text is None:
        raise LookupError(f"there is no noxfile.py in {command.folder or 'the project'}")
    sessions, default = parse_noxfile(text)
    names, given = _read_call(words)
    wanted = names or default or [one.name for one in sessions.values() if one.is_default]
    done: set[str] = set()
    while wanted:
        name = wanted.pop(0).partition("-3")[0].partition("(")[0]
        if name in done:
            continue
        done.add(name)
        if name not in sessions:
            raise LookupError(f"{path} has no session {name!r}")
        wanted += sessions[name].notified
        for folder, found in sessions[name].commands:
            put = [word for one in found for word in (given if one == "{posargs}" else [one])]
            where = f"{command.where} > {path}: {name}"
            yield Command(words=tuple(put), folder=join(command.folder, folder), where=where)


def _read_call(words: Sequence[str]) -> tuple[list[str], list[str]]:
    rest, given = list(words), list[str]()
    if "--" in rest:
        at = rest.index("--")
        rest, given = rest[:at], rest[at + 1 :]
    names: list[str] = []
    is_naming = False
    for word in rest:
        if word in ("-s", "--session", "--sessions", "-e"):
            is_naming = True
        elif word.startswith("-"):
            is_naming = False
            if word.startswith("--session"):
                names += word.partition("=")[2].split(",")
        elif is_naming:
            names.append(word)
    return names, given


def parse_noxfile(text: str) -> tuple[dict[str, Session], list[str]]:
    """Return the sessions of a noxfile by name, and those that a bare nox runs."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise LookupError(f"noxfile.py cannot be read: {error.msg}") from error
    sessions: dict[str, Session] = {}
    default: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            session = _session_of(node)
            if session is not None:
                sessions[session.name] = session
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).endswith(
            "options.sessions"
        ):
            default = [
                one.value
                for one in ast.walk(node.value)
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
    return sessions, default


def _session_of(node: ast.FunctionDef) -> Session | None:
    mark = next((one for one in node.decorator_list if "session" in ast.unparse(one)), None)
    if mark is None or not node.args.args:
        return None
    words = {
        one.arg: one.value.value
        for one in (mark.keywords if isinstance(mark, ast.Call) else ())
        if isinstance(one.value, ast.Constant)
    }
    commands, notified, folder = [], [], ""
    for call in _calls_of(node, node.args.args[0].arg):
        method, found = call.func.attr, _words_of(call)  # type: ignore[attr-defined]
        if method in _RUN:
            commands.append((folder, found))
        elif method in ("chdir", "cd") and found:
            folder = join(folder, found[0])
        elif method == "notify" and found:
            notified.append(found[0])
    return Session(
        name=str(words.get("name", node.name)),
        commands=tuple(commands),
        notified=tuple(notified),
        is_default=words.get("default") is not False,
    )


def _calls_of(node: ast.FunctionDef, session: str) -> list[ast.Call]:
    calls = [
        one
        for one in ast.walk(node)
        if isinstance(one, ast.Call)
        and isinstance(one.func, ast.Attribute)
        and isinstance(one.func.value, ast.Name)
        and one.func.value.id == session
    ]
    return sorted(calls, key=lambda call: (call.lineno, call.col_offset))


def _words_of(call: ast.Call) -> tuple[str, ...]:
    words = []
    for argument in call.args:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            words.append(argument.value)
        elif isinstance(argument, ast.Starred):
            text = ast.unparse(argument.value)
            words.append("{posargs}" if text.endswith("posargs") else _UNTOLD)
        else:
            words.append(_UNTOLD)
    return tuple(words)
