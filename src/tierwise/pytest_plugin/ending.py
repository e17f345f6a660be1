"""What a session that ends can say of itself: which tiers it has run whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.errors import ExitCode
from tierwise.pytest_plugin.completeness import Looked, find_whole_tiers
from tierwise.pytest_plugin.eval_choosing import is_for_evals

if TYPE_CHECKING:
    from tierwise.pytest_plugin.state import State
    from tierwise.pytest_plugin.tally import Tally

# Options after which a run says nothing about the tests that it does not name.
_NARROWING = (
    "keyword",
    "markexpr",
    "deselect",
    "lf",
    "stepwise",
    "ignore",
    "ignore_glob",
    "collectonly",
    "tierwise_eval_trials",
)
# Ends of a run that went through all of its tests.
_ENDED = (
    *(ExitCode.OK, ExitCode.FAILED, ExitCode.UNDECIDED, ExitCode.NOTHING_OBSERVED),
    ExitCode.STALE,
)


def find_complete_tiers(session: pytest.Session, state: State, tally: Tally) -> tuple[str, ...]:
    """Return the tiers that the session has run whole; none where it was narrowed or stopped."""
    config = session.config
    is_given = config.args_source is pytest.Config.ArgsSource.ARGS and not is_for_evals(config)
    is_narrowed = is_given or any(config.getoption(name, None) for name in _NARROWING)
    if is_narrowed or _has_stopped(session, tally):
        return ()
    start = config.invocation_params.dir
    looked = Looked(
        at=tuple(start / argument for argument in config.args),
        wanted=state.wanted,
        has_run=tally.tiers.keys(),
        is_for_evals=is_for_evals(config),
        deselected=state.deselected,
    )
    return find_whole_tiers(state.config, looked, state.config.root.glob)


def _has_stopped(session: pytest.Session, tally: Tally) -> bool:
    return bool(
        session.exitstatus not in _ENDED
        or session.shouldfail
        or session.shouldstop
        or any(tier.n_interrupted for tier in tally.tiers.values())
        or tally.n_tests < len(session.items)
    )
