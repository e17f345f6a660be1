"""What a declared eval can prove at all, before it runs: a flawless run, judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.domain import Verdict
from tierwise.evals.counting import Counts
from tierwise.evals.judging import judge
from tierwise.evals.promises import NoWorse, RateLimit, TriesLimit
from tierwise.evals.wording import say_population

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.domain import Judgement
    from tierwise.evals.declaration import EvalDeclaration
    from tierwise.evals.expectations import Expectation

_SPREAD = (
    "cannot be told before it runs: it depends on how the scores spread. Run it once: an "
    "undecided verdict says how many trials a new plan would need"
)
_BASELINE = (
    "cannot be told before it runs: it depends on the baseline and on how cases differ. See "
    "tierwise eval plan --see-drop BEFORE AFTER --paired"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """One promise: what the best possible run of its plan would come to."""

    expectation: str
    verdict: Verdict | None
    """Of a flawless run; None where that cannot be told beforehand."""
    reason: str
    claims: tuple[tuple[str, str], ...] = ()
    """What a flawless run would prove, for each population."""
    n_needed: int | None = None
    """Trials, or cases, of a plan that a flawless run would prove it with."""
    unit: str = "trials"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalOutlook:
    """One declared eval: how much runs, and what each of its promises can come to."""

    n_cases: int
    trials: int
    n_planned: int
    n_control: int
    """Trials of the positive controls, beside those that the claims rest on."""
    stop: str
    outlooks: tuple[Outlook, ...]
    controls: tuple[Outlook, ...]

    @property
    def n_to_run(self) -> int:
        """How many trials run, the controls' included."""
        return self.n_planned + self.n_control

    @property
    def is_hopeless(self) -> bool:
        """Is there a promise that not even a flawless run of this plan would prove?"""
        known = (found.verdict for found in (*self.outlooks, *self.controls))
        return any(verdict not in (None, Verdict.PROVEN) for verdict in known)


def look_ahead(declaration: EvalDeclaration, *, trials: int | None = None) -> EvalOutlook:
    """Judge a flawless run of an eval; `trials` stands in for the declared number."""
    each = trials or declaration.trials
    n_cases = len(declaration.cases)
    of_controls = [
        (control, len(control.cases), trials or control.trials or declaration.trials)
        for control in declaration.controls
    ]
    controls = {
        control.metric: judge(control.expectation, _flawless(control.expectation, n, m))
        for control, n, m in of_controls
    }
    return EvalOutlook(
        n_cases=n_cases,
        trials=each,
        n_planned=n_cases * each,
        n_control=sum(n * m for _, n, m in of_controls),
        stop=str(declaration.stop),
        outlooks=tuple(
            _look(entry, (n_cases, each), controls.get(entry.metric))
            for entry in declaration.expectations
        ),
        controls=tuple(_outlook_of(judged) for judged in controls.values()),
    )


def say_size(outlook: EvalOutlook) -> str:
    """Return how much is planned."""
    cases = f"{outlook.n_cases} case{'s' if outlook.n_cases > 1 else ''}"
    control = f", and {outlook.n_control} of the positive control" if outlook.n_control else ""
    return f"{cases} x {outlook.trials} = {outlook.n_planned} trials{control}"


def outlook_lines(outlook: EvalOutlook) -> Iterator[str]:
    """Yield each promise with what the best run would prove."""
    for found in outlook.outlooks:
        yield from _promise_lines(found)
    for found in outlook.controls:
        yield from _promise_lines(found, what="positive control: ")
    if outlook.stop not in ("curtailed", "fixed"):
        yield (
            f"it ends by {outlook.stop}: a plan of fixed size proves a little more than these "
            "trials will"
        )


def _promise_lines(found: Outlook, what: str = "") -> Iterator[str]:
    yield f"{what}{found.expectation}: {found.reason}"
    for population, sentence in found.claims:
        yield f"  a flawless run proves for {say_population(population)}: {sentence}"


def _look(expectation: Expectation, size: tuple[int, int], control: Judgement | None) -> Outlook:
    promise = expectation.promise
    if not isinstance(promise, RateLimit | TriesLimit):
        reason = _BASELINE if isinstance(promise, NoWorse) else _SPREAD
        return Outlook(expectation=str(expectation), verdict=None, reason=reason)
    return _outlook_of(judge(expectation, _flawless(expectation, *size), control=control))


def _outlook_of(judged: Judgement) -> Outlook:
    unit = "cases" if judged.population == "cases_like_these" else "trials"
    return Outlook(
        expectation=judged.expectation,
        verdict=judged.verdict,
        reason=_say_outlook(judged, unit),
        claims=tuple((claim.population, claim.sentence) for claim in judged.claims),
        n_needed=judged.n_needed,
        unit=unit,
    )


def _flawless(expectation: Expectation, n_cases: int, trials: int) -> Counts:
    """Return the counts of a run that speaks for the promise as clearly as any can."""
    promise = expectation.promise
    is_high = not isinstance(promise, RateLimit) or promise.kind == "at_least"
    # A negative control speaks most clearly where the planted hole shows in every trial.
    events = trials if is_high != expectation.is_negative_control else 0
    value = promise.value if isinstance(promise, RateLimit) else None
    return Counts(
        per_case=((events, trials),) * n_cases,
        missing=(0,) * n_cases,
        values=() if value is None else ((value, max(1, events * n_cases)),),
    )


def _say_outlook(judged: Judgement, unit: str) -> str:
    if judged.verdict is Verdict.PROVEN:
        return "can be proven by this plan"
    if judged.n_needed is None:
        return f"CANNOT be proven by this plan: {judged.reason}"
    return (
        f"CANNOT be proven by this plan, not even by a flawless run: it takes {judged.n_needed} "
        f"{unit}"
    )
