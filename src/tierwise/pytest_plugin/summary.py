"""The lines that the terminal shows, made from what was counted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tierwise.domain import Capability, Mode, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tierwise.config import Config
    from tierwise.pytest_plugin.tally import Seen, Tally, TierTally

_MOST_LINES = 6
_UNPLACED = "; no tier claims them: place them by @pytest.mark.tier or by a tier's paths"
_REPORT = (
    "what this proves: tierwise map, or as a page: tierwise report",
    "see: tierwise map, tierwise report",
)
_NAMES = {
    Outcome.PASSED: "passed",
    Outcome.FAILED: "failed",
    Outcome.ERROR: "error",
    Outcome.UNOBSERVABLE: "unobservable",
    Outcome.NOT_RUN: "not run",
}
_VERBS = {
    Capability.NETWORK: "used the network",
    Capability.MODEL: "called a model",
    Capability.SUBPROCESS: "started a process",
    Capability.WRITE: "changed files",
    Capability.LOOPBACK: "used loopback",
    Capability.READ: "read files outside the project",
    Capability.SLEEP: "waited by the real clock",
    Capability.TMP: "used temporary files",
}


def header(config: Config, *, order_seed: int | None, order_note: str | None) -> str:
    """Return the line at the head of a run: mode, tiers, order."""
    usual = [tier.name for tier in config.tiers if not tier.deliberate]
    deliberate = [tier.name for tier in config.tiers if tier.deliberate]
    parts = [str(config.mode)]
    if usual:
        parts.append(f"tiers {', '.join(usual)}")
    if deliberate:
        parts.append(f"deliberate {', '.join(deliberate)}")
    parts.append(order_note or _order(order_seed))
    return f"tierwise: {'; '.join(parts)}"


def _order(seed: int | None) -> str:
    return "order as defined" if seed is None else f"order seed {seed}"


def footer(
    tiers: Mapping[str | None, TierTally],
    *,
    left_out: Mapping[str, int],
    order_seed: int | None,
    missing: str = "",
    is_recorded: bool = False,
    width: int | None = None,
) -> tuple[str, ...]:
    """Return at most six lines: a tier each, what was left out, the seed, the way to the report.

    A path that leads nowhere comes last. `width` is that of the terminal, None where lines may
    be as long as they are: what does not fit stands closer and goes without its time.
    """
    rows = [
        (name or "unplaced", _counts(tier), f"{tier.duration_s:.2f} s", _remark(name, tier))
        for name, tier in tiers.items()
    ]
    rows += [
        (name, f"{count} left out", "", f"deliberate; run with: pytest --tier {name}")
        for name, count in left_out.items()
    ]
    last = []
    if order_seed is not None:
        last.append(_fit(_again(order_seed, may_depend=_may_depend_on_order(tiers)), width))
    last += [_fit(_REPORT, width)] if is_recorded else []
    last += [missing] if missing else []
    lines = _align(rows, _MOST_LINES - len(last))
    if width is not None and any(len(line) > width for line in lines):
        close = [(name, counts, "", remark) for name, counts, _, remark in rows]
        lines = _align(close, _MOST_LINES - len(last), is_close=True)
    return (*lines, *last)


def _again(seed: int, *, may_depend: bool) -> tuple[str, ...]:
    how = f"pytest --order-seed {seed}"
    usual = (f"random order; the same again with: {how}", f"again: {how}")
    if not may_depend:
        return usual
    who = f"tierwise bisect TEST --order-seed {seed}"
    return (f"{usual[0]}; is it the order? {who}", f"{usual[1]}; why: {who}", *usual)


def _may_depend_on_order(tiers: Mapping[str | None, TierTally]) -> bool:
    """Tell whether more tests failed than violations can account for."""
    return any(tier.outcomes[Outcome.FAILED] > tier.violations.total() for tier in tiers.values())


def _fit(said: Sequence[str], width: int | None) -> str:
    fitting = (one for one in said if width is None or len(one) <= width)
    return next(fitting, said[-1])


def _align(
    rows: Sequence[tuple[str, str, str, str]], most: int, *, is_close: bool = False
) -> list[str]:
    if len(rows) > most:
        more = ", ".join(f"{name} ({counts})" for name, counts, _, _ in rows[most - 1 :])
        return [*_align(rows[: most - 1], most, is_close=is_close), f"and {more}"]
    if is_close:
        return ["  ".join(filter(None, row)) for row in rows]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    return [
        f"{name:<{widths[0]}}  {counts:<{widths[1]}}  {time:>{widths[2]}}  {remark}".rstrip()
        for name, counts, time, remark in rows
    ]


def _counts(tier: TierTally) -> str:
    counts = [(tier.outcomes[outcome], name) for outcome, name in _NAMES.items()]
    counts.append((tier.n_undecided, "undecided"))
    return ", ".join(
        f"{n} {name}{'s' if name == 'error' and n > 1 else ''}"
        f"{_interrupted(tier) if name == _NAMES[Outcome.NOT_RUN] else ''}"
        for n, name in counts
        if n
    )


def _interrupted(tier: TierTally) -> str:
    if not tier.n_interrupted:
        return ""
    is_all = tier.n_interrupted == tier.outcomes[Outcome.NOT_RUN]
    return " (interrupted)" if is_all else f" ({tier.n_interrupted} interrupted)"


def _remark(name: str | None, tier: TierTally) -> str:
    return _violations(tier) + ("" if name else _UNPLACED)


def _violations(tier: TierTally) -> str:
    n = sum(tier.violations.values())
    if not n:
        return "0 violations"
    return f"{n} violation{'s' if n > 1 else ''} ({', '.join(sorted(tier.violations))})"


def report_line(config: Config, tally: Tally) -> str:
    """Return the one line of report mode: what was seen, and that nothing was blocked."""
    tests = f"{tally.n_tests} test{'' if tally.n_tests == 1 else 's'}"
    touches = "; ".join(_touched(c, tally.seen[c], config.root) for c in _VERBS if c in tally.seen)
    if touches:
        seen = f"{tests}, beyond their tiers: {touches}" if config.tiers else f"{tests}: {touches}"
    else:
        limit = "beyond its tier" if config.tiers else "outside its own memory"
        seen = f"{tests}: none touched anything {limit}"
    return f"tierwise: {seen}. Nothing was blocked; {_next_step(config)}"


def _touched(capability: Capability, seen: Seen, root: Path) -> str:
    target = seen.target.removeprefix(f"{root}{os.sep}")
    return f"{len(seen.tests)} {_VERBS[capability]} ({target})"


def _next_step(config: Config) -> str:
    if config.declared:
        return f'mode = "{Mode.ENFORCE}" in [tool.tierwise] blocks what a tier forbids'
    return "to enforce tiers, run: tierwise init"
