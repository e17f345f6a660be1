import os
from collections.abc import Iterator

import pytest

from tierwise import clean_env, mock_process_env
from tierwise.errors import MisuseError
from tierwise.sandbox.slot import SLOT


def everything() -> dict[str, str]:
    # pytest changes this one between the phases.
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}


def forget() -> None:
    with mock_process_env():
        mock_process_env({"TW_NEW": "forgotten"})


def forget_and_fail() -> None:
    with mock_process_env():
        mock_process_env({"TW_NEW": "forgotten"})
        raise ZeroDivisionError


def leak_and_fail() -> None:
    with clean_env(), clean_env(keep=["X"]):
        os.environ["TW_NEW"] = "leaked"
        os.environ["PATH"] = "nowhere"
        raise ZeroDivisionError


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TW_THERE", "before")
    monkeypatch.delenv("TW_NEW", raising=False)
    before = everything()
    yield
    assert everything() == before
    assert SLOT.mocked == []


def test_values_are_set_and_none_takes_away() -> None:
    """At once, and until it is called."""
    restore = mock_process_env({"TW_NEW": "1", "TW_THERE": None})
    assert os.environ.get("TW_NEW") == "1"
    assert "TW_THERE" not in os.environ
    restore()
    assert os.environ["TW_THERE"] == "before"


def test_a_module_that_holds_the_environment_sees_the_change() -> None:
    """It stays the same object, in both directions."""
    held = os.environ
    with mock_process_env({"TW_NEW": "1"}):
        assert held is os.environ
        assert held["TW_NEW"] == "1"


def test_clear_leaves_what_is_named() -> None:
    """And what pytest itself keeps there, which it would miss."""
    with mock_process_env({"TW_NEW": "1"}, clear=True):
        assert set(os.environ) == {"TW_NEW", "PYTEST_CURRENT_TEST"}


def test_what_the_code_under_test_changes_is_put_back_as_well() -> None:
    """All of the environment is what it was, not only what was named."""
    with mock_process_env():
        os.environ["TW_NEW"] = "leaked"
        del os.environ["TW_THERE"]


def test_putting_back_twice_is_once() -> None:
    """The second time would undo what came since."""
    restore = mock_process_env({"TW_THERE": "x"})
    restore()
    with mock_process_env({"TW_THERE": "y"}):
        restore()
        assert os.environ["TW_THERE"] == "y"


def test_changes_nest() -> None:
    """Each puts back what it found."""
    with mock_process_env({"TW_THERE": "outer"}):
        with mock_process_env({"TW_THERE": "inner"}, clear=True):
            assert os.environ["TW_THERE"] == "inner"
        assert os.environ["TW_THERE"] == "outer"


def test_putting_back_out_of_order_is_told_and_brings_nothing_back_to_life() -> None:
    """The later change ends with the earlier one; its own end then changes nothing."""
    outer = mock_process_env({"TW_THERE": "outer"})
    inner = mock_process_env({"TW_NEW": "inner"})
    with pytest.raises(MisuseError, match=r"test_mocking\.py:\d+ was put back while") as told:
        outer()
    assert told.value.args[0].count("test_mocking.py:") == 2
    assert (os.environ["TW_THERE"], os.environ.get("TW_NEW")) == ("before", None)
    inner()
    assert os.environ.get("TW_NEW") is None


def test_a_change_that_was_forgotten_in_a_block_is_told_at_its_end() -> None:
    """It ends there, and an error of the block itself comes first."""
    with pytest.raises(MisuseError, match="reverse order"):
        forget()
    with pytest.raises(ZeroDivisionError) as raised:
        forget_and_fail()
    assert "reverse order" in raised.value.__notes__[0]


@pytest.mark.parametrize(
    ("overrides", "complaint"),
    [
        ({"TW_NEW": 1}, "int for TW_NEW, expected a string"),
        ({"TW_NEW": "secret\0value"}, "null byte for TW_NEW"),
        ({"": "x"}, "the name ''"),
        ({"A=B": "x"}, "the name 'A=B'"),
        ({1: "x"}, "the name 1"),
    ],
)
def test_what_no_environment_can_hold_is_refused_before_anything_changes(
    overrides: dict[str, str], complaint: str
) -> None:
    """The value is never shown: it may be a key."""
    with pytest.raises(MisuseError, match=r"expected|null byte") as refused:
        mock_process_env({"TW_THERE": "changed", **overrides})
    assert complaint in str(refused.value)
    assert "secret" not in str(refused.value)
    assert os.environ["TW_THERE"] == "before"


def test_a_clean_environment_has_what_a_process_needs() -> None:
    """And what is to be kept, by name or pattern."""
    there = mock_process_env({"LC_ALL": "C", "TW_KEPT_1": "1"})
    with there, clean_env(keep=["TW_KEPT_*"]) as environ:
        assert environ is os.environ
        assert {"PATH", "LC_ALL", "TW_KEPT_1", "PYTEST_CURRENT_TEST"} <= set(environ)
        assert "TW_THERE" not in environ
    assert os.environ["TW_THERE"] == "before"


def test_a_clean_environment_is_put_back_exactly_after_an_error() -> None:
    """Nested, too, and whatever the block has done to it."""
    with pytest.raises(ZeroDivisionError):
        leak_and_fail()


def test_keep_is_a_list() -> None:
    """A string would be taken for its letters."""
    with pytest.raises(MisuseError, match=r'keep=\["HOME"\]'), clean_env(keep="HOME"):
        pass
