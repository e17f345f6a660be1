"""What is searched for: each form of a secret, made ready for each way of looking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.leaks.fitting import Outline, outline_of
from tierwise.leaks.folding import BARRIER, Folding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.leaks.secret import Secret

SHORTEST = 4
"""Letters and digits under which only the plain ways are tried; the others would hit by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The value or an alias of a secret, folded."""

    secret: int
    """The position of its secret among those that are searched for."""
    label: str
    value: str
    squashed: str
    outline: Outline

    @property
    def is_short(self) -> bool:
        """Say whether only the plain ways are tried."""
        return len(self.squashed) < SHORTEST


def forms_of(secrets: Iterable[Secret], folding: Folding) -> tuple[Form, ...]:
    """Return every form of every secret, in their order."""
    table = folding.squash
    return tuple(
        Form(
            secret=index,
            label=secret.label,
            value=value.strip().replace(BARRIER, " "),
            squashed=value.translate(table),
            outline=outline_of(value, lambda char: table[ord(char)]),
        )
        for index, secret in enumerate(secrets)
        for value in secret.forms
    )
