"""What must not be given away."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass

from tierwise.errors import MisuseError
from tierwise.leaks.detector import Detector


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that a text may give away, the other forms it goes by, and who may know it.

    Give each language and each wording that counts as the secret as an alias. An empty value is a
    missing secret and is refused: searching for nothing finds nothing.
    """

    value: str
    _: KW_ONLY
    aliases: tuple[str, ...] = ()
    viewers: frozenset[str] = frozenset()
    """Who may read it; nobody but the system when empty."""
    name: str = ""
    """What reports call it; the value itself when empty."""

    def __post_init__(self) -> None:
        """Refuse what can't be searched for, and freeze what the caller gave."""
        label = self.name or "without a name"
        object.__setattr__(self, "aliases", _texts(self.aliases, "aliases", label))
        object.__setattr__(self, "viewers", frozenset(_texts(self.viewers, "viewers", label)))
        for form in self.forms:
            _refuse_empty(form, label)

    @property
    def forms(self) -> tuple[str, ...]:
        """Return the value and the aliases."""
        return (self.value, *self.aliases)

    @property
    def label(self) -> str:
        """Return the name, or the value of a secret without one."""
        return self.name or self.value

    def in_text(self, text: str) -> bool:
        """Say whether the text gives the secret away by any of the ways `find_leaks` knows."""
        return bool(Detector((self,)).examine(text).findings)


def _texts(given: object, field: str, label: str) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise MisuseError(
            f"Secret {label}: {field} is {given!r}, of type {type(given).__name__}; expected "
            f"several texts. Write {field}=({given!r},).",
        )
    texts = tuple(given)
    for text in texts:
        if not isinstance(text, str):
            raise MisuseError(
                f"Secret {label}: {field} holds {text!r}, of type {type(text).__name__}; "
                f"expected a str.",
            )
    return texts


def _refuse_empty(form: object, label: str) -> None:
    if not isinstance(form, str):
        raise MisuseError(
            f"Secret {label}: the value is {form!r}, of type {type(form).__name__}; "
            f"expected a str. Numbers and dates are given as text: str(value).",
        )
    if not form.strip():
        raise MisuseError(
            f"Secret {label}: found {form!r} as value or alias; expected a text with at least one "
            f"visible character. An empty secret is a missing secret: is the variable that should "
            f"hold it set?",
        )
