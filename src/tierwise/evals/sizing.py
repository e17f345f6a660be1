"""How many cases and trials a question takes, asked before anything runs."""

from __future__ import annotations

from tierwise.errors import EvalUsageError
from tierwise.evals.sizes import (
    LIKE,
    THESE,
    Setting,
    Size,
    Sizing,
    need_cases,
    refuse,
    say_percent,
    say_trials,
    size_like,
    split_these,
)
from tierwise.stats import (
    ScoreSpread,
    Undetermined,
    cases_needed,
    detection_probability,
    trials_needed,
    trials_needed_at_least,
    trials_needed_less_than,
)

_SPREAD_MATTERS = "trials of one case are independent of each other"


def size_never(limit: float, setting: Setting, *, sensitivity: float = 1.0) -> Sizing:
    """Return what it takes to prove that an event is rarer than `limit`, none being seen."""
    n = trials_needed(limit, confidence=setting.confidence, sensitivity=sensitivity)
    chance = detection_probability(limit * sensitivity, n)
    blind = (
        ()
        if sensitivity >= 1
        else (f"the detector sees {say_percent(sensitivity)} of the events, as a lower bound",)
    )
    one = trials_needed(limit, confidence=setting.confidence, events=1, sensitivity=sensitivity)
    at_limit = say_percent(limit)
    return Sizing(
        question=f"never: the rate is below {at_limit}, proven at "
        f"{say_percent(setting.confidence)} by trials without any occurrence",
        sizes=(split_these(n, setting), need_cases(n, setting)),
        assumptions=("no trial shows an occurrence, and all are scored", _SPREAD_MATTERS, *blind),
        notes=(
            f"a subject at {at_limit} would show itself in {say_percent(chance)} of such runs",
            f"with one occurrence allowed it takes {one} trials",
        ),
    )


def size_rate(kind: str, limit: float, expected: float, setting: Setting) -> Sizing:
    """Return what it takes to prove `at_least` or `at_most` a rate that is believed to hold."""
    is_least = kind == "at_least"
    find = trials_needed_at_least if is_least else trials_needed_less_than
    n = find(expected, limit, confidence=setting.confidence, power=setting.power)
    flawless = trials_needed(1 - limit if is_least else limit, confidence=setting.confidence)
    return Sizing(
        question=f"{kind.replace('_', ' ')} {say_percent(limit)}, proven at "
        f"{say_percent(setting.confidence)} with a chance of {say_percent(setting.power)}",
        sizes=(
            (refuse(THESE, n.reason), refuse(LIKE, n.reason))
            if isinstance(n, Undetermined)
            else (split_these(n, setting), size_like(n, flawless, setting))
        ),
        assumptions=(
            f"the true rate is {say_percent(expected)}",
            "all trials are scored",
            _SPREAD_MATTERS,
        ),
        notes=(f"a flawless run would need {flawless} trials",),
    )


def size_difference(
    difference: float, case_sd: float, trial_sd: float, setting: Setting, *, trials: int
) -> Sizing:
    """Return what it takes to see a difference of mean scores, paired by case."""
    if not difference or case_sd < 0 or trial_sd < 0 or not (case_sd or trial_sd):
        raise EvalUsageError(
            f"--difference {difference:g} with --mean-sd {case_sd:g} and --trial-sd {trial_sd:g}: "
            "expected a difference other than 0 and a spread above 0."
        )
    alpha = 1.0 - setting.confidence
    spread = ScoreSpread(
        between_cases=case_sd**2,
        first_noise=trial_sd**2,
        second_noise=trial_sd**2,
        first_trials=trials,
        second_trials=trials,
    )
    n = cases_needed(difference, spread, alpha=alpha, power=setting.power)
    sure, chance = say_percent(setting.confidence), say_percent(setting.power)
    return Sizing(
        question=f"a difference of {difference:g} between two mean scores, seen at {sure} "
        f"(two-sided) with a chance of {chance}",
        sizes=(
            _size_noise(difference, trial_sd, alpha, setting),
            Size(
                population=LIKE,
                sentence=f"{n} cases of {say_trials(trials)} on each side",
                n_trials=n * trials,
                n_cases=n,
                trials_each=trials,
            ),
        ),
        assumptions=(
            f"from case to case the difference has a standard deviation of {case_sd:g}",
            f"around its case's mean a trial has a standard deviation of {trial_sd:g}",
            "both sides run the same cases, and all trials are scored",
        ),
    )


def _size_noise(difference: float, trial_sd: float, alpha: float, setting: Setting) -> Size:
    if not trial_sd:
        return refuse(THESE, "how much trials of one case vary is not given (--trial-sd)")
    noise = ScoreSpread(between_cases=0.0, first_noise=trial_sd**2, second_noise=trial_sd**2)
    n = cases_needed(difference, noise, alpha=alpha, power=setting.power)
    return split_these(n, setting, of="on each side")
