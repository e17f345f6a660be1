"""Cases whose content cannot be read: said before they run, since they are never reused."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierwise.evals.plan import Plan

_NAMED = 3


def say_unreadable(plan: Plan) -> str:
    """Return how many cases run each time, why, and what helps; empty when all can be read."""
    hidden = [planned.case for planned in plan.cases if planned.case.unreadable]
    if not hidden:
        return ""
    kinds = sorted({kind for case in hidden for kind in case.unreadable})
    more = f" and {len(kinds) - _NAMED} more kinds" if len(kinds) > _NAMED else ""
    n = len(hidden)
    return (
        f"{n} case{'s' if n > 1 else ''} of {plan.eval_id} cannot be read whole "
        f"({', '.join(kinds[:_NAMED])}{more}), so nobody can tell whether "
        f"{'they were' if n > 1 else 'it was'} edited: "
        f"{'they run' if n > 1 else 'it runs'} each time and nothing of "
        f"{'them' if n > 1 else 'it'} is reused. Hold data in a case (a dict, a dataclass, a "
        "pydantic model), and make what cannot be read in the body"
    )
