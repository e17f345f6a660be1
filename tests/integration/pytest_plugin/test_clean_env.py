"""The fixture `clean_env`, among other fixtures that change the environment."""

import os
from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]


def everything() -> dict[str, str]:
    # A session inside takes this one with it.
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}


def test_a_test_sees_only_what_a_process_needs(
    project: Project, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what its parameter keeps; afterwards all is as it was."""
    monkeypatch.setenv("TW_THERE", "before")
    monkeypatch.setenv("TW_OTHER", "before")
    test = """
        import os, pytest
        @pytest.mark.usefixtures("clean_env")
        def test_mark():
            assert "PATH" in os.environ and "TW_THERE" not in os.environ
        @pytest.mark.parametrize("clean_env", [["TW_TH*"]], indirect=True)
        def test_keep(clean_env):
            assert clean_env is os.environ
            assert "TW_THERE" in clean_env and "TW_OTHER" not in clean_env
        def test_plain():
            assert os.environ["TW_THERE"] == os.environ["TW_OTHER"] == "before"
    """
    project({"tests/unit/test_u.py": test})
    before = everything()
    run().assert_outcomes(passed=3)
    assert everything() == before


def test_it_gets_on_with_monkeypatch_in_any_order(
    project: Project, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the test sets is gone, and what was there before is back."""
    monkeypatch.setenv("TW_THERE", "before")
    test = """
        import os, pytest
        @pytest.fixture
        def early(monkeypatch):
            monkeypatch.setenv("TW_EARLY", "1")
        def test_a(early, clean_env, monkeypatch):
            monkeypatch.setenv("TW_THERE", "patched")
            monkeypatch.delenv("PATH")
            os.environ["TW_LEAK"] = "1"
        def test_b(clean_env):
            os.environ.clear()
        def test_c(clean_env):
            assert False
    """
    project({"tests/unit/test_u.py": test})
    before = everything()
    run().assert_outcomes(passed=2, failed=1)
    assert everything() == before
