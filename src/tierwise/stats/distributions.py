"""The one place that talks to scipy, which is imported when a number is first asked for.

scipy.special is enough and loads in a third of the time that scipy.stats needs.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from tierwise.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_NORMAL = NormalDist()


def normal_quantile(q: float) -> float:
    """Return the standard normal quantile; needs no extra."""
    return _NORMAL.inv_cdf(q)


def normal_cdf(x: float) -> float:
    """Return the standard normal distribution function; needs no extra."""
    return _NORMAL.cdf(x)


def beta_quantile(q: float, a: float, b: float) -> float:
    """Return the q-quantile of a Beta(a, b)."""
    return float(_special().betaincinv(a, b, q))


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return P(Beta(a, b) <= x), the regularised incomplete beta function."""
    return float(_special().betainc(a, b, x))


def t_quantile(q: float, df: float) -> float:
    """Return the q-quantile of Student's t with `df` degrees of freedom."""
    return float(_special().stdtrit(df, q))


def t_cdf(x: float, df: float) -> float:
    """Return P(T <= x) for Student's t with `df` degrees of freedom."""
    return float(_special().stdtr(df, x))


def binomial_cdf(k: int, n: int, p: float) -> float:
    """Return P(X <= k) for X of n trials at rate p; 0 below 0."""
    return float(_special().bdtr(k, n, p)) if k >= 0 else 0.0


def sum_chosen(values: Sequence[float], choices: Iterable[int]) -> Iterator[float]:
    """Yield, for each choice, the sum of the values whose bit is set in it; needs no extra.

    With numpy at hand this takes a hundredth of the time for a thousand values.
    """
    try:
        import numpy as np  # noqa: PLC0415  not needed, only faster
    except ImportError:
        for bits in choices:
            yield sum(value for place, value in enumerate(values) if bits >> place & 1)
        return
    numbers, size = np.asarray(values, dtype=float), (len(values) + 7) // 8
    for bits in choices:
        packed = np.frombuffer(bits.to_bytes(size, "little"), dtype=np.uint8)
        chosen = np.unpackbits(packed, bitorder="little", count=len(values))
        yield float(numbers @ chosen)


def convolve(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """Return the distribution of the sum of two whole numbers, each given by its weights."""
    _special()
    import numpy as np  # noqa: PLC0415  scipy brings it

    found: list[float] = np.convolve(first, second).tolist()
    return found


def _special() -> Any:  # noqa: ANN401  scipy ships no types; every caller converts to float
    try:
        from scipy import special  # noqa: PLC0415  an extra, loaded when it is needed
    except ImportError as missing:
        raise MissingExtraError(
            "this statistic needs scipy, which is not installed. "
            "Run: pip install 'tierwise[evals]'"
        ) from missing
    return special
