"""`[tool.tierwise.evals]`: who answers, how many trials at once, and what they may cost."""

from __future__ import annotations

from dataclasses import fields

from tierwise.config.model import EvalsConfig
from tierwise.config.section import (
    Section,
    check_keys,
    flag,
    positive_number,
    table,
    text,
    whole_number,
)


def parse_evals(section: Section | None) -> EvalsConfig:
    """Return what the table says; None is no table at all."""
    if section is None:
        return EvalsConfig()
    check_keys(section, (field.name for field in fields(EvalsConfig)))
    defaults = EvalsConfig()
    prices = table(section, "prices")
    return EvalsConfig(
        provider=text(section, "provider") or None,
        concurrency=whole_number(section, "concurrency", default=defaults.concurrency, at_least=1),
        timeout_s=positive_number(section, "timeout_s", default=defaults.timeout_s),
        call_timeout_s=_number(section, "call_timeout_s"),
        retries=_count(section, "retries", at_least=0),
        cache=flag(section, "cache"),
        max_usd=_number(section, "max_usd"),
        max_tokens=_count(section, "max_tokens"),
        max_calls=_count(section, "max_calls"),
        max_seconds=_number(section, "max_seconds"),
        prices={} if prices is None else dict(prices.values),
    )


def _number(section: Section, key: str) -> float | None:
    return positive_number(section, key, default=1.0) if key in section.values else None


def _count(section: Section, key: str, *, at_least: int = 1) -> int | None:
    if key not in section.values:
        return None
    return whole_number(section, key, default=at_least, at_least=at_least)
