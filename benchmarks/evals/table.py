"""The rows of the benchmark, and the table that shows them beside the floor and the ideal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from measuring import Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What every engine is given."""

    prompts: int
    latency_s: float
    concurrency: int

    @property
    def ideal_s(self) -> float:
        """The time that the answers alone take."""
        return self.prompts * self.latency_s / self.concurrency

    @property
    def few(self) -> int:
        """The prompts of the small run that start-up is told from."""
        return max(1, min(self.concurrency, self.prompts // 10))


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One engine: what was measured, or a note that says why nothing was."""

    name: str
    measured: Measured | None = None
    cpu_ms: float = 0.0
    each_ms: float = 0.0
    note: str = ""
    fault: str = ""


_COLUMNS = (
    *("start s", "run s", "x ideal", "x floor", "process s", "CPU ms", "each"),
    *("x floor", "peak MB", "requests", "in flight", "server"),
)


def as_table(rows: Sequence[Row], setting: Setting, system: str) -> str:
    """Return the table as text."""
    floor = next((row for row in rows if row.measured and row.name.startswith("floor")), None)
    head = (
        f"{setting.prompts} prompts, {setting.latency_s * 1000:g} ms latency, "
        f"{setting.concurrency} at once (ideal {setting.ideal_s:g} s); {system}\n"
    )
    titles = f"{'':21}" + "".join(f"{title:>10}" for title in _COLUMNS)
    return "\n".join([head, titles, *(as_line(row, setting, floor) for row in rows)])


def as_line(row: Row, setting: Setting, floor: Row | None) -> str:
    """Return one row; what cannot be told has a dash."""
    if row.measured is None:
        return f"{row.name:21}  {row.note}"
    it = row.measured
    least = floor.measured if floor else None
    cells = (
        f"{it.start_s:.2f}",
        f"{it.run_s:.2f}",
        ratio(it.run_s, setting.ideal_s),
        ratio(it.run_s, least.run_s if least else 0.0),
        f"{it.process_s:.2f}",
        f"{row.cpu_ms:.2f}",
        f"{row.each_ms:.2f}",
        ratio(row.each_ms, floor.each_ms if floor else 0.0),
        f"{it.peak_mb:.0f}",
        str(it.requests),
        str(it.max_in_flight),
        f"{it.server_cpu_s / it.run_s:.0%}" if it.run_s else "-",
    )
    line = f"{row.name:21}" + "".join(f"{cell:>10}" for cell in cells)
    return f"{line}\n{'':21}  FAULT: {row.fault}" if row.fault else line


def ratio(value: float, base: float) -> str:
    """Return how many times the base a value is."""
    return f"{value / base:.2f}" if base > 0 else "-"
