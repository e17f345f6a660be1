"""Which ticket a reason names."""

from __future__ import annotations

import pytest

from tierwise.domain.gaps import find_ticket
from tierwise.domain.masking import Masker


@pytest.mark.parametrize(
    ("reason", "ticket"),
    [
        ("FORGE-569: the load is lost", "FORGE-569"),
        ("lost, see https://tracker.test/issue/7.", "https://tracker.test/issue/7"),
        ("lost (#12)", "#12"),
        ("see GH-12", "GH-12"),
        ("issue 44 is open", "issue 44"),
        ("UTF-8 is not read, see ACL-3", "ACL-3"),
        ("no ticket here", ""),
        ("half of utf-16 and a#1", ""),
        ("", ""),
    ],
)
def test_the_ticket_is_what_the_reason_names(reason: str, ticket: str) -> None:
    """Addresses, keys of trackers and numbers with a hash are tickets; encodings are none."""
    assert find_ticket(reason) == ticket


def test_names_that_differ_in_their_secrets_alone_stay_two() -> None:
    """Two tests named by two keys are two tests, and neither name holds its key."""
    mask = Masker(["hunter2-long"])
    keys = "sk-" + "a" * 30, "sk-" + "b" * 30
    first, second = (mask.name(f"t.py::test[{key}]") for key in keys)
    assert first.startswith("t.py::test[[masked key]]~")
    assert first != second == mask.name(f"t.py::test[{keys[1]}]")
    assert "hunter2" not in mask.name("t.py::test[hunter2-long]")
    assert mask.name("t.py::test[plain]") == "t.py::test[plain]"
