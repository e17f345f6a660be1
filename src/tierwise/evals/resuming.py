"""Which trials of earlier runs a plan goes on with, and why the others run: decided, not read."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.domain import Outcome, Reused
from tierwise.evals.planned_trials import TrialMaker
from tierwise.evals.stopping import may_be_extended
from tierwise.providers import FailureKind
from tierwise.stats import Population

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from tierwise.evals.plan import Plan, PlannedCase
    from tierwise.records import KeptTrial, PlanRun

_SCORED = frozenset({Outcome.PASSED, Outcome.FAILED})
_NAMED = 3
_NEVER_RUN = "never run before"
_BEFORE = {
    Outcome.ERROR: "ended in an error before",
    Outcome.UNOBSERVABLE: "were unobservable before",
    Outcome.NOT_RUN: "were stopped before their end",
}
_CHANGED_CASE = "whose case has changed"
_UNREADABLE = "whose case cannot be read, so that nobody could tell whether it was edited"
_CONTROL = "of a control, which may not be added to after a look"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The earlier run that a plan goes on with; without one, `reason` says why if it can."""

    source: PlanRun | None = None
    is_extension: bool = False
    """Has a verdict on fewer of these trials been looked at already?"""
    reason: str = ""
    has_changed: bool = False
    """Is the reason that a file, a package or a provider is not what it was?"""


_NOT_THE_BODY_S = frozenset({*FailureKind, "time-out"})
"""How messages of trials begin that a provider, or the time, has ended."""


def choose_source(
    plan: Plan,
    earlier: Sequence[PlanRun],
    *,
    inputs_hash: str,
    is_fresh: bool = False,
    baselines: Collection[str] = (),
    find_changed: Callable[[PlanRun], Sequence[str]] = lambda _run: (),
) -> Choice:
    """Return which of the eval's earlier runs, newest first, a plan goes on with.

    A run of the same plan always may: what has a score is kept, what has none is run, and missing
    trials were counted against the claim, so that an earlier verdict cannot have gained by them.
    Another plan's trials are taken while none of them was judged. After a look they may only be
    added to, and only where the guarantee holds under any number of looks. The runs in `baselines`
    are compared with: trials that are taken from them would be compared with themselves.
    `find_changed` names the files and packages that are not those of a run, if that is known.
    """
    if is_fresh:
        return Choice(reason="anew, as --fresh asks")
    alike = [run for run in earlier if run.definition == plan.definition]
    if not inputs_hash:
        return Choice(
            reason="anew, as the project's files could not be read to see whether they changed"
        )
    same = [run for run in alike if run.inputs_hash == inputs_hash]
    if not same:
        said = _say_changed(plan, earlier, inputs_hash, find_changed)
        return Choice(reason=said, has_changed=bool(said))
    compared = {run.measurement for run in earlier if run.run_id in baselines}
    other = [run for run in same if run.measurement not in compared]
    if not other:
        return Choice(reason=f"anew, as run {same[0].run_id} is what it is compared with")
    return _choose_among(plan, other)


def _choose_among(plan: Plan, same: Sequence[PlanRun]) -> Choice:
    own = next((run for run in same if run.plan_hash == plan.hash), None)
    if own is not None:
        return Choice(source=own)
    judged = next((run for run in same if run.is_judged), None)
    if judged is None:
        return Choice(source=same[0])
    if _may_grow(plan):
        return Choice(source=same[0], is_extension=True)
    return Choice(
        reason=f"anew, as run {judged.run_id} with other trials, cases or promises is judged and "
        "adding to what was looked at would spoil the guarantee"
    )


def _say_changed(
    plan: Plan,
    earlier: Sequence[PlanRun],
    inputs_hash: str,
    find_changed: Callable[[PlanRun], Sequence[str]],
) -> str:
    last = next((run for run in earlier if run.provider == plan.provider), None)
    if last is None:
        return ""
    if last.inputs_hash == inputs_hash:
        what = "the provider's options or the eval's code"
        return f"anew, as {what} are not those of run {last.run_id}"
    said = f"anew, as the project's files or packages are not those of run {last.run_id}"
    names = find_changed(last)
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{said}: {', '.join(names[:_NAMED])}{more}" if names else said


def _may_grow(plan: Plan) -> bool:
    # Silence in a planted hole proves nothing, and more trials are no more cases.
    is_plain = all(
        entry.population is Population.THESE_CASES and not entry.is_negative_control
        for entry in plan.expectations
    )
    return is_plain and may_be_extended(plan.expectations, plan.stop)


