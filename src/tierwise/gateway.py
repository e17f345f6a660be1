"""A vendor in a box: OpenAI, Anthropic and Gemini for a test, with no network and no key."""

from tierwise.doubles.gateway.answers import AnswerLike
from tierwise.doubles.gateway.asked import Asked, Endpoint, Turn
from tierwise.doubles.gateway.cassettes import Cassette, read_cassette
from tierwise.doubles.gateway.client_verdicts import (
    ClientVerdict,
    Misbehaviour,
)
from tierwise.doubles.gateway.criteria import Criteria
from tierwise.doubles.gateway.gateway import Gateway
from tierwise.doubles.gateway.journal import Entry, Requests
from tierwise.doubles.gateway.latency import Latency
from tierwise.doubles.gateway.rule import Rule
from tierwise.doubles.gateway.saying import Refusal, Say, Stop
from tierwise.doubles.gateway.scenario_file import load_scenario
from tierwise.doubles.gateway.serving import Server
from tierwise.doubles.gateway.vendor import Account
from tierwise.doubles.gateway.wire import (
    HttpRequest,
    HttpResponse,
)

__all__ = [
    "Account",
    "AnswerLike",
    "Asked",
    "Cassette",
    "ClientVerdict",
    "Criteria",
    "Endpoint",
    "Entry",
    "Gateway",
    "HttpRequest",
    "HttpResponse",
    "Latency",
    "Misbehaviour",
    "Refusal",
    "Requests",
    "Rule",
    "Say",
    "Server",
    "Stop",
    "Turn",
    "load_scenario",
    "read_cassette",
]
