"""What the benchmark of eval engines decides: which rows it shows and which of them are wrong."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "evals"
COUNTED = {"odd": 0, "requests": 50, "max_in_flight": 10}


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Import a file of the benchmark as its scripts do; forget it and its neighbours after."""
    monkeypatch.syspath_prepend(str(BENCHMARK))
    before = set(sys.modules)
    yield importlib.import_module
    for name in set(sys.modules) - before:
        if str(BENCHMARK) in (getattr(sys.modules[name], "__file__", None) or ""):
            del sys.modules[name]


@pytest.mark.parametrize(
    ("counted", "fault"),
    [
        ({}, ""),
        ({"requests": 49}, "the server counted 49 requests for 50 prompts"),
        ({"requests": 51}, "the server counted 51 requests for 50 prompts"),
        ({"odd": 2}, "2 requests were no chat completion"),
        ({"max_in_flight": 11}, "11 requests in flight, 10 were allowed"),
    ],
)
def test_a_count_that_does_not_fit_the_work_is_a_fault(
    load: Any, counted: dict[str, int], fault: str
) -> None:
    """Too few, too many, other requests, or more at once than allowed."""
    work = load("adapters.work").Work(url="", prompts=50, concurrency=10)
    assert load("measuring").miscount(COUNTED | counted, work) == fault


def test_a_peer_that_is_not_there_has_a_row(load: Any) -> None:
    """`not installed` is said, never left out."""
    table = load("table")
    setting = table.Setting(prompts=50, latency_s=0.01, concurrency=10)
    text = table.as_table([table.Row(name="ragas", note="not installed")], setting, "here")
    assert text.splitlines()[-1].split(maxsplit=1) == ["ragas", "not installed"]


def test_a_fault_stands_beside_its_figures(load: Any) -> None:
    """A wrong count is not shown as a fast engine."""
    table = load("table")
    setting = table.Setting(prompts=50, latency_s=0.01, concurrency=10)
    measured = load("measuring").Measured(
        process_s=1.0,
        cpu_s=0.5,
        peak_mb=30.0,
        start_s=0.2,
        run_s=0.1,
        server_cpu_s=0.05,
        requests=49,
        max_in_flight=10,
    )
    row = table.Row(name="floor", measured=measured, cpu_ms=10.0, each_ms=0.1, fault="49 of 50")
    lines = table.as_table([row], setting, "here").splitlines()
    assert lines[-2].split() == [
        *("floor", "0.20", "0.10", "2.00", "1.00", "1.00", "10.00", "0.10", "1.00"),
        *("30", "49", "10", "50%"),
    ]
    assert lines[-1].strip() == "FAULT: 49 of 50"


def test_each_pinned_peer_has_an_engine_and_each_peer_a_pin(load: Any) -> None:
    """No pin is installed for nothing, and no row can never be installed."""
    peers = load("peers")
    text = (BENCHMARK / "peers.txt").read_text(encoding="utf-8")
    pinned = {peers.folder_of(pins) for pins in peers.read_pins(text)}
    assert pinned == {engine.peer for engine in load("engines").all_engines() if engine.peer}
