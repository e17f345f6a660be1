"""The words of the field as closed sets: levels, capabilities, outcomes, verdicts."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """One of the twelve levels of the taxonomy, in the order of the map."""

    STATIC = "static"
    UNIT = "unit"
    COMPONENT = "component"
    CONTRACT = "contract"
    INTEGRATION = "integration"
    SMOKE = "smoke"
    REGRESSION = "regression"
    E2E = "e2e"
    PERFORMANCE = "performance"
    SECURITY = "security"
    ACCEPTANCE = "acceptance"
    CHAOS = "chaos"


class Capability(StrEnum):
    """What a test may touch."""

    TMP = "tmp"
    """tmp_path and tempfile: reading and writing below the system's temporary folder."""
    READ = "read"
    """Reading files outside the project, the interpreter and the installed packages."""
    WRITE = "write"
    """Changing files anywhere but in the temporary folder."""
    LOOPBACK = "loopback"
    """Sockets to and on this machine's loopback addresses, and Unix sockets."""
    NETWORK = "network"
    """Sockets and name look-ups beyond loopback; implies `loopback`."""
    SUBPROCESS = "subprocess"
    """Starting other processes, whose own touches nobody sees."""
    SLEEP = "sleep"
    """Waiting by the real clock."""
    MODEL = "model"
    """Calling a provider with `real = True`."""


class Outcome(StrEnum):
    """How a test or a trial ended; never fewer than these five."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    """The harness or a grader did not do its job: nothing is known about the subject."""
    UNOBSERVABLE = "unobservable"
    """The vendor moved or is busy: nothing is known, and nobody here is at fault."""
    NOT_RUN = "not_run"


class Verdict(StrEnum):
    """What an eval or a gate concludes."""

    PROVEN = "proven"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


class Decision(StrEnum):
    """What a gate finds of its inputs."""

    OK = "ok"
    STALE = "stale"
    BROKEN = "broken"
    NOTHING_READ = "nothing_read"
    """There was nothing to look at, or it could not be looked at: never `ok`."""


class Mode(StrEnum):
    """How strongly the policy acts."""

    OFF = "off"
    REPORT = "report"
    ENFORCE = "enforce"
