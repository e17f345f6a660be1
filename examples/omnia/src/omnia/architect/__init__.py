"""The referee: sees everything, decides what comes true, and keeps its reasons to itself."""

from omnia.architect.alias_prompt import build_alias_prompt as build_alias_prompt
from omnia.architect.architect import Architect as Architect, Commit as Commit, Ruling as Ruling
from omnia.architect.delta import (
    MAX_MINUTES as MAX_MINUTES,
    Delta as Delta,
    FactChange as FactChange,
    Rejected as Rejected,
    apply_delta as apply_delta,
)
from omnia.architect.easy import EasyReferee as EasyReferee, Referee as Referee
from omnia.architect.naming import (
    AliasAnswer as AliasAnswer,
    find_alias_problem as find_alias_problem,
    name_stranger as name_stranger,
)
from omnia.architect.prompts import (
    build_delta_prompt as build_delta_prompt,
    build_validator_prompt as build_validator_prompt,
)
from omnia.architect.reasons import (
    Cause as Cause,
    Judgement as Judgement,
    ShowReason as ShowReason,
    show_cause as show_cause,
    show_raw_reason as show_raw_reason,
)

__all__ = [
    "MAX_MINUTES",
    "AliasAnswer",
    "Architect",
    "Cause",
    "Commit",
    "Delta",
    "EasyReferee",
    "FactChange",
    "Judgement",
    "Referee",
    "Rejected",
    "Ruling",
    "ShowReason",
    "apply_delta",
    "build_alias_prompt",
    "build_delta_prompt",
    "build_validator_prompt",
    "find_alias_problem",
    "name_stranger",
    "show_cause",
    "show_raw_reason",
]
