"""The driver's end of evals that run in other processes: who they are and what they must share."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING

from tierwise.evals.remote.agreeing import hash_modules, read_versions
from tierwise.evals.remote.executor import RemoteExecutor
from tierwise.evals.remote.fleet import WorkerSpec
from tierwise.evals.remote.messages import Ready
from tierwise.evals.remote.ray_executor import RayFleet, require_ray

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from tierwise.domain import Violation
    from tierwise.evals.purse import Purse
    from tierwise.pytest_plugin.eval_options import EvalOptions

_ENTRY = "tierwise.pytest_plugin.eval_serving:serve"


def make_executor(
    config: pytest.Config,
    options: EvalOptions,
    *,
    root: Path,
    evals: tuple[str, ...],
    purse: Purse | None,
    on_violations: Callable[[str, tuple[Violation, ...]], None],
) -> RemoteExecutor:
    """Return the executor that was asked for; it starts nothing before its first trial."""
    require_ray()
    invoked = config.invocation_params
    spec = WorkerSpec(
        entry=_ENTRY,
        arguments=tuple(str(argument) for argument in invoked.args),
        folder=str(invoked.dir),
        path=tuple(sys.path),
        evals=evals,
        run=secrets.token_hex(4),
    )
    here = Ready(
        place="the driver",
        versions=read_versions(),
        evals=frozenset(evals),
        modules=hash_modules(root),
    )
    return RemoteExecutor(
        RayFleet(options.executor.address, n_workers=options.workers, spec=spec),
        concurrency=options.concurrency,
        here=here,
        purse=purse,
        on_violations=on_violations,
    )
