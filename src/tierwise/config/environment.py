"""`[tool.tierwise.environment]` and `[tool.tierwise.exit]`: what surrounds a session of tests."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, cast

from tierwise.config.model import EnvironmentConfig, ExitConfig, ProxyUse, WhoseHome
from tierwise.config.section import Section, check_keys, choice, flag, positive_number, texts

if TYPE_CHECKING:
    from collections.abc import Sequence


def parse_environment(section: Section | None) -> EnvironmentConfig:
    """Return what the table says; None is no table at all."""
    if section is None:
        return EnvironmentConfig()
    check_keys(section, (field.name for field in fields(EnvironmentConfig)))
    defaults = EnvironmentConfig()
    keep = texts(section, "keep")
    _check_keep(section, keep)
    proxies = choice(section, "proxies", ("removed", "kept"), default=defaults.proxies)
    home = choice(section, "home", ("temporary", "kept"), default=defaults.home)
    return EnvironmentConfig(
        fake_keys=flag(section, "fake_keys", default=defaults.fake_keys),
        proxies=cast("ProxyUse", proxies),
        home=cast("WhoseHome", home),
        keep=keep,
    )


def parse_exit(section: Section | None) -> ExitConfig:
    """Return what the table says; None is no table at all."""
    if section is None:
        return ExitConfig()
    check_keys(section, (field.name for field in fields(ExitConfig)))
    defaults = ExitConfig()
    return ExitConfig(
        tell=flag(section, "tell", default=defaults.tell),
        patience_s=positive_number(section, "patience_s", default=defaults.patience_s),
    )


def _check_keep(section: Section, keep: Sequence[str]) -> None:
    for name in keep:
        if not name.strip() or "=" in name or "\0" in name:
            raise section.refuse(
                f"keep holds {name.partition('=')[0]!r}, expected names of variables alone, such "
                'as keep = ["OPENAI_API_KEY", "AWS_*"].'
            )
        if "/" in name:
            raise section.refuse(
                f"keep holds {name!r}, which is a path; expected names of variables. A cache "
                "below the home folder is kept by the variable of the tool it belongs to."
            )
