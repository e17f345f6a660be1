"""Which evals of which runs stand on either side of a comparison."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from tierwise.errors import EvalUsageError, suggest
from tierwise.evals.comparison import Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tierwise.records import PlanRow, RunRow
    from tierwise.records.scores import EvalScores

Pair = tuple[Side, Side]

_TWO = 2


def sides_of(run: RunRow, scores: Iterable[EvalScores]) -> tuple[Side, ...]:
    """Return one side for each provider of a run."""
    evals = tuple(scores)
    labels = label_providers([entry.plan for entry in evals])
    by_label: dict[str, list[EvalScores]] = {}
    for entry, label in zip(evals, labels, strict=True):
        by_label.setdefault(label, []).append(entry)
    return tuple(
        Side(name=label, run=run, evals=tuple(found)) for label, found in by_label.items()
    )


def label_providers(plans: Sequence[PlanRow]) -> tuple[str, ...]:
    """Return the provider of each plan by name, with its options' hash where a name is not enough.

    Two settings of one provider in one run, such as two temperatures, have one name.
    """
    seen = Counter((plan.eval_id, plan.provider) for plan in plans)
    shared = {provider for (_, provider), n in seen.items() if n > 1}
    return tuple(
        f"{plan.provider} ({plan.definition[:6]})" if plan.provider in shared else plan.provider
        for plan in plans
    )


def pair_runs(first: Sequence[Side], second: Sequence[Side], provider: str | None) -> list[Pair]:
    """Pair the sides of two runs: by provider, or the only one of each with that of the other."""
    if provider is not None:
        known = [side.name for side in (*first, *second)]
        first, second = (
            [side for side in sides if side.name == provider] for sides in (first, second)
        )
        if not first or not second:
            raise EvalUsageError(
                f"--provider {provider!r} is not in both runs.{suggest(provider, set(known))}"
            )
    for key in (_name_of, _identify):
        theirs = {key(side): side for side in second}
        common = [(side, theirs[key(side)]) for side in first if key(side) in theirs]
        if common:
            return common
    if len(first) == 1 and len(second) == 1:
        return [(first[0], second[0])]
    names = [", ".join(side.name for side in sides) for sides in (first, second)]
    raise EvalUsageError(
        f"The two runs have no provider in common: A has {names[0]}; B has {names[1]}. "
        "Compare providers within one run: tierwise eval run --provider ... --provider ..."
    )


def _name_of(side: Side) -> str:
    return side.name


def _identify(side: Side) -> str:
    """Return who answered, options and all: a name is longer where a run has two of one name."""
    identities = (entry.plan.detail.get("identity") for entry in side.evals)
    return str(next(filter(None, identities), side.name))


def pair_providers(sides: Sequence[Side]) -> list[Pair]:
    """Pair each provider of a run with each other one that any eval shares with it."""
    return [
        (one, two)
        for one, two in combinations(sides, _TWO)
        if {e.plan.eval_id for e in one.evals} & {e.plan.eval_id for e in two.evals}
    ]


def require_providers(sides: Sequence[Side]) -> list[Pair]:
    """Return the pairs of a run's providers, or refuse a run that has none."""
    found = pair_providers(sides)
    if not found:
        names = ", ".join(side.name for side in sides) or "none"
        raise EvalUsageError(
            f"This run has no two providers of one eval to compare (it has: {names}). Name a "
            "second run, or run with several: tierwise eval run --provider A --provider B"
        )
    return found
