"""What a target of a Makefile runs."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tierwise.audit.ci.project import join
from tierwise.audit.ci.shell import commands_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tierwise.audit.ci.project import Project
    from tierwise.audit.ci.values import Command

NAMES = ("GNUmakefile", "makefile", "Makefile")
_RULE = re.compile(r"^([^\s#:=][^:=#]*)::?(?!=)\s*([^#;]*)(?:;(.*))?")
_SETTING = re.compile(r"^(?:export\s+|override\s+)?([\w.-]+)\s*(?:\?|:{1,3}|\+|!)?=\s*(.*)$")
_USE = re.compile(r"\$\((\w[\w.-]*)\)|\$\{(\w[\w.-]*)\}")
_DEEPEST = 20


@dataclass(slots=True)
class Rules:
    """The rules and variables of one file."""

    recipes: dict[str, list[str]] = field(default_factory=dict)
    needs: dict[str, list[str]] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    first: str = ""


def commands_of_call(
    command: Command, words: Sequence[str], project: Project
) -> Iterator[Command]:
    """Yield what `make TARGET...` runs; LookupError when it cannot be told."""
    folder, targets, given = _read_call(command.folder, words)
    path = next((p for name in NAMES if project.has(p := join(folder, name))), "")
    text = project.read(path) if path else None
    if text is None:
        raise LookupError(f"there is no Makefile in {folder or 'the project'}")
    rules = parse_makefile(text)
    rules.variables |= given
    for target in targets or [rules.first]:
        if target not in rules.recipes:
            raise LookupError(f"{path} has no target {target!r}")
        where = f"{command.where} > {path}: {target}"
        for line in lines_of(rules, target):
            yield from commands_of(line, folder, where)


def _read_call(folder: str, words: Sequence[str]) -> tuple[str, list[str], dict[str, str]]:
    targets: list[str] = []
    given: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in ("-C", "--directory") and rest:
            folder = join(folder, rest.pop(0))
        elif word.startswith("--directory="):
            folder = join(folder, word.partition("=")[2])
        elif word in ("-f", "-j", "-l", "-o") and rest:
            if word != "-j" or rest[0].isdigit():
                rest.pop(0)
        elif "=" in word and not word.startswith("-"):
            name, _, value = word.partition("=")
            given[name] = value
        elif not word.startswith("-"):
            targets.append(word)
    return folder, targets, given


def parse_makefile(text: str) -> Rules:
    """Return the rules of a Makefile."""
    rules, current = Rules(), ()  # type: tuple[Rules, tuple[str, ...]]
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("\t"):
            for target in current:
                rules.recipes[target].append(line.strip())
            continue
        setting, rule = _SETTING.match(line), _RULE.match(line)
        if setting:
            rules.variables[setting.group(1)] = setting.group(2).split(" #")[0].strip()
            current = ()
        elif rule and not line.startswith(" "):
            current = _add_rule(rules, rule)
    return rules


def _add_rule(rules: Rules, rule: re.Match[str]) -> tuple[str, ...]:
    targets = tuple(expand(rule.group(1), rules.variables).split())
    needs = expand(rule.group(2), rules.variables).split()
    for target in targets:
        if not rules.first and not target.startswith("."):
            rules.first = target
        if target == ".DEFAULT_GOAL":
            continue
        rules.recipes.setdefault(target, [])
        rules.needs.setdefault(target, []).extend(needs)
        if rule.group(3):
            rules.recipes[target].append(rule.group(3).strip())
    return targets


def lines_of(rules: Rules, target: str) -> list[str]:
    """Return the shell lines of a target and of all that it needs, each target once."""
    seen: set[str] = set()
    lines: list[str] = []

    def add(name: str) -> None:
        if name in seen or name not in rules.recipes:
            return
        seen.add(name)
        for needed in rules.needs[name]:
            add(needed)
        lines.extend(_shell_line(line, rules.variables) for line in rules.recipes[name])

    add(target)
    return lines


def _shell_line(line: str, variables: Mapping[str, str]) -> str:
    bare = line.lstrip("@-+ ")
    bare = re.sub(r"\$\(MAKE\)|\$\{MAKE\}", "make", bare)
    return expand(bare, variables).replace("$$", "$")


def expand(text: str, variables: Mapping[str, str]) -> str:
    """Return the text with the variables that are known put in; others are left."""
    for _ in range(_DEEPEST):
        found = _USE.sub(
            lambda use: variables.get(use.group(1) or use.group(2), use.group(0)), text
        )
        if found == text:
            break
        text = found
    return text
