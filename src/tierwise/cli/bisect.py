"""`tierwise bisect`: which tests make another one fail, or pass, and through what."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tierwise.pytest_plugin.pollution_bisect import BisectResult

_AMOUNT = click.FloatRange(min=0, min_open=True)


@click.command()
@click.argument("test")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- PYTEST_ARGUMENT]...")
@click.option(
    "--with",
    "places",
    multiple=True,
    metavar="PATH",
    help="Look for culprits only in this file, folder or test (repeatable).",
)
@click.option(
    "--order-seed", metavar="N|last", help="Start from the random order of a run, as in pytest."
)
@click.option(
    "--seed",
    "seeds",
    type=int,
    multiple=True,
    default=(1, 2, 3),
    show_default=True,
    metavar="N",
    help="Shuffle by it, where the test ends alike in all other orders (repeatable).",
)
@click.option(
    "--timeout",
    type=_AMOUNT,
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="A single test that takes longer is ended.",
)
@click.option("--max-seconds", type=_AMOUNT, help="End the search after so many seconds.")
@click.option("--json", "is_json", is_flag=True, help="Print JSON on stdout; progress on stderr.")
def command(
    *,
    test: str,
    arguments: tuple[str, ...],
    places: tuple[str, ...],
    order_seed: str | None,
    seeds: tuple[int, ...],
    timeout: float,
    max_seconds: float | None,
    is_json: bool,
) -> int:
    """Find the smallest set of tests that makes TEST fail, or pass, and what they leave behind.

    TEST is a node id or a part of one. It is run alone, then behind the tests that run before it
    in the suite's own order, behind all others, reversed and shuffled. Each run is a process
    forked from one that has collected the suite and run nothing; nothing is recorded.

    Exit code: 0 it passes in each order, 1 its culprits were found or it fails in each order, 10
    could not tell, 13 stopped by --max-seconds, 5 no tests found, 4 used wrongly, 2 interrupted.
    """
    from tierwise.cli.bisect_view import as_data, exit_code_of, print_result  # noqa: PLC0415
    from tierwise.cli.line_progress import LineProgress  # noqa: PLC0415
    from tierwise.pytest_plugin.pollution_bisect import (  # noqa: PLC0415  pytest is slow to load
        BisectRequest,
        bisect_in_project,
    )

    request = BisectRequest(
        test=_as_seen_from_root(test),
        places=tuple(_as_seen_from_root(place) for place in places),
        order_seed=order_seed,
        seeds=seeds,
        timeout_s=timeout,
        budget_s=max_seconds,
        arguments=arguments,
    )
    result: BisectResult = bisect_in_project(request, tell=LineProgress("bisect"))
    code = exit_code_of(result)
    if is_json:
        click.echo(json.dumps(as_data(result, code), indent=2, ensure_ascii=False))
    else:
        print_result(result)
    return code


def _as_seen_from_root(text: str) -> str:
    """Return a path that leads somewhere from here in the way that a shell completes it."""
    path, mark, rest = text.partition("::")
    if path and (Path.cwd() / path).exists():
        return Path(os.path.normpath(path)).as_posix() + mark + rest
    return text
