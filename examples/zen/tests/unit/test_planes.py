"""Which of the two planes a decision reads can be seen only where the planes disagree."""

from __future__ import annotations

import pytest
from catalogues import FREE, diverging_rows
from zen import Catalogue, Plane, Row, Usage, cost_of_turn
from zen.planning import PUBLIC_KEY, choose_key

from tierwise.live import PremiseError, swap_test

GO_FREE = diverging_rows("go-free-probe", go=FREE, zen={"input": 3, "output": 9})
ZEN_FREE = diverging_rows("zen-free-probe", go={"input": 3, "output": 9}, zen=FREE)
USAGE = Usage(input_tokens=1000, output_tokens=100)


def test_the_probes_are_what_the_tests_believe() -> None:
    """One is free on go and paid on zen, the other the reverse."""
    assert (GO_FREE[Plane.GO].is_free, GO_FREE[Plane.ZEN].is_free) == (True, False)
    assert (ZEN_FREE[Plane.GO].is_free, ZEN_FREE[Plane.ZEN].is_free) == (False, True)


def test_a_probe_that_is_free_on_both_planes_is_no_probe() -> None:
    """The builder refuses what could not show a wrong read."""
    with pytest.raises(PremiseError, match="is_free is True on both sides"):
        diverging_rows("dull", go=FREE, zen=FREE)


def find_on_go(go: Row, zen: Row) -> Row:
    """Look the model up on go, in a catalogue with these rows on the two planes."""
    return Catalogue({(Plane.GO, go.id): go, (Plane.ZEN, go.id): zen}).find(Plane.GO, go.id)


PROBES = pytest.mark.parametrize("probe", [GO_FREE, ZEN_FREE], ids=["go-free", "zen-free"])


@PROBES
def test_a_turn_is_paid_for_on_its_own_plane(probe: dict[Plane, Row]) -> None:
    """Exchanging the planes changes the cost, in both directions."""
    swapped = swap_test(
        lambda go, zen: cost_of_turn(find_on_go(go, zen), USAGE), probe[Plane.GO], probe[Plane.ZEN]
    )
    assert sorted([swapped.as_given, swapped.exchanged]) == pytest.approx([0, 0.0039])


@PROBES
def test_the_key_is_chosen_by_its_own_plane(probe: dict[Plane, Row]) -> None:
    """A free model is asked without the user's account, on the plane where it is free."""
    swapped = swap_test(
        lambda go, zen: choose_key(find_on_go(go, zen), "zk-mine"),
        probe[Plane.GO],
        probe[Plane.ZEN],
    )
    assert {swapped.as_given, swapped.exchanged} == {PUBLIC_KEY, "zk-mine"}
