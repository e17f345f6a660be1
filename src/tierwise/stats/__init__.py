"""Statistics as numbers in, numbers out: what trials prove, and how many a claim needs.

Nothing is loaded but the standard library until a distribution is asked for.
"""

from tierwise.stats.clusters import (
    case_mean_interval as case_mean_interval,
    clustered_error as clustered_error,
    effective_trials as effective_trials,
    korn_graubard as korn_graubard,
)
from tierwise.stats.intervals import (
    clopper_pearson as clopper_pearson,
    jeffreys as jeffreys,
    lower_bound as lower_bound,
    upper_bound as upper_bound,
    wilson as wilson,
)
from tierwise.stats.populations import RateBounds as RateBounds, bounds_for as bounds_for
from tierwise.stats.trials import trials_needed as trials_needed
from tierwise.stats.values import (
    Interval as Interval,
    Population as Population,
    Undetermined as Undetermined,
)
from tierwise.stats.zero import (
    detection_probability as detection_probability,
    weaken_upper_bound as weaken_upper_bound,
    zero_bound as zero_bound,
)

__all__ = [
    "Interval",
    "Population",
    "RateBounds",
    "Undetermined",
    "bounds_for",
    "case_mean_interval",
    "clopper_pearson",
    "clustered_error",
    "detection_probability",
    "effective_trials",
    "jeffreys",
    "korn_graubard",
    "lower_bound",
    "trials_needed",
    "upper_bound",
    "weaken_upper_bound",
    "wilson",
    "zero_bound",
]