def take_over(plan: Plan, choice: Choice, rows: Iterable[KeptTrial]) -> Reuse:
    """Return what the chosen run has of a plan.

    A plan that leaves out trials of one that was judged is no extension of it, and takes nothing.
    """
    reuse = Reuse(plan, choice)
    for kept in rows if choice.source is not None else ():
        if not reuse.take(kept) and choice.is_extension:
            return Reuse(plan, Choice(reason=_say_shrunk(choice)))
    return reuse


def _say_shrunk(choice: Choice) -> str:
    run_id = "" if choice.source is None else choice.source.run_id
    return f"anew, as run {run_id} is judged and holds trials that this plan leaves out"


class Reuse:
    """The trials of one plan that an earlier run has made; one byte for each that is planned."""

    def __init__(self, plan: Plan, choice: Choice) -> None:
        self.plan = plan
        self.choice = choice
        self.trials = array("q")
        """Their places in the store."""
        # Most runs take nothing over, and have no use for what there would be of each case.
        cases = plan.cases if choice.source is not None else ()
        self._makers = {planned.label: TrialMaker(plan, planned) for planned in cases}
        self._planned = {planned.label: planned for planned in cases}
        self._done = {planned.label: bytearray(planned.trials) for planned in cases}
        self._nevers = frozenset(
            entry.metric
            for entry in plan.expectations
            if entry.kind == "never" and not entry.is_negative_control
        )
        self._is_rolled_again = False
        self._by_run: Counter[str] = Counter()
        self._why: Counter[str] = Counter()

    def take(self, kept: KeptTrial) -> bool:
        """Take one trial over if it need not run again; False when the plan has no such trial."""
        planned = self._planned.get(kept.case_id)
        if planned is None or planned.arm != kept.arm or kept.index >= planned.trials:
            return kept.arm == "control"
        reason = self._refuse(kept)
        if reason:
            self._why[reason] += 1
            self._is_rolled_again |= reason == _UNREADABLE and kept.outcome in _SCORED
            return reason not in (_CHANGED_CASE, _UNREADABLE)
        self._done[kept.case_id][kept.index] = 1
        self.trials.append(kept.seq)
        self._by_run[kept.run_id] += 1
        return True

    @property
    def n_trials(self) -> int:
        """How many trials are taken over."""
        return len(self.trials)

    @property
    def measurement(self) -> str:
        """The id of the run in which this measurement began; "" when it begins now.

        Trials that were scored and run again, since their case cannot be read, are measured anew.
        """
        if self._is_rolled_again:
            return ""
        return self.choice.source.measurement if self.choice.source is not None else ""

    def is_done(self, planned: PlannedCase, index: int) -> bool:
        """Tell whether a trial need not run."""
        done = self._done.get(planned.label)
        return done is not None and bool(done[index])

    def sources(self, earlier: Iterable[PlanRun]) -> tuple[Reused, ...]:
        """Return from which runs how many trials are taken over, the oldest first."""
        started = {run.run_id: run.started_at for run in earlier}
        return tuple(
            Reused(run_id=run_id, started_at=started.get(run_id, ""), n_trials=n)
            for run_id, n in sorted(self._by_run.items(), key=lambda entry: entry[0])
        )

    @property
    def reasons(self) -> tuple[tuple[str, int], ...]:
        """Why the other trials run, with how many each; empty in a first run."""
        n_left = self.plan.n_to_run - self.n_trials
        if self.choice.source is None:
            return ((self.choice.reason, n_left),) if self.choice.reason else ()
        n_new = n_left - self._why.total()
        found = Counter({_NEVER_RUN: n_new} if n_new > 0 else {}) + self._why
        return tuple(found.most_common())

    def _refuse(self, kept: KeptTrial) -> str:
        if kept.key != self._makers[kept.case_id].key(kept.index):
            return _CHANGED_CASE
        if self._planned[kept.case_id].case.unreadable:
            return _UNREADABLE
        if kept.arm == "control" and self.choice.is_extension:
            return _CONTROL
        if kept.outcome in _SCORED or self._has_occurred(kept) or _is_the_body_s_own(kept):
            return ""
        return _BEFORE[kept.outcome]

    def _has_occurred(self, kept: KeptTrial) -> bool:
        # What must never happen and was seen stays seen: no second try makes it undone.
        return kept.arm == "trial" and any(
            value is True and metric in self._nevers for metric, value in kept.scores.items()
        )


def _is_the_body_s_own(kept: KeptTrial) -> bool:
    """Tell whether the body broke on what a model had answered.

    The same code on another answer may not: run again until it passes, such a trial would leave
    out just the answers that the code cannot bear.
    """
    kind = kept.message.partition(":")[0]
    return kept.outcome is Outcome.ERROR and bool(kept.said) and kind not in _NOT_THE_BODY_S
