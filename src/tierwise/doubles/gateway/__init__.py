"""A vendor in a box: OpenAI, Anthropic and Gemini on the wire, refusals included."""

from tierwise.doubles.gateway.answers import (
    AnswerFunction as AnswerFunction,
    AnswerLike as AnswerLike,
)
from tierwise.doubles.gateway.asked import Asked as Asked, Endpoint as Endpoint, Turn as Turn
from tierwise.doubles.gateway.client_verdicts import (
    ClientVerdict as ClientVerdict,
    Misbehaviour as Misbehaviour,
)
from tierwise.doubles.gateway.criteria import Criteria as Criteria
from tierwise.doubles.gateway.gateway import Gateway as Gateway
from tierwise.doubles.gateway.journal import (
    Entry as Entry,
    Progress as Progress,
    Requests as Requests,
)
from tierwise.doubles.gateway.latency import Latency as Latency, Seconds as Seconds
from tierwise.doubles.gateway.rule import Rule as Rule
from tierwise.doubles.gateway.saying import (
    Ground as Ground,
    Refusal as Refusal,
    Say as Say,
    Stop as Stop,
)
from tierwise.doubles.gateway.scenario_file import load_scenario as load_scenario
from tierwise.doubles.gateway.vendor import (
    Account as Account,
    Moment as Moment,
    RequestRule as RequestRule,
    Vendor as Vendor,
)
from tierwise.doubles.gateway.wire import (
    Chunk as Chunk,
    Ending as Ending,
    HttpRequest as HttpRequest,
    HttpResponse as HttpResponse,
)

__all__ = [
    "Account",
    "AnswerFunction",
    "AnswerLike",
    "Asked",
    "Chunk",
    "ClientVerdict",
    "Criteria",
    "Ending",
    "Endpoint",
    "Entry",
    "Gateway",
    "Ground",
    "HttpRequest",
    "HttpResponse",
    "Latency",
    "Misbehaviour",
    "Moment",
    "Progress",
    "Refusal",
    "RequestRule",
    "Requests",
    "Rule",
    "Say",
    "Seconds",
    "Stop",
    "Turn",
    "Vendor",
    "load_scenario",
]
