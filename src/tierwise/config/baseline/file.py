"""The file that a baseline is kept in: small, sorted, made to be reviewed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tierwise.config.baseline.entries import Baseline, Entry, order_of
from tierwise.domain import Capability
from tierwise.errors import ConfigError, suggest

if TYPE_CHECKING:
    from pathlib import Path

NAME = "tierwise-baseline.json"
VERSION = 1
_REQUIRED = ("test", "capability", "target")
_KEYS = (*_REQUIRED, "reason")


def load_baseline(path: Path) -> Baseline | None:
    """Return a project's baseline; None when it has none. ConfigError when it is not readable."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The baseline {NAME} cannot be read: {error}.") from error
    return read_baseline(text)


def write_baseline(baseline: Baseline) -> str:
    """Return the text of a baseline: a line for each entry, so that a change is easily seen."""
    lines = [
        "    " + json.dumps(_plain(entry), ensure_ascii=False)
        for entry in sorted(baseline.entries, key=order_of)
    ]
    entries = "[\n" + ",\n".join(lines) + "\n  ]" if lines else "[]"
    return f'{{\n  "version": {VERSION},\n  "accepted": {entries}\n}}\n'


def read_baseline(text: str) -> Baseline:
    """Return what a text accepts; ConfigError, which names the entry, for any other text."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refuse(f"it is no JSON ({error})") from error
    if not isinstance(found, dict) or found.get("version") != VERSION:
        version = found.get("version") if isinstance(found, dict) else None
        raise _refuse(f"its version is {version!r}, expected {VERSION}")
    accepted = found.get("accepted")
    if not isinstance(accepted, list):
        raise _refuse("it has no list `accepted`")
    return Baseline(entries=tuple(_entry(each, n) for n, each in enumerate(accepted, start=1)))


def _entry(value: object, number: int) -> Entry:
    where = f"entry {number} of `accepted`"
    if not isinstance(value, dict):
        raise _refuse(f"{where} is {value!r}, expected a table")
    for key, text in value.items():
        if key not in _KEYS:
            raise _refuse(f"{where} has a key {key!r}.{suggest(str(key), _KEYS)}")
        if not isinstance(text, str) or not text:
            raise _refuse(f"{where}: {key} is {text!r}, expected a text")
    for key in _REQUIRED:
        if key not in value:
            raise _refuse(f"{where} has no {key!r}")
    names = [str(capability) for capability in Capability]
    if value["capability"] not in names:
        found = value["capability"]
        raise _refuse(f"{where}: there is no capability {found!r}.{suggest(found, names)}")
    return Entry(
        test=value["test"],
        capability=Capability(value["capability"]),
        target=value["target"],
        reason=value.get("reason", ""),
    )


def _plain(entry: Entry) -> dict[str, str]:
    plain = {
        "test": entry.test,
        "capability": str(entry.capability),
        "target": entry.target,
    }
    return plain | ({"reason": entry.reason} if entry.reason else {})


def _refuse(what: str) -> ConfigError:
    return ConfigError(
        f"The baseline {NAME} was not understood: {what.rstrip('.')}. Mend it, or take the file "
        "away and write it anew by `tierwise baseline`."
    )
