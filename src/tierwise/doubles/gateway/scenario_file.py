"""Reads scenario files, TOML or YAML."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tierwise.errors import MissingExtraError, MisuseError

if TYPE_CHECKING:
    import os

    from tierwise.doubles.gateway.gateway import Gateway


def load_scenario(path: str | os.PathLike[str]) -> Gateway:
    """Return a gateway with the settings and the rules of a scenario file, TOML or YAML."""
    from tierwise.doubles.gateway.gateway import Gateway  # noqa: PLC0415  it loads files too

    return Gateway().load(path)


def read_scenario(path: str | os.PathLike[str]) -> Any:  # noqa: ANN401  whatever the file holds
    """Return what a file says; raises `MisuseError` with its name where it cannot be read."""
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise MisuseError(f"The scenario {file} cannot be read: {error.strerror}.") from error
    if file.suffix == ".toml":
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise MisuseError(f"The scenario {file} is no TOML: {error}.") from error
    if file.suffix in (".yaml", ".yml"):
        return _read_yaml(text, file)
    raise MisuseError(f"The scenario {file} ends in {file.suffix!r}; expected .toml or .yaml.")


def _read_yaml(text: str, file: Path) -> Any:  # noqa: ANN401  as above
    try:
        import yaml  # noqa: PLC0415  a package of an extra
    except ImportError as error:
        raise MissingExtraError(
            f"The scenario {file} is YAML, which needs the package pyyaml: "
            "pip install 'tierwise[gateway]'. TOML needs nothing."
        ) from error
    try:
        _refuse_repeated_keys(yaml.compose(text, Loader=yaml.SafeLoader), file)
        return yaml.safe_load(text)
    except RecursionError as error:
        raise MisuseError(
            f"The scenario {file} is nested too deeply; expected a table of settings and rules."
        ) from error
    except yaml.YAMLError as error:
        raise MisuseError(f"The scenario {file} is no YAML: {error}.") from error


def _refuse_repeated_keys(root: Any, file: Path) -> None:  # noqa: ANN401  pyyaml has no types
    """Raise for a key that stands twice in one table: YAML would drop the first silently."""
    waiting, seen = [root], set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen or node is None or isinstance(node.value, str):
            continue
        seen.add(id(node))
        if node.id == "sequence":
            waiting += node.value
            continue
        lines: dict[str, int] = {}
        for key, value in node.value:
            waiting.append(value)
            if not isinstance(key.value, str):
                continue
            line = key.start_mark.line + 1
            if key.value in lines and key.value != "<<":
                raise MisuseError(
                    f"The scenario {file} has the key {key.value!r} twice in one table, in lines "
                    f"{lines[key.value]} and {line}; keep one."
                )
            lines[key.value] = line
