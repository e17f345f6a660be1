import pytest

from tierwise.errors import MisuseError
from tierwise.leaks import Secret, find_all_leaks, find_leaks


@pytest.mark.parametrize("value", ["", "   ", "\n\t"])
def test_empty_value_is_refused_as_a_missing_secret(value: str) -> None:
    """A secret without a visible character is refused, and the message says what to check."""
    with pytest.raises(MisuseError, match="An empty secret is a missing secret"):
        Secret(value, name="api key")


def test_empty_alias_is_refused() -> None:
    """An alias is searched for like the value, so an empty one is refused too."""
    with pytest.raises(MisuseError, match="api key"):
        Secret("zx-7f3a", aliases=("",), name="api key")


@pytest.mark.parametrize("field", ["aliases", "viewers"])
def test_bare_text_where_several_are_expected_is_refused(field: str) -> None:
    """A bare text would be taken letter by letter, so it is refused with what to write."""
    with pytest.raises(MisuseError, match=r"Write .*=\('mira',\)"):
        Secret("zx-7f3a", **{field: "mira"})


def test_value_that_is_no_text_is_refused() -> None:
    """A number is refused, and the message says how to give it."""
    with pytest.raises(MisuseError, match="str\\(value\\)"):
        Secret(42)  # type: ignore[arg-type]


def test_secret_is_frozen_and_hashable_whatever_it_was_given() -> None:
    """Lists and sets become tuples and frozen sets, so that a secret can be a key."""
    secret = Secret("zx-7f3a", aliases=["the code"], viewers={"mira"})  # type: ignore[arg-type]
    assert secret.aliases == ("the code",)
    assert secret.viewers == frozenset({"mira"})
    assert hash(secret) == hash(Secret("zx-7f3a", aliases=("the code",), viewers={"mira"}))  # type: ignore[arg-type]


def test_in_text_answers_whether_the_text_gives_it_away() -> None:
    """`in_text` is the one-word form of the finder."""
    secret = Secret("Blue Heron 42", aliases=("the marsh house",))
    assert secret.in_text("It is BLUE heron 42.")
    assert secret.in_text("She hid in The Marsh House")
    assert not secret.in_text("A heron stood there.")


@pytest.mark.parametrize("text", [None, b"zx-7f3a", 7])
def test_reply_that_is_no_text_is_refused(text: object) -> None:
    """A missing reply is never a clean reply."""
    with pytest.raises(MisuseError, match="expected a str"):
        Secret("zx-7f3a").in_text(text)  # type: ignore[arg-type]


def test_text_in_place_of_a_secret_is_refused() -> None:
    """The message says what to write."""
    with pytest.raises(MisuseError, match=r"write Secret\('zx-7f3a'\)"):
        find_leaks("hello", "zx-7f3a")  # type: ignore[arg-type]
    with pytest.raises(MisuseError, match=r"write \[Secret"):
        find_all_leaks("hello", "zx-7f3a")  # type: ignore[arg-type]
