"""What an environment of tox runs."""

from __future__ import annotations

import configparser
import re
import shlex
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.audit.ci.project import join
from tierwise.audit.ci.shell import commands_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from tierwise.audit.ci.project import Project
    from tierwise.audit.ci.values import Command

_POSARGS = re.compile(r"\{posargs(?::((?:[^{}]|\{[^{}]*\})*))?\}")
_FACTOR = re.compile(r"^[\w.!,{}*-]+:\s+")
_BASE = "testenv"
_HERE = re.compile(r"\{(?:tox_root|toxinidir)\}/?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """One environment: its lines, and the folder that they run in."""

    lines: tuple[str, ...]
    folder: str = ""


def commands_of_call(
    command: Command, words: Sequence[str], project: Project
) -> Iterator[Command]:
    """Yield what `tox -e NAME` runs; LookupError when it cannot be told."""
    path, environments, default = read_tox(command.folder, project)
    names, given = _read_call(words)
    for name in names or default or [_BASE]:
        if "$" in name:
            raise LookupError(f"which environment it runs depends on a variable: {name}")
        found = environments.get(name, environments.get(_BASE))
        if found is None:
            raise LookupError(f"{path} has no environment {name!r}")
        where = f"{command.where} > {path}: {name}"
        folder = join(command.folder, found.folder)
        for line in found.lines:
            bare = _HERE.sub("", _put_arguments(line, given))
            yield from commands_of(bare.removeprefix("- ").removeprefix("-"), folder, where)


def _read_call(words: Sequence[str]) -> tuple[list[str], list[str]]:
    rest = list(words)
    given: list[str] = []
    if "--" in rest:
        at = rest.index("--")
        rest, given = rest[:at], rest[at + 1 :]
    names: list[str] = []
    while rest:
        word = rest.pop(0)
        if word in ("-e", "--env") and rest:
            names += rest.pop(0).split(",")
        elif word.startswith("-e") and len(word) > len("-e"):
            names += word.removeprefix("-e").lstrip("=").split(",")
    return names, given


def _put_arguments(line: str, given: Sequence[str]) -> str:
    put = shlex.join(given)
    return _POSARGS.sub(lambda found: put or found.group(1) or "", line)


def read_tox(folder: str, project: Project) -> tuple[str, dict[str, Environment], list[str]]:
    """Return the file, its environments, and those that a bare tox runs."""
    for name, read in (
        ("tox.ini", _read_ini),
        ("tox.toml", _read_toml),
        ("pyproject.toml", _read_pyproject),
        ("setup.cfg", _read_ini),
    ):
        text = project.read(join(folder, name))
        found = read(text) if text is not None else None
        if found is not None and found[0]:
            return join(folder, name), *found
    raise LookupError(f"there is no configuration of tox in {folder or 'the project'}")


def _read_ini(text: str) -> tuple[dict[str, Environment], list[str]] | None:
    parser = configparser.RawConfigParser(strict=False, comment_prefixes=("#", ";"))
    try:
        parser.read_string(text)
    except configparser.Error:
        return None
    base = dict(parser["testenv"]) if parser.has_section("testenv") else {}
    found = {_BASE: _environment_of(base)} if base else {}
    for section in parser.sections():
        for name in expand_names(section.removeprefix("testenv:")):
            if section.startswith("testenv:"):
                found[name] = _environment_of({**base, **dict(parser[section])})
    top = dict(parser["tox"]) if parser.has_section("tox") else {}
    listed = top.get("env_list") or top.get("envlist") or ""
    return found, expand_names(listed)


def _environment_of(section: Mapping[str, str]) -> Environment:
    text = section.get("commands", "").replace("\\\n", " ")
    lines = (_FACTOR.sub("", line.strip()) for line in text.splitlines() if line.strip())
    folder = section.get("change_dir") or section.get("changedir") or ""
    return Environment(lines=tuple(lines), folder=_HERE.sub("", folder))


def expand_names(text: str) -> list[str]:
    """Return the names in a list such as `py{311,312}, lint`."""
    names: list[str] = []
    for entry in re.split(r"[,\n\s](?![^{]*\})", text):
        names += _expand_braces(entry.strip())
    return [name for name in names if name]


def _expand_braces(text: str) -> list[str]:
    found = re.search(r"\{([^{}]*)\}", text)
    if found is None:
        return [text]
    parts = (
        text[: found.start()] + one.strip() + text[found.end() :]
        for one in found.group(1).split(",")
    )
    return [name for part in parts for name in _expand_braces(part)]


def _read_pyproject(text: str) -> tuple[dict[str, Environment], list[str]] | None:
    table = _load(text).get("tool", {}).get("tox")
    if table is None:
        return None
    if "legacy_tox_ini" in table:
        return _read_ini(str(table["legacy_tox_ini"]))
    return _read_table(table)


def _read_toml(text: str) -> tuple[dict[str, Environment], list[str]] | None:
    return _read_table(_load(text))


def _load(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _read_table(table: Mapping[str, Any]) -> tuple[dict[str, Environment], list[str]]:
    base = table.get("env_run_base", {})
    found = {_BASE: _environment_of_table(base)} if base else {}
    for name, entry in table.get("env", {}).items():
        found[name] = _environment_of_table({**base, **entry})
    return found, [str(name) for name in table.get("env_list", ())]


def _environment_of_table(table: Mapping[str, Any]) -> Environment:
    lines = (" ".join(_word_of(word) for word in words) for words in table.get("commands", ()))
    return Environment(lines=tuple(lines), folder=str(table.get("change_dir", "")))


def _word_of(word: Any) -> str:  # noqa: ANN401  what a TOML file holds
    if isinstance(word, dict):  # { replace = "posargs", default = [...] }
        return "{posargs:" + shlex.join(str(one) for one in word.get("default", ())) + "}"
    return shlex.quote(str(word)) if not str(word).startswith("{") else str(word)
