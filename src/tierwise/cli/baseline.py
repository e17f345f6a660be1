"""`tierwise baseline`: accept today's violations, and from then on only ever fewer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise.config import load_config
from tierwise.config.baseline import (
    NAME,
    Baseline,
    find_stale,
    load_baseline,
    make_entries,
    write_baseline,
)
from tierwise.domain import Mode
from tierwise.errors import ConfigError, ExitCode, MisuseError

if TYPE_CHECKING:
    from tierwise.config.baseline import Entry, Stale
    from tierwise.pytest_plugin.baseline_running import Touched

_MOST_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A baseline beside what the tests touch today."""

    before: Baseline | None
    after: Baseline
    new: tuple[Entry, ...]
    stale: tuple[Stale, ...]
    touched: Touched

    @property
    def exit_code(self) -> ExitCode:
        """Return 1 for what is new and not accepted, 12 for what is stale and still there."""
        kept = set(self.after.entries)
        if any(entry not in kept for entry in self.new):
            return ExitCode.FAILED
        return ExitCode.STALE if any(one.entry in kept for one in self.stale) else ExitCode.OK


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--check", is_flag=True, help="Write nothing; 1: new violations, 12: stale entries.")
@click.option("--prune", is_flag=True, help="Take out the entries that no longer occur.")
@click.option(
    "--accept-new",
    "reason",
    metavar="REASON",
    help="Take in what is new, each entry with this reason.",
)
@click.option("--json", "is_json", is_flag=True, help="Print plain data instead of text.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[PYTEST ARGUMENTS]...")
def command(
    *, check: bool, prune: bool, reason: str | None, is_json: bool, arguments: tuple[str, ...]
) -> int:
    """Accept what the tests violate today, so that the tiers hold from today on.

    Runs the tests in report mode, which blocks nothing, and writes tierwise-baseline.json: one
    entry a test, capability and target. What it accepts is neither blocked nor failed by pytest;
    all else is. An entry that no longer occurs fails the run until it is taken out. With a
    baseline this only tells; --prune makes it smaller, and only --accept-new makes it larger.
    """
    _check_options(check=check, prune=prune, reason=reason)
    config = load_config(Path.cwd(), mode=Mode.REPORT)
    if not config.declared:
        raise ConfigError(
            "This project has no [tool.tierwise] table, so that no test violates anything. Run "
            "`tierwise init` first."
        )
    before = load_baseline(config.baseline_path)
    if before is None and (check or prune):
        raise MisuseError(
            f"There is no {NAME} to compare with. Run `tierwise baseline`, look at the file, and "
            "commit it."
        )
    found = _decide(before, _run(arguments, is_quiet=is_json), prune=prune, reason=reason)
    if not check and found.after != before:
        config.baseline_path.write_text(write_baseline(found.after), encoding="utf-8")
    if is_json:
        click.echo(json.dumps(_as_data(found), indent=2, ensure_ascii=False))
    else:
        for line in _say(found):
            click.echo(line)
    return found.exit_code


def _check_options(*, check: bool, prune: bool, reason: str | None) -> None:
    if check and (prune or reason is not None):
        raise MisuseError("--check writes nothing: use it without --prune and --accept-new.")
    if reason is not None and not reason.strip():
        raise MisuseError(
            "--accept-new has no reason. It is kept beside each entry: "
            '--accept-new "why this is accepted, and until when".'
        )


def _run(arguments: tuple[str, ...], *, is_quiet: bool) -> Touched:
    from tierwise.pytest_plugin.baseline_running import run_tests  # noqa: PLC0415  for the run

    touched = run_tests(arguments, is_quiet=is_quiet)
    if touched.exit_code not in (ExitCode.OK, ExitCode.FAILED):
        raise MisuseError(
            f"pytest ended with exit code {touched.exit_code}, so that what the tests touch is "
            "not known. Nothing was written."
        )
    return touched


def _decide(
    before: Baseline | None, touched: Touched, *, prune: bool, reason: str | None
) -> Found:
    known = before or Baseline()
    observed = touched.observe(known)
    new = make_entries(observed.new, reason or "")
    stale = find_stale(known, observed)
    after = known.without(one.entry for one in stale) if prune else known
    if before is None or reason is not None:
        after = after.with_new(new)
    return Found(before=before, after=after, new=new, stale=stale, touched=touched)


def _say(found: Found) -> list[str]:
    kept = set(found.after.entries)
    lines = []
    refused = [entry for entry in found.new if entry not in kept]
    if found.before is None:
        lines.append(f"{NAME}: {_count(len(kept), 'entry')} written; review and commit it")
    else:
        lines.append(f"{NAME}: {_count(len(kept), 'entry')}, {len(found.before.entries)} before")
    if refused:
        lines.append(f'{len(refused)} new, not accepted (--accept-new "REASON" would):')
        lines += _shown([str(entry) for entry in refused])
    if found.stale:
        done = all(one.entry not in kept for one in found.stale)
        lines.append(f"{len(found.stale)} stale, {'taken out' if done else '--prune drops them'}:")
        lines += _shown([str(one) for one in found.stale])
    n_failed = sum(not passed for passed in found.touched.ended.values())
    if n_failed:
        lines.append(
            f"{_count(n_failed, 'test')} did not pass, and may touch more than they did now"
        )
    if not found.touched.is_whole:
        lines.append("This run left tests out: of them nothing is known.")
    return lines


def _shown(lines: list[str]) -> list[str]:
    more = len(lines) - _MOST_SHOWN
    shown = [f"    {line}" for line in lines[:_MOST_SHOWN]]
    return [*shown, f"    ... and {more} more"] if more > 0 else shown


def _count(n: int, word: str) -> str:
    many = f"{word.removesuffix('y')}ies" if word.endswith("y") else f"{word}s"
    return f"{n} {word if n == 1 else many}"


def _as_data(found: Found) -> dict[str, object]:
    kept = set(found.after.entries)
    return {
        "exit_code": int(found.exit_code),
        "file": NAME,
        "entries": [_plain(entry) for entry in found.after.entries],
        "new": [_plain(entry) | {"accepted": entry in kept} for entry in found.new],
        "stale": [
            _plain(one.entry)
            | {"test_is_gone": one.is_gone, "closest": one.moved_to, "kept": one.entry in kept}
            for one in found.stale
        ],
        "is_whole": found.touched.is_whole,
        "not_passed": sorted(n for n, passed in found.touched.ended.items() if not passed),
    }


def _plain(entry: Entry) -> dict[str, object]:
    return {
        "test": entry.test,
        "capability": str(entry.capability),
        "target": entry.target,
        "reason": entry.reason,
    }
