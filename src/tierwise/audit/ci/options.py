"""The arguments of one pytest command: which paths, marks and words it selects by."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tierwise.audit.ci.project import join
from tierwise.audit.ci.values import Command, Invocation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.audit.ci.project import Project

_WITH_VALUE = frozenset(
    (
        *("-c", "-k", "-m", "-n", "-o", "-p", "-W", "-r", "--rootdir", "--tb", "--maxfail"),
        *("--durations", "--durations-min", "--junitxml", "--junit-xml", "--color", "--ignore"),
        *("--ignore-glob", "--deselect", "--confcutdir", "--basetemp", "--import-mode", "--dist"),
        *("--numprocesses", "--cov-report", "--cov-config", "--cov-fail-under", "--timeout"),
        *("--log-level", "--log-cli-level", "--log-file", "--override-ini", "--pythonwarnings"),
        *("--reruns", "--reruns-delay", "--splits", "--group", "--html", "--capture", "--tx"),
        *(
            "--cov",
            "--doctest-glob",
            "--rsyncdir",
            "--snapshot-dirs",
            "--randomly-seed",
            "--browser",
        ),
        *("--maxprocesses", "--max-worker-restart", "--tier", "--tierwise-mode", "--order-seed"),
    )
)
_SHORT_GLUED = re.compile(r"-([kmnopWcr])(.+)")
_UNTOLD = re.compile(r"\$|`|\{")


@dataclass(slots=True)
class _Read:
    paths: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    deselected: list[str] = field(default_factory=list)
    keyword: str = ""
    marks: str | None = None
    unknown: str = ""

    def take(self, name: str, value: str) -> None:
        """Keep what an option with a value says of which tests run."""
        if name == "-k":
            self.keyword = value
        elif name == "-m":
            self.marks = value
        elif name in ("--ignore", "--ignore-glob"):
            self.ignored.append(value)
        elif name == "--deselect":
            self.deselected.append(value)
        elif name == "--tier":
            self.unknown = f"it runs the tier {value} alone"
        if name in ("-k", "-m", "--ignore", "--deselect") and _UNTOLD.search(value):
            self.unknown = f"it depends on a variable: {name} {value}"


def read_pytest(command: Command, arguments: Sequence[str], project: Project) -> Invocation:
    """Return what a pytest with these arguments runs, in the folder of its command."""
    read, words = _Read(), list(arguments)
    while words:
        _read_word(read, words, command.folder, project)
    here = command.folder
    return Invocation(
        where=command.where,
        command=" ".join(command.words),
        folder=here,
        paths=tuple(join(here, path) for path in read.paths),
        keyword=read.keyword,
        marks=read.marks,
        ignored=tuple(join(here, path) for path in read.ignored),
        deselected=tuple(join(here, path) for path in read.deselected),
        unknown=read.unknown,
    )


def _read_word(read: _Read, words: list[str], folder: str, project: Project) -> None:
    word = words.pop(0)
    name, equals, value = word.partition("=")
    glued = _SHORT_GLUED.fullmatch(word)
    if word.startswith("--") and equals:
        read.take(name, value)
    elif word in _WITH_VALUE:
        # `--cov` alone is possible; before another option it has no value.
        has_value = bool(words) and not (word == "--cov" and words[0].startswith("-"))
        read.take(word, words.pop(0) if has_value else "")
    elif glued:
        read.take(f"-{glued.group(1)}", glued.group(2).removeprefix("="))
    elif word.startswith("--"):
        # Another plugin's: what follows is its value, unless it is there to be tested.
        if words and not words[0].startswith("-") and not _is_there(words[0], folder, project):
            value = words.pop(0)
            if _UNTOLD.search(value):
                read.unknown = f"it depends on a variable: {value}"
    elif word.startswith("-"):
        return  # a short one such as -x: those with a value are known
    elif _UNTOLD.search(word):
        read.unknown = f"it depends on a variable: {word}"
    elif not word.startswith((">", "<", "2>", "1>")):
        read.paths += _globbed(word, folder, project)


def _is_there(word: str, folder: str, project: Project) -> bool:
    return project.has(join(folder, word.partition("::")[0]))


def _globbed(word: str, folder: str, project: Project) -> list[str]:
    if not set(word) & set("*?["):
        return [word]
    found = project.find(join(folder, word))
    prefix = f"{folder}/" if folder else ""
    return [path.removeprefix(prefix) for path in found] or [word]
