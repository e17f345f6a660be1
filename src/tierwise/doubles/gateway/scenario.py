"""A scenario as data, turned into the rules that a test would write."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.criteria import Criteria
from tierwise.doubles.gateway.scenario_steps import STEP_KEYS, add_step, place
from tierwise.doubles.gateway.scenario_values import (
    read_account,
    read_latency,
    read_table,
    read_wanted,
)
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from tierwise.doubles.gateway.gateway import Gateway

_CRITERIA = frozenset(field.name for field in fields(Criteria)) - {"predicate"}
_SETTINGS = ("seed", "strict", "hosts")
_KNOWN = frozenset({*_SETTINGS, "account", "latency", "rules"})


def apply_scenario(gateway: Gateway, scenario: object, *, where: str) -> None:
    """Give a gateway the settings and the rules of a scenario.

    Raises `MisuseError` that names the place, and the closest known key for an unknown one.
    """
    table = read_table(scenario, where, _KNOWN)
    rules = table.get("rules", [])
    if not isinstance(rules, list):
        raise MisuseError(f"{where}: rules is {rules!r}; expected a list of rules.")
    settings: dict[str, Any] = {name: table[name] for name in _SETTINGS if name in table}
    if "account" in table:
        settings["account"] = read_account(table["account"], f"{where}: account")
    if "latency" in table:
        settings["latency"] = read_latency(table["latency"], f"{where}: latency")
    gateway.configure(**settings)
    for number, rule in enumerate(rules):
        _add_rule(gateway, rule, f"{where}: rules[{number}]")


def _add_rule(gateway: Gateway, given: object, where: str) -> None:
    table = read_table(given, where, {"when", "optional", "steps", *STEP_KEYS})
    criteria = read_table(table.get("when", {}), f"{where}.when", _CRITERIA)
    step = {name: value for name, value in table.items() if name in STEP_KEYS}
    steps = table.get("steps", [step])
    if "steps" in table and step:
        raise MisuseError(f"{where} has steps and {sorted(step)}; put these into a step.")
    if not isinstance(steps, list) or not steps:
        raise MisuseError(f"{where}.steps is {steps!r}; expected a list of steps.")
    try:
        wanted = {name: read_wanted(value) for name, value in criteria.items()}
        rule = gateway.when(optional=bool(table.get("optional", False)), **wanted)
    except (MisuseError, TypeError, ValueError) as error:
        raise place(error, f"{where}.when") from error
    for number, one in enumerate(steps):
        if number:
            _ = rule.then
        add_step(rule, one, f"{where}.steps[{number}]" if "steps" in table else where)
