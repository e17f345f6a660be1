"""A plan is fixed before its first trial: cases, trials, expectations, provider, seeds."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.evals.cases import Case, canonical, hash_content
from tierwise.records import Arm  # noqa: TC001  part of a public value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tierwise.evals.declaration import Control, EvalDeclaration
    from tierwise.evals.expectations import Expectation

_SEEDS = 2**31  # what every provider takes, llama.cpp's 32 bits included


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCase:
    """One case in one arm, with how often it runs; `metric` is set in a control's arm."""

    case: Case
    arm: Arm
    trials: int
    metric: str = ""

    @property
    def label(self) -> str:
        """The id under which trials are kept: a control's cases may repeat the eval's own."""
        return f"{self.metric}: {self.case.id}" if self.arm == "control" else self.case.id


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTrial:
    """One run of one case; `index` counts from 0, `key` names the content that runs."""

    planned: PlannedCase
    index: int
    key: str
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One eval's plan; equal content has an equal `hash`, whatever machine made it."""

    eval_id: str
    tier: str | None
    expectations: tuple[Expectation, ...]
    controls: tuple[Control, ...]
    cases: tuple[PlannedCase, ...]
    trials: int
    provider: str
    definition: str
    """Hash of what a trial depends on besides case and index: the eval's code, the provider."""
    seeding: str
    """Hash that seeds follow from: the provider's options are not in it."""
    hash: str

    @property
    def n_planned(self) -> int:
        """How many trials the claims rest on; the control's are not among them."""
        return sum(planned.trials for planned in self.cases if planned.arm == "trial")

    @property
    def n_to_run(self) -> int:
        """How many trials run, the control's included."""
        return sum(planned.trials for planned in self.cases)


def make_plan(
    declaration: EvalDeclaration,
    *,
    eval_id: str,
    tier: str | None,
    source: str,
    provider: str,
    identity: str = "",
    trials: int | None = None,
) -> Plan:
    """Fix a plan; `trials` overrides what the declaration says, for the controls too.

    `provider` is the name to show, `identity` what else tells it from others: its options.
    """
    # Two settings of one provider get the same seeds, so that what differs is theirs.
    seeding = hash_content(eval_id, source, provider)
    definition = hash_content(seeding, identity)
    cases = (*_plan_controls(declaration, trials), *_plan_cases(declaration, trials))
    return Plan(
        eval_id=eval_id,
        tier=tier,
        expectations=declaration.expectations,
        controls=declaration.controls,
        cases=cases,
        trials=trials or declaration.trials,
        provider=provider,
        definition=definition,
        seeding=seeding,
        hash=hash_content(
            definition,
            [canonical(entry) for entry in declaration.expectations],
            [canonical(control.expectation) for control in declaration.controls],
            [[entry.arm, entry.label, entry.case.content, entry.trials] for entry in cases],
        ),
    )


def make_dry_plan(declaration: EvalDeclaration, *, eval_id: str, tier: str | None) -> Plan:
    """Fix the plan of a dry run: one trial of the first case and one of each control."""
    cases = (
        *(
            PlannedCase(case=control.cases[0], arm="control", trials=1, metric=control.metric)
            for control in declaration.controls
        ),
        PlannedCase(case=declaration.cases[0], arm="trial", trials=1),
    )
    definition = hash_content("dry run", eval_id)
    return Plan(
        eval_id=eval_id,
        tier=tier,
        expectations=declaration.expectations,
        controls=(),
        cases=cases,
        trials=1,
        provider="schema",
        definition=definition,
        seeding=definition,
        hash=definition,
    )


def trials_of(plan: Plan) -> Iterator[PlannedTrial]:
    """Yield the trials of a plan, one of each case before the second of any.

    A run that is cut short has then seen all cases alike.
    """
    for index in range(max(planned.trials for planned in plan.cases)):
        for planned in plan.cases:
            if index < planned.trials:
                yield _plan_trial(plan, planned, index)


def read_source(function: Callable[..., object]) -> str:
    """Return the function's source text, or its bytecode in hex where there is no source."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        code = getattr(function, "__code__", None)
        return "" if code is None else f"{code.co_code.hex()} {code.co_consts!r}"


def _plan_trial(plan: Plan, planned: PlannedCase, index: int) -> PlannedTrial:
    content = (planned.arm, planned.label, planned.case.content, index)
    seed = int(hash_content(plan.seeding, *content)[:16], 16) % _SEEDS
    key = hash_content(plan.definition, *content)
    return PlannedTrial(planned=planned, index=index, key=key, seed=seed)


def _plan_cases(declaration: EvalDeclaration, trials: int | None) -> tuple[PlannedCase, ...]:
    return tuple(
        PlannedCase(case=case, arm="trial", trials=trials or declaration.trials)
        for case in declaration.cases
    )


def _plan_controls(declaration: EvalDeclaration, trials: int | None) -> tuple[PlannedCase, ...]:
    return tuple(
        PlannedCase(
            case=case,
            arm="control",
            trials=trials or control.trials or declaration.trials,
            metric=control.metric,
        )
        for control in declaration.controls
        for case in control.cases
    )
