"""May two runs of an eval be compared, and what else than their subject differs?"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from tierwise.evals.wording import percent
from tierwise.records.inputs import name_changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tierwise.evals.comparison import Side
    from tierwise.records.scores import EvalScores, Shared

    Inputs = Mapping[str, Mapping[str, str]]

_MUCH_MISSING = 0.05
_NAMED = 5


def find_changed(first: EvalScores, second: EvalScores) -> tuple[tuple[str, ...], bool]:
    """Return the cases of one id with different content, and whether that could be told.

    A seed follows from the eval's code, its provider's name and the case's content. Where any
    case has the same seed on both sides, code and provider are the same, and a case whose seed
    differs is another one. Where none has, nothing can be told by seeds.
    """
    both = [case_id for case_id in first.cases if case_id in second.cases]
    seeds = {case_id: (first.cases[case_id].seed, second.cases[case_id].seed) for case_id in both}
    if not any(one == two for one, two in seeds.values()):
        return (), False
    return tuple(case_id for case_id, (one, two) in seeds.items() if one != two), True


def find_warnings(
    sides: tuple[Side, Side],
    evals: tuple[EvalScores, EvalScores],
    shared: Shared,
    inputs: Inputs = MappingProxyType({}),
) -> tuple[str, ...]:
    """Return what a reader has to know before believing a difference.

    `inputs` has what the hashes of inputs stand for, by name, as far as that is known.
    """
    is_one_run = sides[0].run.run_id == sides[1].run.run_id
    found = [
        *(() if is_one_run else _warn_of_code(sides, evals, inputs)),
        *_warn_of_sizes(evals, is_one_run=is_one_run),
        *(line for name, entry in zip("AB", evals, strict=True) for line in _warn_of(name, entry)),
    ]
    if shared.n:
        found.append(
            f"{say_shared(shared)}: they cannot differ, so a difference is harder to show, and "
            "that there is none is not proven by them"
        )
    return tuple(found)


def say_shared(shared: Shared) -> str:
    """Return how many trials are the same on both sides, and why."""
    parts = [
        f"{n} {how}"
        for n, how in (
            (shared.n_taken_over, "taken over from an earlier run"),
            (shared.n_copied, "answered from the cache"),
        )
        if n
    ]
    noun = "trial is" if shared.n == 1 else "trials are"
    return f"{shared.n} {noun} the same on both sides ({', '.join(parts)})"


def _warn_of_code(
    sides: tuple[Side, Side], evals: tuple[EvalScores, EvalScores], inputs: Inputs
) -> Iterable[str]:
    codes = _find_fingerprints(sides, evals)
    _, can_tell = find_changed(*evals)
    if not all(codes):
        yield "it is not known whether the project's code was the same: a run has no fingerprint"
    elif codes[0] != codes[1]:
        yield f"the project's files or packages changed between the two runs{_name(codes, inputs)}"
    if can_tell or (all(codes) and codes[0] == codes[1]):
        return
    if evals[0].plan.provider == evals[1].plan.provider:
        yield (
            "the seeds of all cases differ: the eval's own code or its cases changed, so that a "
            "case of one id need not be the same on both sides"
        )
    else:
        yield (
            "the providers differ, and so do all seeds: whether cases of one id are the same on "
            "both sides cannot be told across runs. One run of both tells: tierwise eval run "
            "--provider A --provider B"
        )


def _name(codes: Sequence[str], inputs: Inputs) -> str:
    before, now = (inputs.get(code, {}) for code in codes)
    names = name_changes(before, now) if before and now else ()
    return f": {name_some(names)}" if names else ""


def _find_fingerprints(
    sides: tuple[Side, Side], evals: tuple[EvalScores, EvalScores]
) -> list[str]:
    """Return what the trials of both rest on, or the code of both where that is not known."""
    inputs = [entry.plan.inputs_hash for entry in evals]
    return inputs if all(inputs) else [side.run.info.code_hash for side in sides]


def _warn_of_sizes(evals: tuple[EvalScores, EvalScores], *, is_one_run: bool) -> Iterable[str]:
    first, second = evals
    one, two = first.plan, second.plan
    is_code_same = bool(one.definition) and one.definition == two.definition
    if one.provider == two.provider and one.definition != two.definition and not is_one_run:
        yield "the plans differ: the eval's own code, or the options of its provider"
    if one.trials != two.trials:
        yield f"trials of a case differ: A planned {one.trials}, B {two.trials}"
    elif is_code_same and one.plan_hash != two.plan_hash and one.n_planned == two.n_planned:
        yield "the plans differ in their cases or expectations"
    if first.n_scored != second.n_scored and one.trials == two.trials:
        yield f"scored trials differ: A has {first.n_scored}, B {second.n_scored}"


def _warn_of(name: str, entry: EvalScores) -> Iterable[str]:
    n_missing = entry.n_landed - entry.n_scored
    if entry.n_landed < entry.plan.n_planned:
        yield (
            f"{name} ended early, after {entry.n_landed} of {entry.plan.n_planned} trials: what "
            "stopped it may favour one side"
        )
    if n_missing > _MUCH_MISSING * entry.n_landed:
        share = percent(n_missing / entry.n_landed, up=True)
        yield f"{name} has {n_missing} of {entry.n_landed} trials without a score ({share})"


def name_some(names: tuple[str, ...]) -> str:
    """Return the first few names and how many others there are."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
