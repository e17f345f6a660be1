"""One vendor, two planes, four protocols: what a request needs is decided by the catalogue."""

from zen.catalogue import (
    Catalogue as Catalogue,
    Plane as Plane,
    Row as Row,
    load_catalogue as load_catalogue,
    read_payload as read_payload,
    read_row as read_row,
)
from zen.client import Client as Client, Reply as Reply, ZenError as ZenError
from zen.costs import cost_of_turn as cost_of_turn
from zen.planning import Plan as Plan, plan_request as plan_request
from zen.protocols import Protocol as Protocol, Usage as Usage

__all__ = [
    "Catalogue",
    "Client",
    "Plan",
    "Plane",
    "Protocol",
    "Reply",
    "Row",
    "Usage",
    "ZenError",
    "cost_of_turn",
    "load_catalogue",
    "plan_request",
    "read_payload",
    "read_row",
]
