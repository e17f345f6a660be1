"""What `--executor` may say."""

from __future__ import annotations

import sys

import pytest

from tierwise.errors import EvalUsageError, MissingExtraError
from tierwise.evals.remote.choosing import read_executor
from tierwise.evals.remote.ray_executor import require_ray


@pytest.mark.parametrize(
    ("text", "is_local", "address"),
    [
        ("local", True, None),
        ("ray", False, None),
        ("ray:auto", False, "auto"),
        ("ray:10.0.0.1:6379", False, "10.0.0.1:6379"),
        ("ray://head:10001", False, "ray://head:10001"),
    ],
)
def test_each_executor_is_read(text: str, is_local: bool, address: str | None) -> None:  # noqa: FBT001
    """With the address of the cluster that it joins."""
    choice = read_executor(text)
    assert (choice.is_local, choice.address) == (is_local, address)


@pytest.mark.parametrize("text", ["rai", "ray://", "ray:", "ray:head", "raylocal", ""])
def test_an_unknown_executor_is_refused(text: str) -> None:
    """With those that there are."""
    with pytest.raises(EvalUsageError, match=r"no such executor.*Expected one of: local, ray"):
        read_executor(text)


def test_the_closest_executor_is_named() -> None:
    """A slip of the finger."""
    with pytest.raises(EvalUsageError, match=r"Did you mean 'local'\?"):
        read_executor("locl")


def test_workers_of_this_process_are_refused() -> None:
    """They would do nothing, and somebody thinks that they do."""
    with pytest.raises(EvalUsageError, match=r"--workers 4: .*--executor ray"):
        read_executor("local", workers=4)


def test_a_missing_ray_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is collected or spent."""
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tierwise\[ray\]'"):
        require_ray()
