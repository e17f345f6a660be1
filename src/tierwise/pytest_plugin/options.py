"""The options that tierwise adds to pytest."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import Literal

import pytest

from tierwise.domain import Mode

OrderSeed = int | Literal["last"]


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


def _add_eval_options(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--eval-provider",
        dest="tierwise_eval_provider",
        default=None,
        metavar="SPEC",
        help="the provider that evals talk to: local, schema, package.module:attribute ...",
    )
    group.addoption(
        "--eval-trials",
        dest="tierwise_eval_trials",
        type=parse_count,
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
        "--eval-dry-run",
        dest="tierwise_eval_dry_run",
        action="store_true",
        default=False,
        help="run each trial function once, offline, with made-up valid answers; no verdict",
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
