"""How many cases and trials it takes to see that a rate fell."""

from __future__ import annotations

from dataclasses import replace

from tierwise.errors import EvalUsageError
from tierwise.evals.sizes import (
    LIKE,
    TINY,
    Setting,
    Size,
    Sizing,
    say_percent,
    size_like,
    split_these,
)
from tierwise.stats import (
    Undetermined,
    pairs_needed,
    plan_against_baseline,
    power_of_mcnemar,
    trials_per_arm,
)

_PAIRED = "both sides run the same cases, one trial each, and the cases are independent"
_SAME_KINDS = "both sides run trials of the same kinds, independent of each other"


def size_drop(
    before: float, after: float, setting: Setting, *, discordant: float | None, is_paired: bool
) -> Sizing:
    """Return what it takes to see that a rate fell from `before` to `after`.

    `discordant` is the share of cases that pass before and fail after; it implies `is_paired`.
    """
    if not 0 < after < before < 1:
        raise EvalUsageError(
            f"--see-drop {before:g} {after:g}: expected the rate before and a lower one after, "
            "both between 0 and 1, such as --see-drop 0.95 0.90."
        )
    if discordant is not None:
        return _size_discordant(before, after, setting, discordant)
    if is_paired:
        return _size_paired(before, after, setting)
    n = trials_per_arm(before, after, alpha=1.0 - setting.confidence, power=setting.power)
    return Sizing(
        question=_ask(before, after, setting),
        sizes=(split_these(n, setting, of="on each side"), size_like(n, 1, setting)),
        assumptions=(_SAME_KINDS,),
        notes=(
            *_say_fixed(before, after, setting),
            "the same cases on both sides, compared case by case, may need fewer: --paired",
        ),
    )


def _size_paired(before: float, after: float, setting: Setting) -> Sizing:
    alpha = 1.0 - setting.confidence
    nested = pairs_needed(before - after, 0.0, alpha=alpha, power=setting.power)
    unrelated = pairs_needed(
        before * (1 - after), after * (1 - before), alpha=alpha, power=setting.power
    )
    like = Size(
        population=LIKE,
        sentence=f"{nested} cases if no case gets better, up to {unrelated} if the two sides have "
        "nothing to do with each other; --discordant SHARE narrows it",
        n_trials=unrelated,
        n_cases=unrelated,
        trials_each=1,
    )
    return Sizing(
        question=_ask(before, after, setting),
        sizes=(_size_repeats(before, after, setting), like),
        assumptions=(_PAIRED,),
    )


def _size_discordant(before: float, after: float, setting: Setting, discordant: float) -> Sizing:
    alpha = 1.0 - setting.confidence
    only_after = discordant - (before - after)
    if only_after < -TINY or discordant + only_after > 1:
        raise EvalUsageError(
            f"--discordant {discordant:g}: expected the share of cases that pass before and fail "
            f"after, at least the fall of {before - after:.4g} itself; what it is larger by is "
            "the share that passes after alone."
        )
    shares = (discordant, max(0.0, only_after))
    n = pairs_needed(*shares, alpha=alpha, power=setting.power)
    mid = say_percent(power_of_mcnemar(*shares, n, alpha=alpha))
    exact = say_percent(power_of_mcnemar(*shares, n, alpha=alpha, method="exact"))
    of_cases = f"{say_percent(shares[0])} of the cases pass before alone"
    return Sizing(
        question=_ask(before, after, setting),
        sizes=(
            _size_repeats(before, after, setting),
            Size(
                population=LIKE,
                sentence=f"{n} cases, one trial on each side",
                n_trials=n,
                n_cases=n,
                trials_each=1,
            ),
        ),
        assumptions=(_PAIRED, f"{of_cases}, {say_percent(shares[1])} after alone"),
        notes=(
            f"the chance at {n} cases is {mid} by McNemar's mid-p test, {exact} by the exact one",
        ),
    )


def _size_repeats(before: float, after: float, setting: Setting) -> Size:
    """Return what exactly these cases take, in as many trials of each as one likes."""
    n = trials_per_arm(before, after, alpha=1.0 - setting.confidence, power=setting.power)
    found = split_these(n, setting, of="on each side")
    more = ", or fewer where the cases differ from each other"
    return replace(found, sentence=f"{found.sentence}{more}")


def _ask(before: float, after: float, setting: Setting) -> str:
    sure, chance = say_percent(setting.confidence), say_percent(setting.power)
    return (
        f"a fall from {say_percent(before)} to {say_percent(after)}, seen at {sure} (two-sided) "
        f"with a chance of {chance}"
    )


def _say_fixed(before: float, after: float, setting: Setting) -> tuple[str, ...]:
    fixed = plan_against_baseline(
        before, after, alpha=1.0 - setting.confidence, power=setting.power, lasting=True
    )
    if isinstance(fixed, Undetermined):
        return ()
    line = (
        f"if {say_percent(before)} were known and not measured, {fixed.n} trials of the new side "
        f"alone would do: {fixed.alarm_at} passes or fewer alarm (one-sided)"
    )
    return (line,)
