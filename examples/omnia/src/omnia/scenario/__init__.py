"""Beginnings of stories, as JSON files."""

from omnia.scenario.build import (
    Scenario as Scenario,
    ScenarioError as ScenarioError,
    read_scenario as read_scenario,
)
from omnia.scenario.packaged import (
    list_packaged as list_packaged,
    read_packaged as read_packaged,
)

__all__ = ["Scenario", "ScenarioError", "list_packaged", "read_packaged", "read_scenario"]
