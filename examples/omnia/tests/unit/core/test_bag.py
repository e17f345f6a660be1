from __future__ import annotations

import pytest
from omnia.core import FactBag, FactError, Visibility


def bag() -> FactBag:
    facts = FactBag()
    facts.add("look", "tall", visibility=Visibility.PUBLIC)
    facts.add("oath", "to find the bell", allowed=["mira"])
    facts.add("fear", "deep water")
    return facts


def test_a_duplicate_name_is_refused_and_named() -> None:
    """Adding a name twice is an error that names it, and the first value stays."""
    facts = bag()
    with pytest.raises(FactError, match="'oath' already exists"):
        facts.add("oath", "another")
    assert facts.system_attribute("oath").value == "to find the bell"


def test_names_are_case_sensitive() -> None:
    """A name that differs only in case is another name."""
    facts = bag()
    facts.add("Oath", "another")
    assert "Oath" in facts
    assert "OATH" not in facts


def test_a_new_fact_is_private_and_known_to_nobody() -> None:
    """Forgetting to say who may know closes a fact; it does not open it."""
    facts = FactBag()
    facts.add("fear", "deep water")
    assert facts.system_attribute("fear").visibility is Visibility.PRIVATE
    assert facts.visible_for("anybody") == []


def test_a_list_on_a_public_fact_is_ignored() -> None:
    """`allowed` has no meaning on a public fact, also after it is closed."""
    facts = FactBag()
    facts.add("look", "tall", visibility=Visibility.PUBLIC, allowed=["mira"])
    assert facts.system_attribute("look").allowed() == ()


def test_removing_what_is_not_there_is_refused() -> None:
    """The error names what was asked for and what there is."""
    with pytest.raises(FactError, match=r"no attribute 'rank'.*look, oath, fear"):
        bag().remove("rank")
    with pytest.raises(FactError, match="there are: none"):
        FactBag().remove("rank")


def test_a_removed_fact_comes_back_without_its_grants() -> None:
    """After remove, the same name starts with a fresh, empty list."""
    facts = bag()
    facts.remove("oath")
    facts.add("oath", "to find the bell")
    assert not facts.system_attribute("oath").has_access("mira")


def test_a_viewer_sees_what_it_may_know_in_order() -> None:
    """Public facts and granted ones are seen, in the order they were added."""
    assert [known.name for known in bag().visible_for("mira")] == ["look", "oath"]
    assert [known.name for known in bag().visible_for("tomas")] == ["look"]


def test_there_is_no_exception_for_the_owner() -> None:
    """A bag has no notion of an owner who sees more than the lists say."""
    assert [known.name for known in bag().visible_for("")] == ["look"]


def test_changing_the_returned_list_changes_nothing() -> None:
    """visible_for hands out a list of the caller's own."""
    facts = bag()
    facts.visible_for("mira").clear()
    assert len(facts.visible_for("mira")) == 2


def test_the_viewers_text_shows_neither_visibility_nor_list() -> None:
    """A viewer reads names and values and nothing about who else may."""
    text = bag().describe_for("mira")
    assert text == "* look: tall\n* oath: to find the bell"


def test_nothing_to_see_is_said() -> None:
    """An empty view is a sentence, so that a prompt has no hole in it."""
    assert FactBag().describe_for("mira") == "(No perceivable attributes)"


def test_a_copy_shares_neither_facts_nor_lists() -> None:
    """Granting, changing and removing on the copy leave the original as it was."""
    facts = bag()
    twin = facts.copy()
    twin.system_attribute("oath").grant("tomas")
    twin.system_attribute("oath").value = "changed"
    twin.remove("fear")
    assert not facts.system_attribute("oath").has_access("tomas")
    assert facts.system_attribute("oath").value == "to find the bell"
    assert "fear" in facts


def test_the_raw_map_has_no_public_name() -> None:
    """Prompt-building code finds no public way to all facts but those spelled `system_`."""
    public = {name for name in dir(FactBag) if not name.startswith("_")}
    assert public == {
        "add",
        "copy",
        "describe_for",
        "remove",
        "system_all",
        "system_attribute",
        "visible_for",
    }
