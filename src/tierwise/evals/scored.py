"""An observation that says why: what scorers and judges hand to `trial.score`."""

from __future__ import annotations

from dataclasses import dataclass

JUDGE = "judge"
"""The purpose of exchanges with a judge: they are part of a trial and not of its subject."""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """A score with its explanation, which `trial.score` keeps as a note beside it.

    It is as true or false as its value. One that holds a number has no truth: compare it.
    """

    value: bool | float
    why: str = ""
    """What the score rests on, for whoever reads the trial; empty when nothing needs saying."""
    grader: str = ""
    """What has to be said beside a verdict on it: who judged, and how far that one is to be
    trusted. Empty when no judge was asked."""

    def __bool__(self) -> bool:
        """Return the value; refuse for a number, whose truth nobody declared."""
        if isinstance(self.value, bool):
            return self.value
        raise TypeError(
            f"a score of {self.value:g} is neither true nor false: compare it, such as "
            "float(score) >= 0.5"
        )

    def __invert__(self) -> Scored:
        """Return the opposite with the same explanation, which a plain `not` would lose."""
        return Scored(value=not self, why=self.why, grader=self.grader)

    def __float__(self) -> float:
        """Return the value as a number: 1.0 for True, 0.0 for False."""
        return float(self.value)

    def __eq__(self, other: object) -> bool:
        """Compare the values, so that a comparison with True or False means what it says."""
        if isinstance(other, Scored):
            return self.value == other.value
        return self.value == other if isinstance(other, bool | int | float) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.value)
