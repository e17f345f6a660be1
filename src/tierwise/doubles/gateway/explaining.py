"""Why no rule is for a request: the nearest one, and what is in its way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain.masking import mask_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.journal import Entry
    from tierwise.doubles.gateway.rule import Rule

_LONGEST = 80


def explain_unmatched(rules: Sequence[Rule], asked: Asked, call: int) -> str:
    """Return what to tell whoever made a request that no rule is for."""
    said = asked.last_user
    said = f"{said[:_LONGEST]}..." if len(said) > _LONGEST else said
    head = (
        f"The gateway has no rule for this request to {asked.vendor} "
        f"({asked.endpoint}, model {asked.model!r}, last_user {said!r})."
    )
    if not rules:
        return mask_keys(f"{head} It has no rules at all; add gateway.when(...).say(...).")
    rule = min(rules, key=lambda r: (len(r.find_mismatches(asked, call)), r.index))
    reasons = rule.find_mismatches(asked, call)
    if not reasons:
        reasons = (f"it is used up, all {rule.limit} answer(s) were given",)
    return mask_keys(f"{head} The nearest is {rule}: {'; '.join(reasons)}.")


_UNKNOWN_MODEL = frozenset({"unknown_model", "model-known", "model_unknown"})
"""The vendors' rules that a model exists."""


def explain_unknown_model(entries: Iterable[Entry]) -> str:
    """Return how a model is made known, where a request was refused for one; empty elsewhere."""
    numbers = [str(entry.number) for entry in entries if entry.refused in _UNKNOWN_MODEL]
    if not numbers:
        return ""
    return (
        f" The model of request {numbers[0]} is not known to the vendor; one that exists all the "
        "same is told by gateway.configure(account=Account(models=...))."
    )
