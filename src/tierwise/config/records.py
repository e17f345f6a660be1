"""`[tool.tierwise.records]`, `.map` and `.requirements`: what is kept, and what is asked of it."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from tierwise.config.model import MapConfig, RecordsConfig, RequirementsConfig
from tierwise.config.section import Section, check_keys, flag, table, text, texts, whole_number
from tierwise.domain import Level
from tierwise.errors import suggest

if TYPE_CHECKING:
    from collections.abc import Mapping


def parse_records(section: Section | None) -> RecordsConfig:
    """Return what the table says; None is no table at all."""
    if section is None:
        return RecordsConfig()
    check_keys(section, (field.name for field in fields(RecordsConfig)))
    return RecordsConfig(
        keep_days=_count(section, "keep_days"),
        keep_runs=_count(section, "keep_runs"),
        keep=texts(section, "keep"),
        network_drive=flag(section, "network_drive"),
    )


def parse_map(section: Section | None) -> MapConfig:
    """Return what the table says; None is no table at all."""
    if section is None:
        return MapConfig()
    check_keys(section, (field.name for field in fields(MapConfig)))
    commands = table(section, "commands")
    baseline = text(section, "baseline", MapConfig().baseline)
    if not baseline.strip():
        raise section.refuse("baseline is empty, expected the path of a file.")
    return MapConfig(baseline=baseline, commands=_commands(commands) if commands else {})


def parse_requirements(section: Section | None) -> RequirementsConfig:
    """Return what the table says; None is no table at all."""
    if section is None:
        return RequirementsConfig()
    check_keys(section, (field.name for field in fields(RequirementsConfig)))
    return RequirementsConfig(file=text(section, "file"))


def _count(section: Section, key: str) -> int | None:
    return whole_number(section, key, default=1, at_least=1) if key in section.values else None


def _commands(section: Section) -> Mapping[Level, tuple[str, ...]]:
    names = [str(level) for level in Level]
    for name in section.values:
        if name not in names:
            raise section.refuse(f"there is no level {name!r}.{suggest(name, names)}")
    found = {Level(name): texts(section, name) for name in section.values}
    for level, commands in found.items():
        if not all(command.strip() for command in commands) or not commands:
            raise section.refuse(f'{level} names no command: {level} = ["ruff check ."].')
    return found
