from __future__ import annotations

import pytest
from omnia.core import UNFAMILIAR, UNIDENTIFIED, Entity


def mira() -> Entity:
    return Entity(id="ent-mira", aliases={"ent-tomas": "the clerk", "ent-bran": "the fisher"})


def test_a_known_target_is_called_by_its_alias() -> None:
    """An alias is what a viewer calls somebody."""
    assert mira().name_for("ent-tomas") == "the clerk"


@pytest.mark.parametrize("alias", [None, "", "  "])
def test_an_unknown_target_is_never_called_by_its_id(alias: str | None) -> None:
    """Without an alias, or with an empty one, somebody is an unfamiliar figure."""
    viewer = mira()
    if alias is not None:
        viewer.aliases["ent-x"] = alias
    assert viewer.name_for("ent-x") == UNFAMILIAR


def test_oneself_is_always_you() -> None:
    """An alias for oneself changes nothing."""
    viewer = mira()
    viewer.aliases["ent-mira"] = "the landlady"
    assert viewer.name_for("ent-mira") == "you"
    assert viewer.targets_called("the landlady") == ()


def test_somebody_not_made_out_is_someone() -> None:
    """An event without a recognised actor has a word of its own."""
    assert mira().name_for(UNIDENTIFIED) == "someone"


def test_a_phrase_for_two_targets_is_ambiguous_and_says_so() -> None:
    """Both ids come back, so that nobody takes the last one silently."""
    viewer = mira()
    viewer.aliases["ent-ada"] = "The clerk"
    assert viewer.targets_called("the clerk") == ("ent-tomas", "ent-ada")
    assert viewer.targets_called("the fisher") == ("ent-bran",)
    assert viewer.targets_called("nobody") == ()


def test_an_id_that_is_another_ones_alias_stays_apart() -> None:
    """Looking up by id never finds what somebody else is called."""
    viewer = mira()
    viewer.aliases["ent-x"] = "ent-tomas"
    assert viewer.name_for("ent-tomas") == "the clerk"
    assert viewer.targets_called("ent-tomas") == ("ent-x",)
