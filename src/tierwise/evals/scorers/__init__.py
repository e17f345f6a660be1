"""Score a reply: small functions that say yes, no and why, and raise where they cannot tell."""

from tierwise.evals.json_text import Extraction as Extraction
from tierwise.evals.scored import Scored as Scored
from tierwise.evals.scorers.folding import Ignorable as Ignorable
from tierwise.evals.scorers.leaking import leaks as leaks
from tierwise.evals.scorers.measures import (
    cost_usd as cost_usd,
    latency_s as latency_s,
)
from tierwise.evals.scorers.number_text import DecimalMark as DecimalMark
from tierwise.evals.scorers.numbers import (
    Take as Take,
    close_to as close_to,
)
from tierwise.evals.scorers.reading import Text as Text
from tierwise.evals.scorers.schemas import (
    follows_schema as follows_schema,
    is_json as is_json,
)
from tierwise.evals.scorers.texts import (
    contains as contains,
    contains_any as contains_any,
    contains_none as contains_none,
    exact as exact,
    matches as matches,
)
from tierwise.evals.scorers.tool_calls import Calls as Calls
from tierwise.evals.scorers.tools import (
    called as called,
    called_in_order as called_in_order,
    called_none as called_none,
)
from tierwise.evals.scorers.trajectory import (
    Order as Order,
    Step as Step,
    follows_trajectory as follows_trajectory,
    trajectory_share as trajectory_share,
)

__all__ = [
    "Calls",
    "DecimalMark",
    "Extraction",
    "Ignorable",
    "Order",
    "Scored",
    "Step",
    "Take",
    "Text",
    "called",
    "called_in_order",
    "called_none",
    "close_to",
    "contains",
    "contains_any",
    "contains_none",
    "cost_usd",
    "exact",
    "follows_schema",
    "follows_trajectory",
    "is_json",
    "latency_s",
    "leaks",
    "matches",
    "trajectory_share",
]
