from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from omnia.core import Attribute, Visibility


def private(*allowed: str) -> Attribute:
    return Attribute("oath", "to find the bell", allowed=allowed)


def test_everybody_may_know_a_public_attribute() -> None:
    """A public attribute is known to whoever asks, the empty viewer included."""
    attribute = Attribute("look", "tall", visibility=Visibility.PUBLIC)
    assert attribute.has_access("anybody")
    assert attribute.has_access("")


def test_only_those_on_the_list_may_know_a_private_attribute() -> None:
    """A grant to one viewer does not help another."""
    attribute = private("mira")
    assert attribute.has_access("mira")
    assert not attribute.has_access("tomas")
    assert not attribute.has_access("")


def test_a_private_attribute_is_closed_at_first() -> None:
    """Without a grant nobody may know: not even an owner, for whom there is no exception."""
    assert not private().has_access("mira")


@pytest.mark.parametrize("name", ["", "  ", "\n"])
def test_an_empty_name_is_refused(name: str) -> None:
    """An attribute without a name could not be told apart in a prompt."""
    with pytest.raises(ValueError, match="needs a name"):
        Attribute(name, "x")


@pytest.mark.parametrize("value", [None, 3, ["a"]])
def test_values_are_text_only(value: object) -> None:
    """Anything but text is refused, when built and when set."""
    attribute = private()
    with pytest.raises(TypeError, match="holds text"):
        Attribute("oath", value)  # type: ignore[arg-type]  # the fault under test
    with pytest.raises(TypeError, match="holds text"):
        attribute.value = value  # type: ignore[assignment]  # the fault under test
    assert attribute.value == "to find the bell"


def test_the_name_is_fixed() -> None:
    """A name cannot be changed: lists of grants belong to it."""
    with pytest.raises(AttributeError):
        private().name = "other"  # type: ignore[misc]  # the fault under test


def test_grant_and_revoke_say_whether_they_changed_anything() -> None:
    """Granting twice and revoking twice change nothing the second time."""
    attribute = private()
    assert attribute.grant("mira")
    assert not attribute.grant("mira")
    assert attribute.revoke("mira")
    assert not attribute.revoke("mira")
    assert not attribute.has_access("mira")


def test_granting_on_a_public_attribute_changes_nothing() -> None:
    """A grant that is not needed is not remembered for later."""
    attribute = Attribute("look", "tall", visibility=Visibility.PUBLIC)
    assert not attribute.grant("mira")
    attribute.make_private()
    assert not attribute.has_access("mira")


def test_making_public_clears_the_list() -> None:
    """A public attribute keeps no list, since a save and a reload would drop it."""
    attribute = private("mira")
    attribute.make_public()
    assert attribute.allowed() == ()
    assert attribute.describe_for_system() == "oath: to find the bell (Visibility: PUBLIC)"


def test_going_public_and_back_forgets_former_grants() -> None:
    """After public and private again nobody is on the list."""
    attribute = private("mira")
    attribute.make_public()
    attribute.make_private()
    assert not attribute.has_access("mira")


def test_making_private_again_forgets_grants() -> None:
    """make_private closes an attribute that was private with grants."""
    attribute = private("mira")
    attribute.make_private()
    assert not attribute.has_access("mira")


def test_the_list_handed_out_is_a_copy() -> None:
    """What allowed() returned earlier neither changes later nor changes the list."""
    attribute = private("mira")
    taken = attribute.allowed()
    attribute.grant("bran")
    assert taken == ("mira",)
    list(taken).append("tomas")
    assert not attribute.has_access("tomas")


def test_the_list_given_is_copied() -> None:
    """A caller who changes its own list later opens nothing."""
    given_list = ["mira"]
    attribute = Attribute("oath", "x", allowed=given_list)
    given_list.append("tomas")
    assert not attribute.has_access("tomas")


def test_the_system_sees_visibility_and_list_in_order_of_grants() -> None:
    """The system's line names the visibility and, if there is one, the list."""
    attribute = private("bran", "ada")
    assert attribute.describe_for_system() == (
        "oath: to find the bell (Visibility: PRIVATE) (Visible to: bran, ada)"
    )
    attribute.revoke("bran")
    attribute.revoke("ada")
    assert attribute.describe_for_system() == "oath: to find the bell (Visibility: PRIVATE)"


def test_what_a_viewer_gets_has_no_way_back_to_the_attribute() -> None:
    """A known fact is name and text; neither list nor visibility hang on it."""
    known = private("mira").known()
    assert str(known) == "oath: to find the bell"
    assert not hasattr(known, "allowed")
    assert not hasattr(known, "visibility")


@pytest.mark.parametrize("breaker", ["\n", "\r", "\u2028", "\x0b", "\x85"])
def test_a_value_cannot_forge_a_second_attribute_line(breaker: str) -> None:
    """Whatever breaks a line is escaped in both views, in the value and in the name."""
    attribute = Attribute(f"a{breaker}b", f"x{breaker}* rank: king")
    assert len(str(attribute.known()).splitlines()) == 1
    assert len(attribute.describe_for_system().splitlines()) == 1


VIEWERS = ("mira", "tomas", "bran", "")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("grant"), st.sampled_from(VIEWERS)),
        st.tuples(st.just("revoke"), st.sampled_from(VIEWERS)),
        st.tuples(st.sampled_from(["make_public", "make_private"]), st.just("")),
    ),
    max_size=30,
)


@given(STEPS)
def test_any_sequence_of_steps_equals_a_visibility_and_a_set(steps: list[tuple[str, str]]) -> None:
    """Access after any steps is what a flag and a set, kept beside, say it is."""
    attribute, is_public, allowed = private(), False, set[str]()
    for step, viewer in steps:
        if step in {"make_public", "make_private"}:
            getattr(attribute, step)()
            is_public, allowed = step == "make_public", set()
        elif step == "grant":
            changed = attribute.grant(viewer)
            assert changed == (not is_public and viewer not in allowed)
            allowed |= set() if is_public else {viewer}
        else:
            assert attribute.revoke(viewer) == (viewer in allowed)
            allowed.discard(viewer)
        for asked in VIEWERS:
            assert attribute.has_access(asked) == (is_public or asked in allowed)
