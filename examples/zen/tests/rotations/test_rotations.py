"""The live tier itself, tested: on each day of the vendor's it says what it has to say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from zen_vendor import play

if TYPE_CHECKING:
    from tierwise.doubles.gateway.serving import Server

ROOT = Path(__file__).parents[2]
OK, FAILED, NOTHING_OBSERVED = 0, 1, 11
N_TESTS = 10
KEY = "zk-4f2a9c71"


@dataclass(frozen=True)
class Day:
    """What the live tier came to."""

    exit_code: int
    outcomes: Counter[str]
    text: str

    def count(self, word: str) -> int:
        """Return how many candidates were given this standing."""
        return len(re.findall(rf"\b{word}: ", self.text))


SpendDay = Callable[..., Day]


class Watching:
    """Keeps the outcome of each test."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what is not a phase that passed, and each call."""
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[report.outcome] += 1


@pytest.fixture
def spend_day(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> SpendDay:
    """Run the live tier with the vendor on a day of a rotation, in a session of its own."""

    def spend(rotation: str, key: str = KEY, base_url: str | None = None) -> Day:
        monkeypatch.delenv("ZEN_BASE_URL", raising=False)
        if base_url is not None:
            monkeypatch.setenv("ZEN_BASE_URL", base_url)
        monkeypatch.setenv("ZEN_ROTATION", rotation)
        monkeypatch.setenv("ZEN_KEY", key)
        watching = Watching()
        # In report mode nothing is recorded: a day that was played is no evidence of the vendor.
        options = ["--tier", "live", "--tierwise-mode", "report", "--order-seed", "0"]
        code = pytest.main(
            [str(ROOT), "-p", "no:cacheprovider", "--rootdir", str(ROOT), *options], [watching]
        )
        return Day(int(code), watching.outcomes, capsys.readouterr().out)

    return spend


def test_on_a_calm_day_everything_is_seen(spend_day: SpendDay) -> None:
    """The suite itself is right, so that each other day differs by the vendor's move alone."""
    day = spend_day("calm")
    assert (day.exit_code, day.outcomes) == (OK, {"passed": N_TESTS})
    assert "test_a_free_model_answers_without_a_key  used go/apricot-mini\n" in day.text


@pytest.mark.parametrize("rotation", ["one_retired", "one_gone_upstream"])
def test_a_retired_model_is_walked_past(spend_day: SpendDay, rotation: str) -> None:
    """A 410, and a 400 whose body says so, cost no test: the next candidate is used and named."""
    day = spend_day(rotation)
    assert (day.exit_code, day.outcomes) == (OK, {"passed": N_TESTS})
    assert "used go/birch-nano; walked past go/apricot-mini (retired)" in day.text


@pytest.mark.parametrize(
    ("rotation", "standing"), [("all_retired", "retired"), ("all_busy", "busy")]
)
def test_a_day_on_which_nothing_can_be_seen_has_not_passed(
    spend_day: SpendDay, rotation: str, standing: str
) -> None:
    """No test fails, each says why, and the run is told apart from one that proved something."""
    day = spend_day(rotation)
    assert (day.exit_code, day.outcomes) == (NOTHING_OBSERVED, {"skipped": N_TESTS})
    assert day.count(standing) >= N_TESTS
    assert "0 of 10 tests saw their subject" in day.text


def test_a_closed_tier_hides_its_own_models_alone(spend_day: SpendDay) -> None:
    """The paid models are seen, which is enough for the floor."""
    day = spend_day("free_closed")
    assert (day.exit_code, day.outcomes) == (OK, {"passed": N_TESTS - 1, "skipped": 1})
    assert "closed: the tier is closed to this caller (403 freetiererror" in day.text


def test_too_little_seen_is_not_enough(spend_day: SpendDay) -> None:
    """Without an entitlement one test of ten is left, and the floor asks for five."""
    day = spend_day("paid_disabled")
    assert day.exit_code == NOTHING_OBSERVED
    assert day.outcomes == {"passed": 1, "skipped": N_TESTS - 1}
    assert "no_entitlement: the account may not use it" in day.text


@pytest.mark.parametrize(
    ("rotation", "n_failed", "told"),
    [
        ("protocol_moved", 3, "our_fault: the model does not speak this protocol"),
        ("header_moved", 2, "our_fault: a key was sent and the vendor saw none"),
        ("body_moved", 3, "our_fault: the request is malformed (400 invalidrequest"),
        ("down", N_TESTS, "unreachable: the vendor broke down (503"),
    ],
)
def test_what_is_no_move_of_the_vendors_fails(
    spend_day: SpendDay, rotation: str, n_failed: int, told: str
) -> None:
    """A wrong route, header or body is ours, and a vendor who is down proves nothing."""
    day = spend_day(rotation)
    assert (day.exit_code, day.outcomes["failed"]) == (FAILED, n_failed)
    assert day.outcomes.total() == N_TESTS
    assert told in day.text


@pytest.mark.parametrize("key", ["", "  ", "<your key>"])
def test_a_missing_key_is_no_wrong_header(spend_day: SpendDay, key: str) -> None:
    """The vendor says the same of both; a key that was never there is told before it is asked."""
    day = spend_day("header_moved", key)
    assert day.exit_code == NOTHING_OBSERVED
    assert day.outcomes == {"passed": 1, "skipped": N_TESTS - 1}
    assert day.text.count("unobservable: ZEN_KEY") >= N_TESTS - 1


def test_the_tier_can_be_pointed_at_a_mirror(spend_day: SpendDay, gateway_server: Server) -> None:
    """The same suite over real sockets, at one address for all protocols, sees the same."""
    play(gateway_server.gateway, "one_retired")
    day = spend_day("down", base_url=gateway_server.url)
    assert (day.exit_code, day.outcomes) == (OK, {"passed": N_TESTS})
    assert "walked past go/apricot-mini (retired)" in day.text
    assert len(gateway_server.gateway.requests) > N_TESTS
