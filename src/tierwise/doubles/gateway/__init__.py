"""A vendor in a box: OpenAI, Anthropic and Gemini on the wire, refusals included.

Tests import from `tierwise.gateway`; what only a vendor of one's own needs is here too.
"""

from tierwise.doubles.gateway.answers import (
    AnswerLike as AnswerLike,
)
from tierwise.doubles.gateway.asked import (
    Asked as Asked,
    Endpoint as Endpoint,
    Turn as Turn,
)
from tierwise.doubles.gateway.client_verdicts import (
    ClientVerdict as ClientVerdict,
    Misbehaviour as Misbehaviour,
)
from tierwise.doubles.gateway.criteria import (
    Criteria as Criteria,
)
from tierwise.doubles.gateway.gateway import (
    Gateway as Gateway,
)
from tierwise.doubles.gateway.journal import (
    Entry as Entry,
    Requests as Requests,
)
from tierwise.doubles.gateway.latency import (
    Latency as Latency,
)
from tierwise.doubles.gateway.rule import (
    Rule as Rule,
)
from tierwise.doubles.gateway.saying import (
    Ground as Ground,
    Refusal as Refusal,
    Say as Say,
    Stop as Stop,
)
from tierwise.doubles.gateway.scenario_file import (
    load_scenario as load_scenario,
)
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
