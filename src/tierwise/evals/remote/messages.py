"""What driver and workers say to each other: values that can be pickled, and nothing else.

The driver gives orders and a worker sends news. Both travel several at a time, in the order in
which they were said.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  part of a value that is pickled
from dataclasses import dataclass, field

from tierwise.evals.budget import Cost  # noqa: TC001  part of a value that is pickled

UNTOLD = -1
"""The epoch of a limiter that knows no share yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """One trial to be carried out: by its names, since bodies and fixtures cannot travel."""

    number: int
    eval_id: str
    provider: str
    plan_hash: str
    arm: str
    case_id: str
    index: int
    key: str
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancel:
    """A trial that nobody waits for any more."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """Money for `calls` calls of up to `each`, as an answer to `ask`."""

    ask: int
    lease: int
    calls: int
    each: Cost
    seconds_left: float | None = None
    """For how long it holds: a budget of seconds ends then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """No money, as an answer to `ask`: a budget is reached."""

    ask: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveBack:
    """Somebody waits for money: give back what no call has reserved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many calls of a provider this worker may have in flight from now on."""

    provider: str
    limit: int
    epoch: int
    """How often the run's limit was cut so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseGate:
    """The vendor wants to be left alone, by all workers."""

    provider: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """No further trials come: tear down and end."""


Order = Ticket | Cancel | Granted | Refused | GiveBack | Share | CloseGate | Stop


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A worker has collected its evals and waits for trials."""

    place: str
    """Where it runs, as it is named in errors."""
    versions: Mapping[str, str]
    """Of what has to agree: Python, tierwise."""
    evals: frozenset[str]
    modules: Mapping[str, str] = field(default_factory=dict)
    """Hash of each file of the project that is loaded, by its path below the root."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A worker's session is over; before `Ready` it means that it could not start."""

    exit_code: int
    output: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """A trial ended; `packed` is its result, pickled on its own."""

    number: int
    packed: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """What a trial raised has to stop the whole run, such as `pytest.exit`."""

    number: int
    packed: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfit:
    """A worker cannot carry a trial out, nor any other of its eval; `reason` says why."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskMoney:
    """A worker wants to make calls of an eval that may cost `each`, `calls` of them at most."""

    ask: int
    eval_id: str
    each: Cost
    calls: int
    is_guess: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What the calls of a lease cost; None when nobody knows, which counts as all of it."""

    lease: int
    cost: Cost | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How a provider's calls went on one worker since it said so last, and how many it has."""

    provider: str
    epoch: int
    in_flight: int
    waiting: int
    answered: int = 0
    is_busy: bool = False
    retry_after_s: float | None = None


News = Ready | Ended | Landed | Raised | Unfit | AskMoney | Settled | Rate
