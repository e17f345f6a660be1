"""What is searched for: each form of a secret, folded and read once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.leaks.dates import Date, date_of
from tierwise.leaks.fitting import Outline, outline_of
from tierwise.leaks.folding import BARRIER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.leaks.reading import Reading
    from tierwise.leaks.secret import Secret
    from tierwise.leaks.tokens import Token

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
    tokens: tuple[Token, ...]
    dates: frozenset[Date]

    @property
    def is_short(self) -> bool:
        """Say whether only the plain ways are tried."""
        return len(self.squashed) < SHORTEST


def forms_of(secrets: Iterable[Secret], reading: Reading) -> tuple[Form, ...]:
    """Return every form of every secret, in their order."""
    return tuple(
        read_form(value, label=secret.label, secret=index, reading=reading)
        for index, secret in enumerate(secrets)
        for value in secret.forms
    )


def read_form(value: str, *, label: str, secret: int, reading: Reading) -> Form:
    """Return one value or alias, folded and read."""
    table = reading.squash
    clean = value.strip().replace(BARRIER, " ")
    tokens = tuple(reading.tokenizer.read(clean))
    return Form(
        secret=secret,
        label=label,
        value=clean,
        squashed=clean.translate(table),
        outline=outline_of(clean, lambda char: table[ord(char)]),
        tokens=tokens,
        dates=date_of(tokens),
    )
