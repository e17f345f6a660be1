"""An eval that cannot work: its first trials all end in one error, or one refusal of the vendor's.

The error is of the body's own code, or of a kind that no other attempt mends. `busy`, `timeout`,
`unavailable` and `garbled` are not among them: they pass, calls that end so are made again and
wait for each other, and a budget of seconds bounds a bad hour.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.evals.outcomes import reason_of
from tierwise.providers import FailureKind

if TYPE_CHECKING:
    from collections.abc import Callable

ENOUGH = 20
"""So many trials without any other ending show that the body itself is broken."""
_NEXT_STEPS = {
    FailureKind.AUTH: "Is the right key set, and does it belong to this address?",
    FailureKind.NOT_FOUND: "Are the model's name and the `base_url` right?",
    FailureKind.RETIRED: "Name a model that is still served",
    FailureKind.NO_ENTITLEMENT: "May this key use the model? Name another one, or ask for access",
    FailureKind.BAD_REQUEST: (
        "The request itself is refused: `tierwise eval show` has what was sent"
    ),
    FailureKind.EXHAUSTED: (
        "The provider has no answer for these requests: give its script more answers, or rules"
    ),
}
_OWN_ERROR = "Is the error the body's own? `tierwise eval run --dry-run` carries it out once"
_ENDING = re.compile(r"(\w+)(?:: .*)? at (\S+:\d+)", re.DOTALL)


@dataclass(slots=True)
class BreakWatch:
    """Tells when all trials so far have ended in the same error at the same line.

    Or in the same kind of refusal by the provider. One trial that ends in any other way, also one
    of an earlier run, ends the watch for good. So an eval that is stopped by it has no trial that
    was scored, and the stop can neither prove nor refute anything: what was not run counts as
    missing, as the errors do.
    """

    n: int = 0
    first: tuple[str, str] | None = None
    example: str = ""
    is_over: bool = False

    def take(self, outcome: Outcome, message: str) -> None:
        """Count one trial."""
        found = read_error(outcome, message)
        self.is_over = self.is_over or found is None or self.first not in (None, found)
        self.first, self.n = found, self.n + 1
        self.example = self.example or reason_of(message)

    def find_break(self, n_left: Callable[[], int]) -> str:
        """Return why no further trial is to start; empty while there is no such reason."""
        if self.is_over or self.n < ENOUGH or not n_left():
            return ""
        return (
            f"stopped early: each of the first {self.n} trials ended in "
            f"{self.example.rstrip('.')}. No further one was started, and nothing is proven. "
            f"{self._say_next()}"
        )

    def _say_next(self) -> str:
        kind, place = self.first or ("", "")
        return _OWN_ERROR if place else _NEXT_STEPS[FailureKind(kind)]


def read_error(outcome: Outcome, message: str) -> tuple[str, str] | None:
    """Return the kind and the line of an error that the user's own code raised.

    A refusal by the provider that stays one has its kind, and no line.
    """
    first = message.partition("\n")[0]
    if refused := _find_refusal(outcome, first):
        return refused, ""
    found = _ENDING.fullmatch(first) if outcome is Outcome.ERROR else None
    return None if found is None else (found[1], found[2])


def _find_refusal(outcome: Outcome, line: str) -> FailureKind | None:
    word, colon, _ = line.partition(": ")
    kind = next((kind for kind in _NEXT_STEPS if colon and kind == word), None)
    return kind if kind is not None and kind.outcome is outcome else None
