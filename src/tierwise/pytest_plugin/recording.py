"""Keep each test's result in the run store; the controller alone does."""

from __future__ import annotations

import os
import platform
import sys
import time
from typing import TYPE_CHECKING

from tierwise.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tierwise.config import Config
    from tierwise.pytest_plugin.facts import DeclaredFacts
    from tierwise.pytest_plugin.tally import Result
    from tierwise.records import RunStore

_MOST_ROWS = 200
_LONGEST_WAIT_S = 1.0


class Recording:
    """Rows wait for at most a second or 200 of them, then are written in one transaction.

    A store that cannot be written costs its rows, never the run: `complaint` says why.
    """

    def __init__(
        self,
        *,
        config: Config,
        command: str,
        order_seed: int | None,
        guard: Callable[[], AbstractContextManager[object]],
        secrets_of: Sequence[Mapping[str, str]] = (os.environ,),
    ) -> None:
        self.complaint: str | None = None
        self.run_id: str | None = None
        self.path = config.store_path
        self._config, self._command, self._seed = config, command, order_seed
        self._guard = guard
        self._secrets_of = secrets_of
        self._store: RunStore | None = None
        self._waiting: list[Result] = []
        self._declared: dict[tuple[str, str], DeclaredFacts] = {}
        self._links: dict[str, Sequence[str]] = {}
        self._last_flush = time.monotonic()

    def open_store(self) -> RunStore | None:
        """Return the store with this run started in it; None when it cannot be had."""
        if self._store is None and self.complaint is None:
            try:
                # The store may be opened while a test runs, whose touch this is not.
                with self._guard():
                    self._start()
            except (StoreError, OSError) as error:
                self.complaint = str(error)
        return self._store

    def add(self, result: Result) -> None:
        """Take one test's result; write when it is time."""
        if self.complaint is not None:
            return
        self._waiting.append(result)
        if (
            len(self._waiting) >= _MOST_ROWS
            or time.monotonic() - self._last_flush > _LONGEST_WAIT_S
        ):
            self.flush()

    def declare(self, contracts: Iterable[DeclaredFacts]) -> None:
        """Take the contracts that were collected, by each worker anew; a run keeps them once."""
        self._declared |= {(one["contract"], one["declared_by"]): one for one in contracts}

    def declare_requirements(self, links: Mapping[str, Sequence[str]]) -> None:
        """Take which tests were collected for which requirements, whether or not they run."""
        self._links |= links

    def flush(self) -> None:
        """Write what waits."""
        self._last_flush = time.monotonic()
        store = self.open_store() if self._waiting else None
        if store is None or self.run_id is None:
            return
        waiting, self._waiting = self._waiting, []
        try:
            store.add_tests(self.run_id, waiting)
            self._keep_contracts(store, self.run_id)
        except StoreError as error:
            self.complaint = str(error)

    def finish(self, *, exit_code: int, complete_tiers: tuple[str, ...]) -> None:
        """Write what waits, say how the run ended, close the store."""
        self.flush()
        if self._store is None or self.run_id is None:
            return
        try:
            self._keep_contracts(self._store, self.run_id)
            if self._links:
                self._store.add_requirements(self.run_id, self._links)
            # Where results were lost, those that were kept are not all of any tier.
            kept = () if self.complaint is not None else complete_tiers
            self._store.finish_run(self.run_id, exit_code=exit_code, complete_tiers=kept)
        except StoreError as error:
            self.complaint = self.complaint or str(error)
        finally:
            self._store.close()

    def _keep_contracts(self, store: RunStore, run_id: str) -> None:
        declared, self._declared = self._declared, {}
        if not declared:
            return
        from tierwise.records import DeclaredContract, DeclaredSide  # noqa: PLC0415  few suites

        rows = [
            DeclaredContract(
                contract=one["contract"],
                declared_by=one["declared_by"],
                clauses=tuple(one["clauses"]),
                implementations=tuple(DeclaredSide(**side) for side in one["implementations"]),
            )
            for one in declared.values()
        ]
        store.add_contracts(run_id, rows)

    def _start(self) -> None:
        from tierwise import __version__  # noqa: PLC0415  nothing of this is for start-up
        from tierwise.config.hashing import hash_config  # noqa: PLC0415
        from tierwise.domain.masking import secrets_of_environment  # noqa: PLC0415
        from tierwise.records import (  # noqa: PLC0415
            RunInfo,
            RunStore,
            read_commit,
            read_fingerprint,
        )

        root = self._config.root
        store = RunStore.open(
            self.path,
            secrets=[s for each in self._secrets_of for s in secrets_of_environment(each)],
            on_network_drive=self._config.records.network_drive,
        )
        self.run_id = store.start_run(
            RunInfo(
                command=self._command,
                mode=self._config.mode,
                commit=read_commit(root),
                python=platform.python_version(),
                platform=f"{sys.platform} {platform.machine()}",
                config_hash=hash_config(self._config),
                order_seed=self._seed,
                tierwise=__version__,
                code_hash=read_fingerprint(root, whole=self._config.code_paths),
            )
        )
        self._store = store


def read_last_seed(path: Path) -> int | None:
    """Return the order seed of the last run in the store, None when there is none."""
    from tierwise.records import RunStore  # noqa: PLC0415  only --order-seed last pays

    store = RunStore.open_existing(path)
    if store is None:
        return None
    with store:
        return store.last_order_seed()
