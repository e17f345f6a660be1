"""A vendor in a box: OpenAI, Anthropic and Gemini on the wire, refusals included."""

from tierwise.doubles.gateway.asked import Asked as Asked, Endpoint as Endpoint, Turn as Turn
from tierwise.doubles.gateway.criteria import Criteria as Criteria
from tierwise.doubles.gateway.gateway import Gateway as Gateway
from tierwise.doubles.gateway.journal import Entry as Entry, Requests as Requests
from tierwise.doubles.gateway.rule import Rule as Rule
from tierwise.doubles.gateway.saying import Refusal as Refusal, Say as Say, Stop as Stop
from tierwise.doubles.gateway.vendor import Account as Account
from tierwise.doubles.gateway.wire import (
    HttpRequest as HttpRequest,
    HttpResponse as HttpResponse,
)

__all__ = [
    "Account",
    "Asked",
    "Criteria",
    "Endpoint",
    "Entry",
    "Gateway",
    "HttpRequest",
    "HttpResponse",
    "Refusal",
    "Requests",
    "Rule",
    "Say",
    "Stop",
    "Turn",
]
