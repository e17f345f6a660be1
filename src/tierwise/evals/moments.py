"""Numbers added up exactly: the same mean and variance in whatever order they land."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(slots=True)
class Moments:
    """Count, sum and sum of squares of numbers, without rounding and in constant memory.

    A double is a whole number times a power of two, so the sums are kept as whole numbers, in
    units of 2**-exponent and of its square: no digit is lost, neither among a million values nor
    far away from zero.
    """

    n: int = 0
    low: float = math.inf
    high: float = -math.inf
    exponent: int = 0
    total: int = 0
    squares: int = 0

    def add(self, value: float) -> None:
        """Take one finite number."""
        numerator, denominator = float(value).as_integer_ratio()
        exponent = denominator.bit_length() - 1
        if exponent > self.exponent:
            finer = exponent - self.exponent
            self.total <<= finer
            self.squares <<= 2 * finer
            self.exponent = exponent
        scaled = numerator << (self.exponent - exponent)
        self.total += scaled
        self.squares += scaled * scaled
        self.n += 1
        self.low = min(self.low, value)
        self.high = max(self.high, value)

    @property
    def mean(self) -> float:
        """The mean, rounded once; NaN of nothing."""
        return self.total / (self.n << self.exponent) if self.n else math.nan

    @property
    def variance(self) -> float:
        """The variance of the sample, rounded once; NaN of fewer than 2."""
        if self.n < 2:  # noqa: PLR2004  one number has no spread
            return math.nan
        above = self.n * self.squares - self.total * self.total
        return above / ((self.n * (self.n - 1)) << (2 * self.exponent))
