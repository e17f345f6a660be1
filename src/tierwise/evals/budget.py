"""What a run and an eval may spend, and what they have spent."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from tierwise.errors import EvalUsageError

_PICO = 10**12
"""Money is counted in whole 10^-12 USD, so that sums stay exact."""
_MANY = 10**6
_WHOLE = frozenset({"tokens", "calls"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The most that may be spent: USD, tokens read and written, calls, seconds of wall time.

    None sets no limit. Each attempt of a call is a call, since each reaches the vendor.
    """

    usd: float | None = None
    tokens: int | None = None
    calls: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value is None:
                continue
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if not is_number or not 0 < value < float("inf"):
                raise EvalUsageError(
                    f"Budget({field.name}={value!r}): expected a number above 0, or None for no "
                    "limit."
                )
            if field.name in _WHOLE and value != int(value):
                raise EvalUsageError(
                    f"Budget({field.name}={value!r}): {field.name} are counted in whole numbers."
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one call, or many, cost or may cost; `calls` counts attempts."""

    usd: float = 0.0
    tokens: int = 0
    calls: int = 0


class BudgetReached(BaseException):
    """No further call is covered by the budget; no `except Exception` of a body stops it."""


@dataclass(slots=True)
class Amount:
    """A cost in whole numbers, which add up without a rest."""

    pico_usd: int = 0
    tokens: int = 0
    calls: int = 0

    @classmethod
    def of(cls, cost: Cost) -> Amount:
        """Return the cost in whole numbers."""
        return cls(round(cost.usd * _PICO), cost.tokens, cost.calls)

    def add(self, other: Amount, sign: int = 1) -> None:
        """Add another amount, or take it away."""
        self.pico_usd += sign * other.pico_usd
        self.tokens += sign * other.tokens
        self.calls += sign * other.calls

    def as_cost(self) -> Cost:
        """Return the amount as it is shown."""
        return Cost(usd=self.pico_usd / _PICO, tokens=self.tokens, calls=self.calls)


class Pot:
    """One budget with what is spent and reserved of it. Not safe for several threads."""

    def __init__(self, budget: Budget, *, whose: str) -> None:
        self.budget = budget
        self.spent = Amount()
        self.reserved = Amount()
        self.reached = ""
        """Why no further call is allowed; empty while one is."""
        self._whose = whose
        self._limits: dict[str, int] = {}
        for name, limit in (
            ("pico_usd", None if budget.usd is None else round(budget.usd * _PICO)),
            ("tokens", budget.tokens),
            ("calls", budget.calls),
        ):
            if limit is not None:
                self._limits[name] = limit

    def check_time(self, elapsed_s: float) -> None:
        """Reach the budget when the seconds are over."""
        limit = self.budget.seconds
        if limit is not None and not self.reached and elapsed_s >= limit:
            self.reached = f"{self._whose} is reached: its {limit:g} s are over"

    def fit(self, wanted: Amount, *, is_guess: bool) -> Amount | None:
        """Return what is to be reserved for a call; None when it has to wait for others.

        Reaches the budget when the call would not fit even if all that is reserved came back. A
        cost that is only guessed refuses no call while something is left: it takes what is left,
        so that this one call shows what calls cost.
        """
        granted = dataclasses.replace(wanted)
        for name, limit in self._limits.items():
            needs = getattr(wanted, name)
            left = limit - getattr(self.spent, name)
            free = left - getattr(self.reserved, name)
            may_shrink = is_guess and name != "calls"
            if needs > left and not may_shrink:
                self.reached = self._explain(name, limit, needs)
                return None
            if free <= 0 or (needs > free and not may_shrink):
                return None
            setattr(granted, name, min(needs, free))
        return granted

    def count_fitting(self, each: Amount) -> int:
        """Return how many calls of this amount fit beside what is reserved."""
        fitting = [_MANY]
        for name, limit in self._limits.items():
            free = limit - getattr(self.spent, name) - getattr(self.reserved, name)
            if needs := getattr(each, name):
                fitting.append(max(free, 0) // needs)
        return min(fitting)

    def check_spent(self) -> None:
        """Reach the budget when nothing is left of it."""
        for name, limit in self._limits.items():
            if not self.reached and getattr(self.spent, name) >= limit:
                self.reached = self._explain(name, limit, 0)

    def _explain(self, name: str, limit: int, needs: int) -> str:
        spent = getattr(self.spent, name)
        unit = "USD" if name == "pico_usd" else name
        said = (
            f"{self._whose} is reached: {_show(name, spent)} of {_show(name, limit)} {unit} spent"
        )
        if needs and spent < limit:
            said += f", and the next call may take {_show(name, needs)} {unit}"
        return said


def _show(name: str, value: int) -> str:
    return f"{value / _PICO:.6g}" if name == "pico_usd" else f"{value:,}"
