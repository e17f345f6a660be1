"""How good is a detector? Counts on texts whose truth is known; bounds are made elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.leaks.detector import find_leaks
from tierwise.leaks.secret import Secret  # noqa: TC001  readers resolve it at run time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledText:
    """A text, a secret, and whether a person says that the one gives the other away."""

    text: str
    secret: Secret
    is_leak: bool
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectorReport:
    """Counts: planted leaks that were caught, innocent texts that were flagged."""

    planted: int
    missed: tuple[LabelledText, ...]
    innocent: int
    flagged: tuple[LabelledText, ...]

    @property
    def n_caught(self) -> int:
        """Return how many planted leaks were caught."""
        return self.planted - len(self.missed)

    @property
    def n_flagged(self) -> int:
        """Return how many innocent texts were taken for leaks."""
        return len(self.flagged)

    def render(self) -> str:
        """Return the counts in a sentence each; what was not measured is said to be unknown."""
        caught = (
            f"caught {self.n_caught} of {self.planted} planted leaks"
            if self.planted
            else "sensitivity unknown: no leak was planted"
        )
        flagged = (
            f"flagged {self.n_flagged} of {self.innocent} innocent texts"
            if self.innocent
            else "false alarms unknown: no innocent text was given"
        )
        lines = [f"{caught}; {flagged}."]
        lines += [f"  missed: {_line(case)}" for case in self.missed]
        lines += [f"  flagged: {_line(case)}" for case in self.flagged]
        return "\n".join(lines)


def measure_detector(
    labelled: Iterable[LabelledText],
    *,
    detect: Callable[[str, Secret], object] = find_leaks,
) -> DetectorReport:
    """Count how a detector does on labelled texts.

    `detect` answers with something true where it sees a leak; `find_leaks` unless said. The counts
    go into a bound on its sensitivity, and that widens the bound on a rate of leaks.
    """
    planted = innocent = 0
    missed, flagged = [], []
    for case in labelled:
        is_found = bool(detect(case.text, case.secret))
        if case.is_leak:
            planted += 1
            if not is_found:
                missed.append(case)
        else:
            innocent += 1
            if is_found:
                flagged.append(case)
    return DetectorReport(
        planted=planted,
        missed=tuple(missed),
        innocent=innocent,
        flagged=tuple(flagged),
    )


def _line(case: LabelledText) -> str:
    note = f" ({case.note})" if case.note else ""
    return f"{case.secret.label}{note}: {case.text!r}"
