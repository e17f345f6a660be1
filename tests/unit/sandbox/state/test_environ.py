"""Whether the environment is as it was, asked around each test."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tierwise.sandbox.state import environ

BEFORE = {"HOME": "/here", "PATH": "/bin", "TZ": "UTC"}
OWN = {"PYTEST_CURRENT_TEST": "test_it.py::test (call)"}


@pytest.mark.parametrize(
    ("now", "is_same"),
    [
        (BEFORE, True),
        (BEFORE | OWN, True),
        (OWN | BEFORE, True),
        (dict(reversed([*BEFORE.items()])), True),
        (BEFORE | {"TZ": "Europe/Rome"}, False),
        (BEFORE | OWN | {"NEW": "1"}, False),
        (OWN | BEFORE | {"NEW": "1"}, False),
        ({"HOME": "/here", "PATH": "/bin"} | OWN, False),
        ({"HOME": "/here", "PATH": "/bin", "ZONE": "UTC"}, False),
        ({"HOME": "/bin", "PATH": "/here", "TZ": "UTC"}, False),
    ],
    ids=[
        *("as it was", "pytest's own last", "pytest's own first", "another order", "changed"),
        *("one more", "one more of another order", "one less", "renamed", "swapped"),
    ],
)
def test_the_environment_is_told_from_another(
    now: dict[str, str], *, is_same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names and values count, their order does not, and what pytest sets itself is no change."""
    process = SimpleNamespace(environ=SimpleNamespace(_data=BEFORE))
    monkeypatch.setattr(environ, "os", process)
    monkeypatch.setattr(environ, "_KEYS", tuple(OWN))
    kept = environ.take()
    process.environ = SimpleNamespace(_data=now)

    assert environ.is_same(kept) is is_same
