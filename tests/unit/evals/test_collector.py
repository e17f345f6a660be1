"""The garbage collector while trials run: calm, and afterwards as it was."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from tierwise.evals.collector import calm_collector

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    before, was_on = gc.get_threshold(), gc.isenabled()
    gc.unfreeze()  # what this very session has set aside
    yield
    gc.set_threshold(*before)
    gc.unfreeze()
    assert gc.isenabled() == was_on


def test_collections_are_rarer_while_it_is_calm_and_as_before_afterwards() -> None:
    """Thresholds are raised, what was there is left alone, and all is put back."""
    gc.set_threshold(700, 10, 10)
    n_frozen = gc.get_freeze_count()  # since Python 3.12 there are always some
    with calm_collector():
        assert gc.get_threshold()[0] > 10_000
        assert gc.isenabled()
        assert gc.get_freeze_count() > n_frozen
    assert gc.get_threshold() == (700, 10, 10)
    assert gc.get_freeze_count() == n_frozen


def test_all_is_put_back_after_an_error() -> None:
    """A run that is stopped leaves no process behind that collects nothing."""
    gc.set_threshold(700, 10, 10)
    n_frozen = gc.get_freeze_count()
    with pytest.raises(KeyboardInterrupt), calm_collector():
        raise KeyboardInterrupt
    assert (gc.get_threshold(), gc.get_freeze_count()) == ((700, 10, 10), n_frozen)


def test_the_inner_of_two_leaves_the_outer_calm() -> None:
    """The engine's own end does not end what the command asked for."""
    n_frozen = gc.get_freeze_count()
    with calm_collector():
        calm = gc.get_threshold()
        with calm_collector():
            pass
        assert gc.get_threshold() == calm
        assert gc.get_freeze_count() > n_frozen
