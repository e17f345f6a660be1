"""A run is found by its id, the start of it, or how long ago it was."""

from __future__ import annotations

import pytest

from tierwise.errors import EvalUsageError
from tierwise.records import RunInfo, RunRow
from tierwise.records.run_names import find_run
from tierwise.records.scores import EvalRun

IDS = ("20260101T080000-aa", "20260102T080000-bb", "20260103T080000-cc")


def runs(*ids: str) -> tuple[EvalRun, ...]:
    return tuple(
        EvalRun(run=RunRow(run_id=run_id, started_at="", info=RunInfo()), plans=())
        for run_id in ids
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("last", IDS[2]),
        ("last~0", IDS[2]),
        ("last~2", IDS[0]),
        (IDS[1], IDS[1]),
        ("20260102", IDS[1]),
    ],
)
def test_a_run_is_found_by_each_of_its_names(name: str, expected: str) -> None:
    """The full id, a start of it that no other shares, and steps back from the latest."""
    assert find_run(name, runs(*IDS)).run.run_id == expected


def test_a_whole_id_is_meant_even_where_another_begins_with_it() -> None:
    """An id that is the start of another one is no riddle."""
    assert find_run("2026", runs("2026", "20260101")).run.run_id == "2026"


@pytest.mark.parametrize(
    ("name", "found", "complaint"),
    [
        ("202601", IDS, "begins the ids of 3 runs: 20260101T080000-aa, .*Give more of the id"),
        ("last~3", IDS, "holds 3 runs of evals, so the oldest is 'last~2'"),
        ("lats", IDS, r"no run of evals 'lats'. Did you mean 'last'\?"),
        ("20260104T080000-cc", IDS, "Did you mean '20260103T080000-cc'"),
        ("", IDS, "no run of evals ''"),
        ("last~-1", IDS, "no run of evals 'last~-1'"),
        ("last", (), "holds no run of evals yet. Make one: tierwise eval run"),
    ],
)
def test_a_name_that_fits_no_run_or_several_is_explained(
    name: str, found: tuple[str, ...], complaint: str
) -> None:
    """What was given, what there is, the closest of it, and the next step."""
    with pytest.raises(EvalUsageError, match=complaint):
        find_run(name, runs(*found))
