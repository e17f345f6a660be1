"""The key that goes out with a call: which variable has it, and what no key may hold."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from tierwise.errors import MisuseError
from tierwise.providers.protocol import Failure, FailureKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key as it was found just now; its value is empty where no variable has one."""

    variable: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Keys:
    """The environment variables that a key is looked for in, the first one first."""

    variables: tuple[str, ...]

    def read(self) -> Key:
        """Return the key; it is read anew each time, so that a renewed one is used."""
        found = [(name, os.environ.get(name, "").strip()) for name in self.variables]
        name, value = next((one for one in found if one[1]), found[-1])
        if not all("!" <= char <= "~" for char in value):
            raise MisuseError(
                f"The key in {name} holds a blank, a control character or one beyond ASCII, "
                "which no header can carry. Set it to the key alone."
            )
        return Key(variable=name, value=value)

    def refuse_missing(self, key: Key, *, asker: str) -> Failure | None:
        """Return the failure of a call that can't be made, where there is no key for it."""
        if key.value:
            return None
        return Failure(
            kind=FailureKind.AUTH,
            message=f"{asker} was not asked: {' or '.join(reversed(self.variables))} is not set. "
            "Set it to a key, or name the variable that has one by key_env.",
        )


def choose_keys(key_env: str | None, own: tuple[str, ...], *, owner: str, otherwise: str) -> Keys:
    """Return where the key is; a variable that is named and not set is told at once.

    `otherwise` says what leaving `key_env` out does.
    """
    keys = Keys(own if key_env is None else (key_env,))
    if not keys.read().value and key_env is not None:
        raise MisuseError(
            f"key_env of {owner} names {key_env}, and no such variable is set. Set it, or leave "
            f"key_env out {otherwise}."
        )
    return keys
