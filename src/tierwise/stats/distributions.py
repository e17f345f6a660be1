"""The one place that talks to scipy, which is imported when a number is first asked for.

scipy.special is enough and loads in a third of the time that scipy.stats needs.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

from tierwise.errors import MissingExtraError

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


def _special() -> Any:  # noqa: ANN401  scipy ships no types; every caller converts to float
    try:
        from scipy import special  # noqa: PLC0415  an extra, loaded when it is needed
    except ImportError as missing:
        raise MissingExtraError(
            "this statistic needs scipy, which is not installed. "
            "Run: pip install 'tierwise[evals]'"
        ) from missing
    return special
