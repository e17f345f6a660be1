"""The run store as the commands about evals open and read it, with progress."""

from __future__ import annotations

import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tierwise.config import load_config
from tierwise.errors import EvalUsageError
from tierwise.records import RunStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tierwise.cli.eval_progress import Meter
    from tierwise.records.scores import EvalRun, EvalScores

_STORE = Path(".tierwise") / "records.db"
_PATIENCE_S = 2.0


def find_store(given: Path | None) -> Path:
    """Return the store that is named, or that of the project around here."""
    return load_config(Path.cwd()).root / _STORE if given is None else given


@contextmanager
def open_records(path: Path) -> Iterator[RunStore]:
    """Open a store that exists; nothing is made here."""
    store = RunStore.open_existing(path)
    if store is None:
        raise EvalUsageError(
            f"There is no run store at {path}: no eval was run in this project yet. "
            "Run `tierwise eval run` first, or name another store by --store PATH."
        )
    with store:
        yield store


class ScoreReading:
    """Adds up the scores of runs one after another, and tells how far it is when that takes long.

    The meter is opened once two seconds have passed: most readings are over before.
    """

    def __init__(
        self,
        store: RunStore,
        open_meter: Callable[[], Meter],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store, self._open_meter, self._clock = store, open_meter, clock
        self._meter: Meter | None = None
        self._started = clock()
        self._done = 0

    def read(self, run: EvalRun, *, eval_id: str | None = None) -> tuple[EvalScores, ...]:
        """Return the scores of a run's evals, or of one of them."""
        before = self._done

        def tell(n: int) -> None:
            self._done = before + n
            if self._meter is None and self._clock() - self._started >= _PATIENCE_S:
                self._meter = self._open_meter()
            if self._meter is not None:
                self._meter.show(f"read {self._done:,} trials", self._done, self._done)

        return self._store.evals.scores(run.run.run_id, eval_id=eval_id, tell=tell)

    def close(self) -> None:
        """Take the meter away."""
        if self._meter is not None:
            self._meter.close()


@contextmanager
def reading_scores(store: RunStore) -> Iterator[ScoreReading]:
    """Give a reading whose progress is shown on stderr."""
    from tierwise.cli.eval_progress import open_meter  # noqa: PLC0415  rich is slow to load

    reading = ScoreReading(store, open_meter)
    try:
        yield reading
    finally:
        reading.close()
