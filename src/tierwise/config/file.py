"""Read pyproject.toml."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tierwise.config.parsing import parse_config
from tierwise.errors import ConfigError

if TYPE_CHECKING:
    from tierwise.config.model import Config
    from tierwise.domain import Mode


def load_config(root: Path, *, mode: Mode | None = None) -> Config:
    """Return the configuration of the project at `root`; `mode` overrides the written one.

    The table is looked for in `root` and then in the folders above it, up to the repository's
    top; the folder where it is found becomes `Config.root`. Raises ConfigError.
    """
    for folder in _up_to_repository(Path(root)):
        table = _read_table(folder / "pyproject.toml")
        if table is not None:
            return parse_config(table, folder, mode=mode)
    return parse_config(None, root, mode=mode)


def _up_to_repository(root: Path) -> list[Path]:
    folders = [root]
    for folder in root.parents:
        if (folders[-1] / ".git").exists():
            return folders
        folders.append(folder)
    return [root]  # no repository around it: the folders above belong to someone else


def _read_table(path: Path) -> dict[str, object] | None:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.") from error
    if "tierwise" not in text:  # most projects: spare them the parser
        return None
    return _parse_table(text, path)


def _parse_table(text: str, path: Path) -> dict[str, object] | None:
    import tomllib  # noqa: PLC0415  a project without a table pays nothing

    try:
        tool = tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}. Nothing was read.") from error
    table = tool.get("tierwise") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{path}: tool.tierwise is {table!r}, expected a table [tool.tierwise].")
    return table
