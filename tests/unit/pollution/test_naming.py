"""Which change is the cause, told by a witness that is played."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tierwise.pollution.endings import Ended, Ending
from tierwise.pollution.findings import Dependence, Finding, Leak, Proof
from tierwise.pollution.naming import name_leaks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PASSED = Ended(ending=Ending.PASSED)
FAILED = Ended(ending=Ending.FAILED, message="KeyError: 'x'")
POLLUTED = Finding(
    test="t.py::test_v",
    dependence=Dependence.POLLUTED,
    reason="",
    culprits=("t.py::test_p",),
    alone=PASSED,
    together=FAILED,
)
BRITTLE = replace(POLLUTED, dependence=Dependence.BRITTLE, alone=FAILED, together=PASSED)


def leak(owner: str) -> Leak:
    return Leak(owner=owner, watcher="modules", before="[]", after="[1]")


class PlayedWitness:
    """Sees the leaks that it was given, each with what happens when it is taken back."""

    def __init__(self, leaks: Mapping[str, Ended | None]) -> None:
        self._leaks = leaks
        self.asked: list[str] = []

    def leaks_of(self, tests: Sequence[str], test: str) -> Sequence[Leak]:
        """Return all of them."""
        assert (tests, test) == (("t.py::test_p",), "t.py::test_v")
        return [leak(owner) for owner in self._leaks]

    def run_restored(self, tests: Sequence[str], test: str, leak: Leak) -> Ended | None:
        """Return what was said of this one."""
        del tests, test
        self.asked.append(leak.owner)
        return self._leaks[leak.owner]


def named(finding: Finding, **leaks: Ended | None) -> list[tuple[str, Proof]]:
    found = name_leaks(PlayedWitness(leaks), finding)
    return [(one.owner, one.proof) for one in found.leaks]


def test_the_change_that_heals_is_the_cause() -> None:
    """With it taken back the test ends as alone; nothing else is named beside it."""
    found = named(POLLUTED, noise=FAILED, cause=PASSED, thread=None)
    assert found == [("cause", Proof.CONFIRMED)]


def test_each_of_two_that_are_needed_is_named() -> None:
    """Where taking back either of two heals, both are causes."""
    found = named(POLLUTED, one=PASSED, other=PASSED)
    assert found == [("one", Proof.CONFIRMED), ("other", Proof.CONFIRMED)]


def test_what_cannot_be_taken_back_is_suspected() -> None:
    """Changes that were taken back and healed nothing are out; the others stay."""
    assert named(POLLUTED, noise=FAILED, thread=None) == [("thread", Proof.SUSPECTED)]


def test_where_nothing_heals_all_are_suspected() -> None:
    """A cause of two changes at once heals by neither alone."""
    found = named(POLLUTED, one=FAILED, other=FAILED)
    assert found == [("one", Proof.SUSPECTED), ("other", Proof.SUSPECTED)]


def test_a_brittle_test_has_to_fail_for_the_same_reason() -> None:
    """Taking something back may break a test otherwise than it was broken."""
    other = Ended(ending=Ending.FAILED, message="ModuleNotFoundError: shop")
    assert named(BRITTLE, path=other, cause=FAILED) == [("cause", Proof.CONFIRMED)]


def test_what_is_not_known_is_not_searched() -> None:
    """Of an undecided test no state is named, and nothing is run."""
    witness = PlayedWitness({"one": PASSED})
    undecided = replace(POLLUTED, dependence=Dependence.UNDECIDED)
    assert name_leaks(witness, undecided) == undecided
    assert witness.asked == []


def test_a_flood_of_changes_costs_a_bounded_number_of_runs() -> None:
    """Of hundreds of changes the first sixty are tried, and the rest suspected."""
    witness = PlayedWitness({f"m.{i}": FAILED for i in range(500)})
    found = name_leaks(witness, POLLUTED)
    assert len(witness.asked) == 60
    assert {one.proof for one in found.leaks} == {Proof.SUSPECTED}
