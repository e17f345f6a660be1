"""Files that the harness itself uses while a test runs: nobody's touch, each really used."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest
from coverage import CoverageData
from hypothesis.database import DirectoryBasedExampleDatabase

from tierwise.domain import Capability
from tierwise.sandbox import Policy, PolicyViolation, Sandbox

if TYPE_CHECKING:
    from pathlib import Path

    from tierwise.sandbox.slot import Slot


def test_making_tmp_path_is_free_and_writing_into_it_is_not(
    sandbox: Sandbox, nothing: Policy, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A test that asks for tmp_path has touched nothing yet."""
    with sandbox.acting(nothing):
        folder = tmp_path_factory.mktemp("asked")
        assert sandbox.pending() == ()
        with pytest.raises(PolicyViolation):
            (folder / "x").write_text("x")
    assert sandbox.take("test_it")[0].capability is Capability.TMP


def test_pytester_is_no_way_round(
    sandbox: Sandbox, nothing: Policy, pytester: pytest.Pytester
) -> None:
    """What a test has pytester write, the test writes."""
    with sandbox.acting(nothing), pytest.raises(PolicyViolation):
        pytester.makepyfile("x = 1")
    assert sandbox.take("test_it")[0].capability is Capability.TMP


def test_rewritten_assertions_are_free(
    sandbox: Sandbox, nothing: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A helper that is imported late is read, rewritten and cached by pytest."""
    (tmp_path / "lazy_helper.py").write_text("def check(x):\n    assert x\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    pytest.register_assert_rewrite("lazy_helper")
    with sandbox.acting(nothing):
        import lazy_helper  # type: ignore[import-not-found]  # noqa: F401, PLC0415
    del sys.modules["lazy_helper"]
    assert sandbox.pending() == ()
    assert list((tmp_path / "__pycache__").glob("*pytest*.pyc"))


def test_capturing_descriptors_is_free(
    sandbox: Sandbox, nothing: Policy, request: pytest.FixtureRequest
) -> None:
    """Asking for capfd makes temporary files that are pytest's."""
    with sandbox.acting(nothing):
        request.getfixturevalue("capfd")
    assert sandbox.pending() == ()


def test_coverage_data_is_free(sandbox: Sandbox, nothing: Policy, tmp_path: Path) -> None:
    """Coverage may save in the middle of a test."""
    with sandbox.acting(nothing):
        data = CoverageData(str(tmp_path / ".coverage"))
        data.add_lines({"a.py": [1]})
        data.write()
        data.close()
    assert sandbox.pending() == ()


def test_hypothesis_examples_are_free(sandbox: Sandbox, nothing: Policy, tmp_path: Path) -> None:
    """Hypothesis keeps what it has found."""
    with sandbox.acting(nothing):
        database = DirectoryBasedExampleDatabase(tmp_path / "examples")
        database.save(b"key", b"value")
        assert list(database.fetch(b"key")) == [b"value"]
    assert sandbox.pending() == ()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_has_no_other_threads(sandbox: Sandbox, nothing: Policy) -> None:
    """Idents of threads that a fork left behind may be given out again in the child."""
    from tierwise.sandbox.slot import SLOT, Owner  # noqa: PLC0415

    slot: Slot = SLOT
    with sandbox.acting(nothing):
        owner = sandbox.acting_owner
    assert isinstance(owner, Owner)
    slot.threads[-1] = owner
    try:
        child = os.fork()
        if child == 0:
            os._exit(0 if -1 not in slot.threads else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert -1 in slot.threads
    finally:
        slot.threads.pop(-1, None)
