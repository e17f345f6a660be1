from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from live_answers import answered, refused

from tierwise.contracts import UnobservableError
from tierwise.live import Live, LiveFaultError, Signature, Standing, Watched, see

RETIRED = refused(410, "gone", code="ModelDeprecated")


def test_a_usable_answer_is_handed_back() -> None:
    """What was seen is what the test goes on with."""
    answer = answered()
    assert see(answer) is answer


def test_a_move_of_the_vendor_is_unobservable_with_its_reason() -> None:
    """The reason says which move it was."""
    with pytest.raises(UnobservableError, match=r"^retired: the vendor has retired it"):
        see(RETIRED)


@pytest.mark.parametrize("status", [400, 401, 404, 418, 500])
def test_what_is_no_move_fails(status: int) -> None:
    """A fault of ours, a broken vendor and an answer nobody understands are no excuse."""
    with pytest.raises(LiveFaultError, match=str(status)):
        see(refused(status))


def test_the_caller_may_know_whether_a_key_was_sent() -> None:
    """Without a key a 401 says nothing; with one it is our fault."""
    answer = refused(401, "Missing API key", sent_key=None)
    with pytest.raises(LiveFaultError, match="unknown: without a key"):
        see(answer, sent_key=False)
    with pytest.raises(LiveFaultError, match="our_fault: a key was sent"):
        see(answer, sent_key=True)


def test_the_fixtures_value_walks_from_its_rotation_and_notes_what_was_used() -> None:
    """What the report tells of a test that passed is which subject it saw."""
    live = Live(rotation=1)
    found = live.walk({"a": answered(), "b": RETIRED, "c": answered()}, lambda row: row)
    assert found.key == "c"
    assert live.notes == ["used c; walked past b (retired)"]

    async def probe(row: object) -> object:
        return row

    asyncio.run(live.walk_async({"a": answered(), "b": answered()}, probe))
    assert live.notes[1:] == ["used b"]


def test_the_fixtures_value_knows_signatures_of_ones_own() -> None:
    """What is added holds for seeing and walking alike."""
    live = Live()
    night = Signature(name="n", standing=Standing.CLOSED, reason="night", status=503)
    live.know(night)
    with pytest.raises(UnobservableError, match="closed: night"):
        live.see(refused(503))
    with pytest.raises(UnobservableError, match="closed: night"):
        live.walk({"a": refused(503)}, lambda row: row)


def test_the_fixtures_value_reads_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty one is missing there too."""
    monkeypatch.setenv("VENDOR_KEY", "k-1")
    assert Live().secret("VENDOR_KEY") == "k-1"
    monkeypatch.setenv("VENDOR_KEY", " ")
    with pytest.raises(UnobservableError, match="VENDOR_KEY is empty"):
        Live().secret("VENDOR_KEY")


@pytest.mark.parametrize(
    ("n_seen", "n_tests", "floor", "enough"),
    [
        (0, 0, 0.5, True),
        (0, 3, 0.0, False),
        (1, 3, 0.0, True),
        (1, 3, 0.5, False),
        (2, 4, 0.5, True),
        (3, 4, 1.0, False),
        (4, 4, 1.0, True),
    ],
)
def test_the_floor_asks_for_a_share_and_for_one_at_least(
    n_seen: int, n_tests: int, floor: float, *, enough: bool
) -> None:
    """Nothing seen is never enough, and what nobody asked for is not missed."""
    watched = Watched(name="tier live", n_seen=n_seen, n_tests=n_tests, floor=floor)
    assert watched.is_enough is enough


def test_the_line_of_a_floor_says_what_it_rests_on() -> None:
    """How many of how many, and what was asked for."""
    assert str(Watched(name="tier live", n_seen=3, n_tests=5, floor=0.5)) == (
        "tier live: 3 of 5 tests saw their subject (60 %, floor 50 %)"
    )
    assert str(Watched(name="tier live", n_seen=0, n_tests=5)) == (
        "tier live: 0 of 5 tests saw their subject (0 %, floor: one test); "
        "NOTHING PROVEN, too little was observed"
    )
