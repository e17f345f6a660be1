from __future__ import annotations

import pytest

from tierwise.contracts import UnobservableError
from tierwise.doubles.gateway.vendors import ENVIRONMENT
from tierwise.errors import MisuseError
from tierwise.live import RequireSecret

KEY = RequireSecret("VENDOR_KEY")


def test_a_secret_is_returned_without_blanks() -> None:
    """A line break at the end of a pasted key is no part of it."""
    assert KEY.get({"VENDOR_KEY": " sk-4f2a9c \n"}) == "sk-4f2a9c"
    assert KEY.why_missing({"VENDOR_KEY": "sk-4f2a9c"}) is None


@pytest.mark.parametrize("value", ["", "  ", "\n", '""', "''", '" "'])
def test_an_empty_secret_is_a_missing_one(value: str) -> None:
    """A build without the secret often gets an empty string, and then a 401 for an outage."""
    with pytest.raises(UnobservableError, match="VENDOR_KEY is empty"):
        KEY.get({"VENDOR_KEY": value})


def test_a_secret_that_is_not_set_is_missing() -> None:
    """The reason names the variable."""
    with pytest.raises(UnobservableError, match="VENDOR_KEY is not set"):
        KEY.get({})


@pytest.mark.parametrize(
    "value",
    [
        "changeme",
        "CHANGEME",
        "your-api-key",
        "YOUR_API_KEY_HERE",
        "<your key>",
        "xxxx",
        "****",
        "sk-...",
        "sk-ant-xxxxxxxx",
        "${VENDOR_KEY}",
        "$VENDOR_KEY",
        "{{ secrets.KEY }}",
        "${{ secrets.KEY }}",
        "%KEY%",
        "None",
        "null",
        "undefined",
        "todo",
        "insert key here",
        "'dummy'",
    ],
)
def test_a_placeholder_is_a_missing_secret(value: str) -> None:
    """What a template leaves behind is not sent to the vendor."""
    assert KEY.why_missing({"VENDOR_KEY": value}) == (
        "VENDOR_KEY holds a placeholder, which is the same as not set"
    )


FAKE = [value for name, value in ENVIRONMENT.items() if name.endswith("_KEY") and value]


@pytest.mark.parametrize("value", FAKE)
def test_the_keys_of_the_gateway_are_no_secrets(value: str) -> None:
    """The obviously fake keys that the gateway puts in place never go to a real vendor."""
    assert len(FAKE) >= 3
    assert KEY.why_missing({"VENDOR_KEY": value}) is not None


@pytest.mark.parametrize(
    "value", ["sk-proj-A1b2C3d4", "AIzaSyD-9tSrke72I6e0DVQ", "hunter2", "nonet", "x1", "mytoken9"]
)
def test_what_may_be_a_secret_is_one(value: str) -> None:
    """A guess about what a key looks like would skip tests in silence."""
    assert KEY.get({"VENDOR_KEY": value}) == value


def test_a_placeholder_of_ones_own_is_known_when_it_is_said() -> None:
    """A project may have its own word for no key."""
    key = RequireSecret("VENDOR_KEY", placeholders=("offline",))
    assert key.why_missing({"VENDOR_KEY": "offline"}) is not None
    assert KEY.why_missing({"VENDOR_KEY": "offline"}) is None


def test_no_reason_shows_the_value() -> None:
    """Even a placeholder may be half a secret."""
    reason = RequireSecret("K", placeholders=("s3cr3t",)).why_missing({"K": "s3cr3t"})
    assert reason is not None
    assert "s3cr3t" not in reason


def test_the_environment_of_the_process_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without another mapping the process's own variables are read, when it is asked for."""
    monkeypatch.setenv("VENDOR_KEY", "k-1")
    assert KEY.get() == "k-1"
    monkeypatch.delenv("VENDOR_KEY")
    assert KEY.why_missing() == "VENDOR_KEY is not set"


def test_a_secret_in_place_of_its_name_is_refused_and_not_shown() -> None:
    """Whoever hands in the key itself must not find it in a report."""
    with pytest.raises(MisuseError, match="not the secret") as caught:
        RequireSecret("sk-ant-0123456789abcdef")
    assert "0123456789" not in str(caught.value)
    with pytest.raises(MisuseError, match="names no environment variable"):
        RequireSecret("A KEY")
