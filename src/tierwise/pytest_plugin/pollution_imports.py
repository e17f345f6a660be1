"""Files that change a test by being imported: what no order of runs can show."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tierwise.pollution.bisecting import bisect_test
from tierwise.pollution.endings import NOT_RUN, Ended, Ending, is_known, is_same
from tierwise.pollution.findings import Dependence, Finding, Way
from tierwise.pollution.orders import Order, module_of
from tierwise.pollution.runs import BudgetSpentError, Runs
from tierwise.pollution.wording import say_imported
from tierwise.pytest_plugin.pollution_host import run_in_host
from tierwise.pytest_plugin.pollution_running import ForkedRunner

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from multiprocessing.connection import Connection

    import pytest

    from tierwise.pytest_plugin.pollution_session import HeldSession

_REPEATS = 2
"""Each costs a session of its own."""
_TOLD = frozenset({Dependence.POLLUTED, Dependence.BRITTLE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Where a session stood, so that another one stands there too."""

    root: str
    ini: str | None
    files: tuple[str, ...]
    """In the order in which they were collected."""
    timeout_s: float
    arguments: tuple[str, ...] = ()

    def arguments_for(self, files: Sequence[str]) -> list[str]:
        """Return what pytest is told to collect these files and no others, in the same order."""
        chosen = [str(Path(self.root) / file) for file in self.files if file in files]
        ini = ["-c", self.ini] if self.ini else []
        return ["--rootdir", self.root, *ini, *self.arguments, *chosen]


def surroundings_of(
    session: pytest.Session, tests: Sequence[str], timeout_s: float, arguments: Sequence[str]
) -> Surroundings:
    """Return where a session stands that has collected these tests."""
    ini = session.config.inipath
    return Surroundings(
        root=str(session.config.rootpath),
        ini=None if ini is None else str(ini),
        files=tuple(dict.fromkeys(module_of(test) for test in tests)),
        timeout_s=timeout_s,
        arguments=tuple(arguments),
    )


def may_be_imports(finding: Finding, where: Surroundings) -> bool:
    """Tell whether a test that ends alike in all orders may still depend on what was imported."""
    names_paths = any(Path(one.partition("::")[0]).exists() for one in where.arguments)
    is_alike = finding.dependence in (Dependence.BROKEN, Dependence.INDEPENDENT)
    return is_alike and len(where.files) > 1 and not names_paths


def bisect_imports(
    finding: Finding,
    where: Surroundings,
    *,
    deadline: float | None,
    tell: Callable[[str, int], None],
) -> Finding:
    """Return which files change the test by being collected beside its own, or what was known."""
    own = module_of(finding.test)
    others = tuple(file for file in where.files if file != own)
    runs = Runs(ImportRunner(where), now=time.monotonic, deadline=deadline, tell=tell)
    runs.about = "collecting files apart: "
    runs.doing = "running the test alone"
    if finding.alone is None or _ends_alike(runs, finding.test, finding.alone):
        return finding
    order = Order(name="with all files collected", tests=(*others, finding.test))
    found = bisect_test(runs, finding.test, [order], repeats=_REPEATS)
    if found.dependence not in _TOLD or found.alone is None or found.together is None:
        return finding
    return replace(
        found,
        way=Way.IMPORTING,
        reason=say_imported(found.alone, found.together, found.culprits),
        orders=(*finding.orders, *found.orders),
        left_out=finding.left_out,
        effort=finding.effort.plus(found.effort),
    )


def _ends_alike(runs: Runs, test: str, alone: Ended) -> bool:
    """Tell whether nothing speaks for imports: the test alone ends so without other files too."""
    try:
        ended = runs.of(test, ())
    except (BudgetSpentError, KeyboardInterrupt):
        return True
    return not is_known(ended.ending) or is_same(ended.ending, alone.ending)


class ImportRunner:
    """Runs one test alone, in a session that has collected some files beside its own."""

    def __init__(self, where: Surroundings) -> None:
        self._where = where

    def run(self, tests: Sequence[str], *, by_chance: bool = False) -> Mapping[str, Ended]:
        """Collect all but the last of `tests`, which are files, and run the last one."""
        *files, test = tests
        found = run_in_host(
            self._where.arguments_for([*files, module_of(test)]),
            partial(_run_alone, test=test, by_chance=by_chance, timeout_s=self._where.timeout_s),
        )
        imported = Ended(ending=Ending.PASSED)
        return {**dict.fromkeys(files, imported), test: found.answer or NOT_RUN}


def _run_alone(
    _held: HeldSession,
    session: pytest.Session,
    outgoing: Connection,
    *,
    test: str,
    by_chance: bool,
    timeout_s: float,
) -> Ended:
    runner = ForkedRunner(session, timeout_s=timeout_s, closed=(outgoing,))
    if test not in runner.tests:
        return NOT_RUN
    return runner.run([test], by_chance=by_chance)[test]
