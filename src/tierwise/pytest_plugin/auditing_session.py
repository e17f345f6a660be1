"""What an audit is told of the session as a whole."""

from __future__ import annotations

import pytest

_SETTINGS = (
    *("testpaths", "python_files", "python_classes", "python_functions", "norecursedirs"),
    "addopts",
)


def describe_session(config: pytest.Config) -> dict[str, object]:
    """Return where pytest's root is, what it reads, what it was asked and who else is there."""
    return {
        "rootdir": str(config.rootpath),
        "inifile": _name_inifile(config),
        "args": [str(argument) for argument in config.args],
        "pytest": pytest.__version__,
        "settings": {name: read_setting(config, name) for name in _SETTINGS},
        "keyword": str(config.getoption("keyword", "") or ""),
        "marks": str(config.getoption("markexpr", "") or ""),
        "plugins": sorted(
            {
                f"{found.metadata['Name']} {found.version}"
                for _, found in config.pluginmanager.list_plugin_distinfo()
            }
        ),
    }


def _name_inifile(config: pytest.Config) -> str:
    path, root = config.inipath, config.rootpath
    if path is None:
        return ""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def read_setting(config: pytest.Config, name: str) -> list[str]:
    """Return what the project's ini file, or pytest's default, says for a name."""
    try:
        found = config.getini(name)
    except (KeyError, ValueError):
        return []
    return [str(entry) for entry in found] if isinstance(found, list | tuple) else [str(found)]
