"""From a command to the runs of pytest behind it: through make, tox, nox, just and scripts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tierwise.audit.ci import justfile, makefile, nox, tox
from tierwise.audit.ci.options import read_pytest
from tierwise.audit.ci.project import join
from tierwise.audit.ci.shell import commands_of
from tierwise.audit.ci.values import Invocation, Unread

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tierwise.audit.ci.project import Project
    from tierwise.audit.ci.values import Command

_DEEPEST = 6
_PYTHON = re.compile(r"(?:.*/)?(?:python|pypy|py)[\d.]*t?(?:\.exe)?|\{env_?python\}")
_ENVIRONMENT = re.compile(r"[A-Za-z_]\w*=.*")
_RUNNERS = frozenset({"uv", "poetry", "pdm", "hatch", "pipenv", "rye", "pixi", "conda", "mamba"})
_SCRIPTED = frozenset({"hatch", "pdm", "rye", "pixi", "pipenv", "poetry"})
_BEFORE = frozenset(
    {"sudo", "env", "xvfb-run", "nice", "stdbuf", "command", "uvx", "pipx", "wait"}
)
_VALUES = frozenset(
    (
        *("--extra", "--group", "--with", "--python", "-p", "--directory", "--project", "-e"),
        *("-n", "--env-file", "--only-group", "--no-group", "--package", "--name", "--from"),
        *("--server-args", "-s", "--environment", "--prefix"),
    )
)
_OTHERS = frozenset(
    {"hatch", "pdm", "poe", "invoke", "inv", "doit", "task", "nx", "bazel", "npm", "earthly"}
)
_SHELLS = frozenset({"bash", "sh", "zsh", "source", "."})


@dataclass(slots=True)
class Following:
    """Follows commands, and keeps what it finds."""

    project: Project
    invocations: list[Invocation] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    asked: set[tuple[str, str]] = field(default_factory=set)
    """Which targets of which tool were followed."""

    def follow(self, commands: Iterable[Command], depth: int = 0) -> None:
        """Find the runs of pytest behind each command."""
        for command in commands:
            if depth > _DEEPEST:
                self.unread.append(Unread(where=command.where, reason="it calls itself"))
                return
            self._follow_one(command, depth)

    def _follow_one(self, command: Command, depth: int) -> None:
        words = strip_runner(command.words)
        if not words:
            return
        program = words[0].rpartition("/")[2]
        arguments = pytest_arguments(words)
        if arguments is not None:
            self.invocations.append(read_pytest(command, arguments, self.project))
        elif program in ("make", "gmake", "tox", "nox", "just"):
            self.follow(self._open(command, program, words[1:]), depth + 1)
        elif program == "tierwise" and words[1:3] == ("eval", "run"):
            self._say(command, "tierwise eval run runs evals: they are no tests of a bare pytest")
        elif program in _SHELLS or words[0].startswith("./") or words[0].endswith(".sh"):
            self._follow_script(command, words, depth)
        elif (reason := why_untold(words) or why_script(command.words)) is not None:
            self._say(command, reason)

    def _open(self, command: Command, program: str, words: Sequence[str]) -> Iterator[Command]:
        readers = {"make": makefile, "gmake": makefile, "tox": tox, "nox": nox, "just": justfile}
        try:
            yield from readers[program].commands_of_call(command, words, self.project)
        except LookupError as error:
            self._say(command, str(error.args[0]))

    def _follow_script(self, command: Command, words: Sequence[str], depth: int) -> None:
        names = [word for word in words if not word.startswith("-")]
        if words[0] in _SHELLS:
            names = names[1:]
            if "-c" in words and names:
                self.follow(commands_of(names[0], command.folder, command.where), depth + 1)
                return
        path = join(command.folder, names[0]) if names else ""
        text = self.project.read(path) if path else None
        if text is None:
            if "test" in path:
                self._say(command, f"{path} is not here to be read")
            return
        if path.endswith(".py"):
            self._say(command, f"{path} is a program of its own")
            return
        self.follow(commands_of(text, command.folder, f"{command.where} > {path}"), depth + 1)

    def _say(self, command: Command, reason: str) -> None:
        found = Unread(where=command.where, reason=f"{' '.join(command.words)}: {reason}")
        if found not in self.unread:
            self.unread.append(found)


def strip_runner(words: Sequence[str]) -> tuple[str, ...]:
    """Return a command without what runs it: variables, `uv run`, `timeout 5`, `coverage run`."""
    rest = list(words)
    while rest:
        name = rest[0].rpartition("/")[2]
        if _ENVIRONMENT.fullmatch(rest[0]):
            rest = rest[1:]
        elif name in _RUNNERS and "run" in rest[1:4]:
            rest = _after_options(rest[rest.index("run") + 1 :])
        elif name in _BEFORE:
            rest = _after_options(rest[1:])
        elif name == "timeout":
            rest = _after_options(rest[1:])[1:]
        else:
            return tuple(rest)
    return ()


def _after_options(words: list[str]) -> list[str]:
    while words and words[0].startswith("-"):
        if words[0] == "--":
            return words[1:]
        words = words[2:] if words[0] in _VALUES else words[1:]
    if words[:1] == ["run"]:  # pipx run pytest
        return words[1:]
    return words


def pytest_arguments(words: Sequence[str]) -> tuple[str, ...] | None:
    """Return the arguments when the command is a pytest; None when it is none."""
    program = words[0].rpartition("/")[2].removesuffix(".exe")
    if program in ("pytest", "py.test") or program.lower() in ("$(pytest)", "$pytest"):
        return tuple(words[1:])
    if program == "hatch" and words[1:2] == ("test",):
        return tuple(words[2:])
    is_python = _PYTHON.fullmatch(words[0]) is not None
    if (is_python or program in ("coverage", "run")) and "-m" in words:
        at = list(words).index("-m")
        if program == "coverage" and words[1:2] != ("run",):
            return None
        if list(words[at + 1 : at + 2]) == ["coverage"] and "run" in words[at:]:
            return pytest_arguments(("coverage", *words[at + 2 :]))
        if list(words[at + 1 : at + 2]) in (["pytest"], ["py.test"]):
            return tuple(words[at + 2 :])
    return None


def why_script(words: Sequence[str]) -> str | None:
    """Return why a script of the project's own, run by `hatch run NAME`, cannot be followed."""
    names = [word.rpartition("/")[2] for word in words if not _ENVIRONMENT.fullmatch(word)]
    is_script = names[:1] and names[0] in _SCRIPTED and "run" in names[1:2]
    if is_script and re.search(r"test|check|cov", " ".join(names[2:4])):
        return f"what {names[0]} runs is not read"
    return None


def why_untold(words: Sequence[str]) -> str | None:
    """Return why a command that may run tests cannot be followed; None when it runs none."""
    program, text = words[0].rpartition("/")[2], " ".join(words)
    if _PYTHON.fullmatch(words[0]):
        if words[1:3] == ("-m", "unittest"):
            return "it runs unittest, not pytest"
        is_program = len(words) > 1 and re.search(r"(?:\b|_)tests?(?:\b|_)", words[1])
        return f"{words[1]} is a program of its own" if is_program else None
    if program in _OTHERS and ("test" in text or "check" in text):
        return f"what {program} runs is not read"
    if program.startswith("$") and "test" in text.lower():
        return "it depends on a variable"
    if program in ("docker", "docker-compose") and "test" in text:
        return "it runs in a container"
    return None
