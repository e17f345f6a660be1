"""The options that tierwise adds to pytest."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import TYPE_CHECKING, Literal

import pytest

from tierwise.domain import Mode

if TYPE_CHECKING:
    from collections.abc import Callable

OrderSeed = int | Literal["last"]
_MOST_DIGITS = 9
"""Of a number of trials: ten to the eighth is the most."""


@pytest.hookimpl
def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare them all in one group."""
    group = parser.getgroup("tierwise", "tierwise: tiers and evals")
    _add_tier_options(group)
    _add_eval_options(group)


def _add_tier_options(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--tier",
        dest="tierwise_tiers",
        action="append",
        default=[],
        metavar="NAME",
        help="run only this tier (repeatable); default: every tier that is not deliberate",
    )
    group.addoption(
        "--order-seed",
        dest="tierwise_order_seed",
        type=parse_order_seed,
        default=None,
        metavar="N|last",
        help="run in the random order of this seed, or of the last recorded run",
    )
    group.addoption(
        "--tierwise-mode",
        dest="tierwise_mode",
        choices=[str(mode) for mode in Mode],
        default=None,
        help="off: inert; report: say what tests touch, block nothing; enforce: block it",
    )
    group.addoption(
        "--airgap",
        dest="tierwise_airgap",
        action="store_true",
        default=False,
        help="run in a network namespace of loopback alone, so that C libraries are cut off, too",
    )
    group.addoption(
        "--tierwise-state",
        dest="tierwise_state",
        choices=["off", "report", "fail"],
        default=None,
        help="what is done about process state that tests leave behind, in place of what "
        "[tool.tierwise.state] says; outside of mode enforce nothing is looked at without this",
    )
    group.addoption(
        "--tierwise-record",
        dest="tierwise_record",
        action="store_true",
        default=False,
        help="ask the real vendors where a test replays a cassette, and write the cassette anew",
    )
    group.addoption(
        "--tierwise-exit-report",
        dest="tierwise_exit_report",
        default=None,
        metavar="FILE",
        help="write there, as JSON, what the session took and what kept its process alive",
    )


def _add_eval_options(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--eval-provider",
        dest="tierwise_eval_providers",
        action="append",
        default=[],
        metavar="SPEC",
        help="the provider that evals talk to: local, schema, package.module:attribute ... "
        "(repeatable: each eval then runs with each of them)",
    )
    group.addoption(
        "--eval-trials",
        dest="tierwise_eval_trials",
        type=parse_trials,
        default=None,
        metavar="N",
        help="trials for each case, in place of what each eval declares",
    )
    group.addoption(
        "--eval-concurrency",
        dest="tierwise_eval_concurrency",
        type=parse_count,
        default=None,
        metavar="N",
        help="trials that run at once",
    )
    group.addoption(
        "--eval-baseline",
        dest="tierwise_eval_baseline",
        default=None,
        metavar="RUN",
        help="the earlier run that no_worse_than(...) compares with: its id, last, last~1",
    )
    group.addoption(
        "--eval-fresh",
        dest="tierwise_eval_fresh",
        action="store_true",
        default=False,
        help="run all trials anew, also those that an earlier run has made",
    )
    group.addoption(
        "--eval-cache",
        dest="tierwise_eval_cache",
        action="store_true",
        default=False,
        help="take replies from those kept before, where the same trial asks the same",
    )
    _add_budget_options(group)
    _add_executor_options(group)
    group.addoption(
        "--eval-dry-run",
        dest="tierwise_eval_dry_run",
        action="store_true",
        default=False,
        help="run each trial function once, offline, with made-up valid answers; no verdict",
    )


def _add_executor_options(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--eval-executor",
        dest="tierwise_eval_executor",
        default=None,
        metavar="WHERE",
        help="where trials run: local (default), ray (processes of this machine), ray:auto or "
        "ray://HOST:PORT (a cluster that is there)",
    )
    group.addoption(
        "--eval-workers",
        dest="tierwise_eval_workers",
        type=parse_count,
        default=None,
        metavar="N",
        help="processes that carry trials out with ray (default: one for each CPU)",
    )


def _add_budget_options(group: pytest.OptionGroup) -> None:
    amounts: dict[str, tuple[Callable[[str], float], str]] = {
        "usd": (parse_amount, "US dollars"),
        "tokens": (parse_count, "tokens, read and written"),
        "calls": (parse_count, "calls of a provider, retries included"),
        "seconds": (parse_amount, "seconds"),
    }
    for name, (parse, unit) in amounts.items():
        group.addoption(
            f"--eval-max-{name}",
            dest=f"tierwise_eval_max_{name}",
            type=parse,
            default=None,
            metavar="N",
            help=f"start no further trial once all evals together have spent so many {unit}",
        )


def parse_order_seed(text: str) -> OrderSeed:
    """Return the seed that `--order-seed` was given."""
    if text == "last":
        return "last"
    if not (text.isascii() and text.isdigit()):
        raise ArgumentTypeError(f"{text!r} is no seed; expected a whole number or 'last'")
    return int(text)


def parse_count(text: str) -> int:
    """Return a whole number of at least 1."""
    if not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is no count; expected a whole number of 1 or more")
    return int(text)


def parse_trials(text: str) -> int:
    """Return how often each case is run: no more often than anybody could mean."""
    if text.isascii() and text.isdigit() and len(text) > _MOST_DIGITS:
        raise ArgumentTypeError(f"{text} trials are more than can be run; expected 1 to 10**8")
    return parse_count(text)


def parse_amount(text: str) -> float:
    """Return a number above 0."""
    try:
        amount = float(text)
    except ValueError:
        amount = 0.0
    if not 0 < amount < float("inf"):
        raise ArgumentTypeError(f"{text!r} is no amount; expected a number above 0")
    return amount
