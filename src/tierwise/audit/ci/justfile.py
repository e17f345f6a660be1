"""What a recipe of a justfile runs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tierwise.audit.ci.makefile import Rules, lines_of
from tierwise.audit.ci.project import join
from tierwise.audit.ci.shell import commands_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tierwise.audit.ci.project import Project
    from tierwise.audit.ci.values import Command

NAMES = ("justfile", "Justfile", ".justfile")
_RECIPE = re.compile(r"^@?([A-Za-z_][\w-]*)((?:\s+[^:]*)?):(?!=)\s*(.*)$")
_SETTING = re.compile(r"^(?:export\s+)?([A-Za-z_][\w-]*)\s*:=\s*(.*)$")
_USE = re.compile(r"\{\{\s*([\w-]+)\s*\}\}")
_PARAMETER = re.compile(r"""[*+$]*([A-Za-z_][\w-]*)(?:=('[^']*'|"[^"]*"|\S+))?""")


def commands_of_call(
    command: Command, words: Sequence[str], project: Project
) -> Iterator[Command]:
    """Yield what `just RECIPE...` runs; LookupError when it cannot be told."""
    path = next((p for name in NAMES if project.has(p := join(command.folder, name))), "")
    text = project.read(path) if path else None
    if text is None:
        raise LookupError(f"there is no justfile in {command.folder or 'the project'}")
    rules = parse_justfile(text)
    named = [word for word in words if not word.startswith("-") and "=" not in word]
    target = named[0] if named else rules.first
    if target not in rules.recipes:
        raise LookupError(f"{path} has no recipe {target!r}")
    for line in lines_of(rules, target):
        yield from commands_of(line, command.folder, f"{command.where} > {path}: {target}")


def parse_justfile(text: str) -> Rules:
    """Return the recipes of a justfile, with what is known of variables put in."""
    rules, current = Rules(), ""
    known: dict[str, str] = {}
    for line in text.replace("\\\n", " ").splitlines():
        if line[:1] in (" ", "\t") and current:
            rules.recipes[current].append(_expand(line.strip().lstrip("@-"), known))
            continue
        setting, recipe = _SETTING.match(line), _RECIPE.match(line)
        if setting:
            known[setting.group(1)] = setting.group(2).strip().strip("'\"")
        elif recipe and not line.startswith("#"):
            current = recipe.group(1)
            known |= {
                name: value.strip("'\"")
                for name, value in _PARAMETER.findall(recipe.group(2))
                if value  # without a default it is the caller's
            }
            rules.first = rules.first or current
            rules.recipes[current] = []
            rules.needs[current] = re.findall(r"[A-Za-z_][\w-]*", recipe.group(3).split("#")[0])
    return rules


def _expand(line: str, known: Mapping[str, str]) -> str:
    return _USE.sub(lambda use: known.get(use.group(1), use.group(0)), line)
