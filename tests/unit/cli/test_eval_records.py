"""Reading scores shows how far it is only where that takes long."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tierwise.cli.eval_records import ScoreReading


class Meter:
    def __init__(self) -> None:
        self.shown: list[str] = []
        self.is_closed = False

    def show(self, text: str, done: int, total: int) -> None:
        """Keep what is shown."""
        assert done == total
        self.shown.append(text)

    def close(self) -> None:
        """Remember it."""
        self.is_closed = True


def read(*, seconds_a_chunk: float) -> Meter | None:
    """Read two runs of 20,000 and 30,000 trials, in chunks of 10,000."""
    now, meters = [0.0], []

    def scores(run_id: str, *, eval_id: str | None, tell: Any) -> tuple[str, ...]:
        for n in range(1, {"a": 3, "b": 4}[run_id]):
            now[0] += seconds_a_chunk
            tell(n * 10_000)
        return (run_id,)

    def open_meter() -> Meter:
        meters.append(Meter())
        return meters[-1]

    store: Any = SimpleNamespace(evals=SimpleNamespace(scores=scores))
    reading = ScoreReading(store, open_meter, clock=lambda: now[0])
    for run_id in ("a", "b"):
        entry: Any = SimpleNamespace(run=SimpleNamespace(run_id=run_id))
        assert reading.read(entry) == (run_id,)
    reading.close()
    assert len(meters) < 2
    return meters[0] if meters else None


def test_a_quick_reading_shows_nothing() -> None:
    """A line for what is over at once would be noise."""
    assert read(seconds_a_chunk=0.1) is None


def test_a_long_reading_counts_on_over_all_runs() -> None:
    """From two seconds on, and the meter is taken away at the end."""
    meter = read(seconds_a_chunk=1.0)
    assert meter is not None
    assert meter.shown == [f"read {n:,} trials" for n in (20_000, 30_000, 40_000, 50_000)]
    assert meter.is_closed
