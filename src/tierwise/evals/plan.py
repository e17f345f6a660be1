"""A plan is fixed before its first trial: cases, trials, expectations, provider, seeds."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tierwise.domain.masking import Masker
from tierwise.errors import EvalUsageError
from tierwise.evals.cases import Case, canonical, hash_content, hash_rows
from tierwise.evals.copying import copy_case, is_immutable
from tierwise.evals.declaration import refuse_too_few_trials
from tierwise.evals.stopping_rules import FIXED, StoppingRule
from tierwise.records import Arm  # noqa: TC001  part of a public value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tierwise.evals.declaration import Control, EvalDeclaration
    from tierwise.evals.expectations import Expectation


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCase:
    """One case in one arm, with how often it runs; `metric` is set in a control's arm."""

    case: Case
    arm: Arm
    trials: int
    metric: str = ""
    label: str = field(init=False)
    """The id under which trials are kept: a control's cases may repeat the eval's own."""
    _is_shared: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        is_control = self.arm == "control"
        label = f"{self.metric}: {self.case.id}" if is_control else self.case.id
        # Records mask what looks like a key: under that name a trial is found again.
        object.__setattr__(self, "label", Masker().name(label))
        object.__setattr__(self, "_is_shared", is_immutable(self.case.value))

    def take_value(self) -> Any:  # noqa: ANN401  a user's own value
        """Return the case for one trial: a copy of its own where a trial could change it."""
        return self.case.value if self._is_shared else copy_case(self.case.value, self.label)


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
    identity: str
    """What tells the provider from all others: its options, its version."""
    stop: StoppingRule
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
    label: str = "",
    trials: int | None = None,
) -> Plan:
    """Fix a plan; `trials` overrides what the declaration says, for the controls too.

    `provider` is a name, `identity` what else tells it from others: its options. `label` is
    shown in place of the name where several in one run have the same.
    """
    refuse_too_few_trials(declaration.expectations, trials or declaration.trials)
    # Two settings of one provider get the same seeds, so that what differs is theirs.
    seeding = hash_content(eval_id, source, provider)
    definition = hash_content(seeding, identity)
    cases = (*_plan_controls(declaration, trials), *_plan_cases(declaration, trials))
    _refuse_shared_labels(cases)
    return Plan(
        eval_id=eval_id,
        tier=tier,
        expectations=declaration.expectations,
        controls=declaration.controls,
        cases=cases,
        trials=trials or declaration.trials,
        provider=label or provider,
        identity=identity,
        stop=declaration.stop,
        definition=definition,
        seeding=seeding,
        hash=hash_rows(
            (
                definition,
                canonical(declaration.stop),
                [canonical(entry) for entry in declaration.expectations],
                [canonical(control.expectation) for control in declaration.controls],
            ),
            ((entry.arm, entry.label, entry.case.content, entry.trials) for entry in cases),
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
        identity="",
        stop=FIXED,
        definition=definition,
        seeding=definition,
        hash=definition,
    )


def read_source(function: Callable[..., object]) -> str:
    """Return the function's source text, or its bytecode in hex where there is no source."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        code = getattr(function, "__code__", None)
        return "" if code is None else f"{code.co_code.hex()} {code.co_consts!r}"


def _refuse_shared_labels(cases: Iterable[PlannedCase]) -> None:
    seen = set()
    for planned in cases:
        if planned.label in seen:
            raise EvalUsageError(
                f"The case {planned.label!r} has the id under which trials of a positive control "
                "are kept, so nobody could tell them apart. Give it another id."
            )
        seen.add(planned.label)


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
