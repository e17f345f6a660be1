"""What changes in the environment of a session whose tests may not reach the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain.fake_keys import FAKE_KEYS, REMOVED_KEYS, REPLACED_KEYS
from tierwise.sandbox.environment.names import DOWNLOADS, PROXIES, WINDOWS, XDG, is_named

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.config import EnvironmentConfig

    Changes = dict[str, str | None]


def plan_changes(
    environ: Mapping[str, str],
    settings: EnvironmentConfig,
    *,
    home: str,
    true_home: str,
    exists: Callable[[str], bool],
    windows: bool = False,
) -> Changes:
    """Return which variables get which value; None takes one away.

    `home` is the temporary folder, `true_home` the one that it stands in for, whose downloads
    stay in use: a variable that is set already says where they are and is left alone.
    """
    changes: Changes = {}
    if settings.fake_keys:
        changes |= FAKE_KEYS
        changes |= {name: key for name, key in REPLACED_KEYS.items() if name in environ}
        changes |= {name: None for name in REMOVED_KEYS if name in environ}
    if settings.proxies == "removed":
        changes |= {name: None for name in PROXIES if name in environ}
    if settings.home == "temporary":
        changes |= _find_downloads(environ, true_home, exists)
        changes |= {name: f"{home}/{below}" for name, below in XDG.items()}
        changes["HOME"] = home
        if windows:
            changes |= {name: f"{home}/{below}".rstrip("/") for name, below in WINDOWS.items()}
    return {name: value for name, value in changes.items() if not is_named(name, settings.keep)}


def write_git_config(project_root: str) -> str:
    """Return the one file of a temporary home: who commits, and that the project may be read.

    Without it `git commit` fails in a test, and so does any look at a project that another user
    owns, as in a container.
    """
    root = project_root.replace("\\", "/").replace('"', '\\"')
    return (
        "[user]\n\tname = tierwise\n\temail = tests@tierwise.invalid\n"
        f'[safe]\n\tdirectory = "{root}"\n'
    )


def _find_downloads(
    environ: Mapping[str, str], home: str, exists: Callable[[str], bool]
) -> dict[str, str]:
    known = {
        "home": home,
        "cache": environ.get("XDG_CACHE_HOME") or f"{home}/.cache",
        "config": environ.get("XDG_CONFIG_HOME") or f"{home}/.config",
        "data": environ.get("XDG_DATA_HOME") or f"{home}/.local/share",
        # A tool's own variable, when it is set, has the folder already.
        "HF_HOME": environ.get("HF_HOME") or f"{home}/.cache/huggingface",
    }
    found = {}
    for name, places in DOWNLOADS.items():
        paths = (place.format_map(known) for place in places)
        path = next((path for path in paths if exists(path)), None)
        if path is not None and name not in environ:
            found[name] = path
    return found
