"""The words of tierwise as frozen values; no I/O and no pytest."""

from importlib import import_module
from typing import TYPE_CHECKING

from tierwise.domain.policy import (
    Allowance as Allowance,
    Tier as Tier,
    Touch as Touch,
    Violation as Violation,
)
from tierwise.domain.words import (
    Capability as Capability,
    Decision as Decision,
    Level as Level,
    Mode as Mode,
    Outcome as Outcome,
    Verdict as Verdict,
)

if TYPE_CHECKING:
    from tierwise.domain.events import (
        EvalJudged as EvalJudged,
        EvalStarted as EvalStarted,
        Event as Event,
        Listener as Listener,
        RunAbandoned as RunAbandoned,
        RunExplained as RunExplained,
        RunHeldUp as RunHeldUp,
        StopRequested as StopRequested,
        TrialEnded as TrialEnded,
        VerdictReached as VerdictReached,
    )
    from tierwise.domain.exchange import (
        Attempt as Attempt,
        Exchange as Exchange,
        Message as Message,
        Role as Role,
        Source as Source,
        ToolCall as ToolCall,
        Usage as Usage,
    )
    from tierwise.domain.judgement import (
        CaseRate as CaseRate,
        Claim as Claim,
        EvalSummary as EvalSummary,
        Judgement as Judgement,
    )
    from tierwise.domain.provenance import Reused as Reused, Spending as Spending

__all__ = [
    "Allowance",
    "Attempt",
    "Capability",
    "CaseRate",
    "Claim",
    "Decision",
    "EvalJudged",
    "EvalStarted",
    "EvalSummary",
    "Event",
    "Exchange",
    "Judgement",
    "Level",
    "Listener",
    "Message",
    "Mode",
    "Outcome",
    "Reused",
    "Role",
    "RunAbandoned",
    "RunExplained",
    "RunHeldUp",
    "Source",
    "Spending",
    "StopRequested",
    "Tier",
    "ToolCall",
    "Touch",
    "TrialEnded",
    "Usage",
    "Verdict",
    "VerdictReached",
    "Violation",
]

_OF_EVALS = ("exchange", "judgement", "events", "provenance")

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load what evals alone speak of when it is asked for; a suite of tests starts without."""
        for module in _OF_EVALS if name in __all__ else ():
            found = vars(import_module(f"{__name__}.{module}"))
            if name in found:
                return found[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
