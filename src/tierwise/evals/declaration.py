"""`@evaluate`: an ordinary test function becomes the body of an eval."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from tierwise.errors import EvalUsageError
from tierwise.evals.budget import Budget
from tierwise.evals.cases import Case, gather_cases
from tierwise.evals.expectations import Expectation
from tierwise.evals.expecting_rates import at_least as _at_least
from tierwise.evals.keywords import refuse_wrong_arguments
from tierwise.evals.promises import TriesLimit
from tierwise.evals.stopping_rules import CURTAILED, StoppingRule, require_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

F = TypeVar("F", bound="Callable[..., Any]")

DECLARATION = "__tierwise_eval__"
"""The attribute that carries a function's declaration."""

MOST_TRIALS = 10**8
"""More trials than this, of all cases together, are a slip of the keyboard."""
_LONGEST_S = 10**7

INJECTED = frozenset({"case", "provider", "trial"})
"""Arguments that come from tierwise, fresh for each trial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """A positive control: cases in which the metric has to occur, or silence means nothing."""

    cases: tuple[Case, ...]
    expectation: Expectation
    trials: int | None = None

    @property
    def metric(self) -> str:
        """The metric that has to occur."""
        return self.expectation.metric


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalDeclaration:
    """What `@evaluate` was told, checked."""

    cases: tuple[Case, ...]
    trials: int
    expectations: tuple[Expectation, ...]
    controls: tuple[Control, ...] = ()
    timeout_s: float | None = None
    stop: StoppingRule = CURTAILED
    budget: Budget | None = None


@refuse_wrong_arguments
def evaluate(
    *,
    cases: Iterable[Any],
    trials: int,
    expect: Sequence[Expectation],
    control: Control | Sequence[Control] = (),
    timeout_s: float | None = None,
    stop: Literal["curtailed", "fixed"] | StoppingRule = "curtailed",
    budget: Budget | None = None,
) -> Callable[[F], F]:
    """Declare a test function as an eval: each case is run `trials` times and judged by `expect`.

    The function itself is returned, with the declaration attached. Its arguments `case`,
    `provider` and `trial` are fresh for each trial; others are fixtures wider than a function. A
    plain `assert` scores the metric `passed`. `control` is the positive control of a `never`.
    `stop` says when the eval may end before its plan is done; by default once no trial that is
    left can change any verdict, which is exactly the verdict of the whole plan. `budget` is the
    most that it may spend.
    """
    expectations = _require_expectations(expect)
    refuse_too_few_trials(expectations, _require_trials(trials, "trials"))
    gathered = gather_cases(cases)
    refuse_too_many_trials(len(gathered), trials)
    declaration = EvalDeclaration(
        cases=gathered,
        trials=trials,
        expectations=expectations,
        controls=_require_controls(control, expect),
        timeout_s=_require_timeout(timeout_s),
        stop=require_rule(stop, expectations),
        budget=_require_budget(budget),
    )

    def declare(function: F) -> F:
        _require_body(function)
        setattr(function, DECLARATION, declaration)
        return function

    return declare


@refuse_wrong_arguments
def positive_control(
    *,
    cases: Iterable[Any],
    metric: str,
    at_least: float = 0.5,
    trials: int | None = None,
    confidence: float = 0.95,
) -> Control:
    """Declare cases that must show the metric at a rate of at least `at_least`.

    The same body runs on them, `trials` times each (as often as the eval's own cases unless
    said). Unless the rate is proven, each `never` on the metric is undecided: a subject that is
    silent where it should speak says nothing by being silent elsewhere.
    """
    return Control(
        cases=gather_cases(cases, what="positive_control cases"),
        expectation=_at_least(metric, at_least, confidence=confidence),
        trials=None if trials is None else _require_trials(trials, "positive_control trials"),
    )


def declaration_of(function: object) -> EvalDeclaration | None:
    """Return what `@evaluate` attached to a function, or None."""
    found = getattr(function, DECLARATION, None)
    return found if isinstance(found, EvalDeclaration) else None


def _require_trials(trials: object, what: str) -> int:
    if isinstance(trials, bool) or not isinstance(trials, int) or trials < 1:
        raise EvalUsageError(
            f"{what}={trials!r}: expected a whole number of at least 1. "
            "No trial is no evidence, and no evidence is not a pass."
        )
    refuse_too_many_trials(1, trials)
    return trials


def refuse_too_many_trials(n_cases: int, trials: int) -> None:
    """Refuse a plan that nobody could run, before anything is set aside for it."""
    if n_cases * trials > MOST_TRIALS:
        each = "" if n_cases == 1 else f" for each of {n_cases} cases"
        raise EvalUsageError(
            f"trials={_show(trials)}{each}: expected at most {MOST_TRIALS:,} trials in all. "
            "`tierwise eval plan` says how many a claim needs."
        )


def _show(number: int) -> str:
    # Python refuses to write out whole numbers of thousands of digits.
    return f"{number:,}" if number < 10**30 else "a number of more than 30 digits"


def _require_timeout(timeout_s: object) -> float | None:
    if timeout_s is None:
        return None
    is_number = isinstance(timeout_s, int | float) and not isinstance(timeout_s, bool)
    if is_number and 0 < timeout_s <= _LONGEST_S:  # type: ignore[operator]  # tested just now
        return timeout_s  # type: ignore[return-value]
    raise EvalUsageError(
        f"timeout_s={timeout_s!r}: expected seconds above 0 for one trial, such as 30 or 0.5."
    )


def _require_budget(budget: object) -> Budget | None:
    if budget is None or isinstance(budget, Budget):
        return budget
    raise EvalUsageError(
        f"budget={budget!r}: expected Budget(usd=..., tokens=..., calls=..., seconds=...), of "
        "which any may be left out."
    )


def _require_expectations(expect: object) -> tuple[Expectation, ...]:
    if isinstance(expect, Expectation):
        raise EvalUsageError(f"expect={expect}: expected a list, even of one: expect=[...].")
    if isinstance(expect, str | bytes) or not isinstance(expect, Iterable):
        raise EvalUsageError(
            f"expect={expect!r}: expected a list of promises, such as expect=[at_least(...)]."
        )
    found = tuple(_require_expectation(entry) for entry in expect)
    if not found:
        raise EvalUsageError(
            "expect is empty: an eval that expects nothing proves nothing. "
            'Say what has to hold, such as at_least("passed", 0.9).'
        )
    seen: set[tuple[str, ...]] = set()
    for entry in found:
        if entry.question in seen:
            raise EvalUsageError(
                f"expect holds {entry.kind}({entry.metric!r}) twice for {entry.population}. "
                "Keep one of them."
            )
        seen.add(entry.question)
    return found


def refuse_too_few_trials(expectations: Iterable[Expectation], trials: int) -> None:
    """Refuse a promise about k tries of a case of which fewer trials are planned."""
    for entry in expectations:
        if isinstance(entry.promise, TriesLimit) and trials < entry.promise.k:
            raise EvalUsageError(
                f"{entry.kind}({entry.metric!r}, {entry.promise.k}) needs at least "
                f"{entry.promise.k} trials of each case, and trials={trials}: fewer cannot show "
                "what so many tries would do. More than k make the estimate sharper."
            )


def _require_expectation(entry: object) -> Expectation:
    if isinstance(entry, Expectation):
        return entry
    raise EvalUsageError(
        f"expect holds {entry!r}: expected a promise such as never(...), at_least(...), "
        "mean_between(...) or must_refute(...)."
    )


def _require_controls(
    control: Control | Sequence[Control], expect: Sequence[Expectation]
) -> tuple[Control, ...]:
    if not isinstance(control, Iterable):
        control = (control,)
    given = tuple(control)
    controls = tuple(_require_control(entry) for entry in given)
    guarded = [
        entry.metric for entry in expect if entry.kind == "never" and not entry.is_negative_control
    ]
    seen: set[str] = set()
    for entry in controls:
        if entry.metric not in guarded:
            raise EvalUsageError(
                f"The positive control is for {entry.metric!r}, which no never(...) of this eval "
                f"is about (they are about: {', '.join(guarded) or 'nothing'})."
            )
        if entry.metric in seen:
            raise EvalUsageError(f"Two positive controls are for {entry.metric!r}: keep one.")
        seen.add(entry.metric)
    return controls


def _require_control(entry: object) -> Control:
    if isinstance(entry, Control):
        return entry
    raise EvalUsageError(f"control={entry!r}: expected positive_control(...).")


def _require_body(function: object) -> None:
    if not inspect.isfunction(function):
        raise EvalUsageError(
            f"@evaluate stands on {function!r}: expected a test function, `def test_...` or "
            "`async def test_...`."
        )
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise EvalUsageError(
            f"{function.__qualname__} yields: a trial's body runs once from start to end and "
            "cannot be a generator."
        )
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise EvalUsageError(
                f"{function.__qualname__} takes *{name}: expected named arguments only, since "
                "each is `case`, `provider`, `trial` or a fixture."
            )
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise EvalUsageError(
                f"{function.__qualname__} takes {name} by position only: arguments of a trial "
                "are given by name. Take out the `/`."
            )
