"""One table of the configuration, read key by key; whatever is not understood is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.errors import ConfigError, suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A table with the name that its author would look for, such as `tool.tierwise.evals`."""

    name: str
    values: Mapping[str, object]

    def refuse(self, message: str) -> ConfigError:
        """Return the error to raise, with the place in front of the message."""
        return ConfigError(f"pyproject.toml, [{self.name}]: {message}")


def check_keys(section: Section, valid: Iterable[str]) -> None:
    """Raise ConfigError for the first key that is not in `valid`."""
    names = tuple(valid)
    for key in section.values:
        if key not in names:
            raise section.refuse(f"there is no key {key!r}.{suggest(key, names)}")


def text(section: Section, key: str, default: str = "") -> str:
    """Return the string under `key`."""
    value = section.values.get(key, default)
    if not isinstance(value, str):
        raise section.refuse(f"{key} is {_shown(value)}, expected a string.")
    return value


def flag(section: Section, key: str, *, default: bool = False) -> bool:
    """Return the boolean under `key`."""
    value = section.values.get(key, default)
    if not isinstance(value, bool):
        raise section.refuse(f"{key} is {_shown(value)}, expected true or false.")
    return value


def choice(section: Section, key: str, valid: Iterable[str], *, default: str) -> str:
    """Return the string under `key`, one of `valid`."""
    names = tuple(valid)
    value = text(section, key, default)
    if value not in names:
        raise section.refuse(f"{key} is {value!r}.{suggest(value, names)}")
    return value


def texts(section: Section, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the list of strings under `key`, as a tuple."""
    value = section.values.get(key, list(default))
    if isinstance(value, str):
        raise section.refuse(f'{key} is a string, expected a list: {key} = ["{value}"].')
    if not isinstance(value, list):
        raise section.refuse(f"{key} is {_shown(value)}, expected a list of strings.")
    for entry in value:
        if not isinstance(entry, str):
            raise section.refuse(f"{key} holds {_shown(entry)}, expected only strings.")
    return tuple(value)


def whole_number(section: Section, key: str, *, default: int, at_least: int) -> int:
    """Return the integer under `key`."""
    value = section.values.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < at_least:
        raise section.refuse(
            f"{key} is {_shown(value)}, expected a whole number of {at_least} or more."
        )
    return value


def positive_number(section: Section, key: str, *, default: float) -> float:
    """Return the number under `key`, which is above zero and finite."""
    value = section.values.get(key, default)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 < value < float("inf"):  # type: ignore[operator]  # narrowed above
        raise section.refuse(f"{key} is {_shown(value)}, expected a number above 0.")
    return float(value)  # type: ignore[arg-type]  # narrowed above


def share(section: Section, key: str, *, default: float = 0.0) -> float:
    """Return the number under `key`, from 0 to 1."""
    value = section.values.get(key, default)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise section.refuse(f"{key} is {_shown(value)}, expected a share from 0 to 1.")
    return float(value)


def table(section: Section, key: str) -> Section | None:
    """Return the table under `key` as a section of its own; None when there is none."""
    value = section.values.get(key)
    if value is None:
        return None
    if not isinstance(value, dict):
        raise section.refuse(f"{key} is {_shown(value)}, expected a table [{section.name}.{key}].")
    return Section(name=f"{section.name}.{key}", values=value)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value)
