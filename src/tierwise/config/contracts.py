"""`[tool.tierwise.contracts]`: how long a proof on the real thing stands."""

from __future__ import annotations

from dataclasses import fields

from tierwise.config.model import ContractsConfig
from tierwise.config.section import Section, check_keys, whole_number


def parse_contracts(section: Section | None) -> ContractsConfig:
    """Return what the table says; None is no table at all."""
    if section is None:
        return ContractsConfig()
    check_keys(section, (field.name for field in fields(ContractsConfig)))
    defaults = ContractsConfig()
    return ContractsConfig(
        max_age_days=whole_number(
            section, "max_age_days", default=defaults.max_age_days, at_least=1
        )
    )
