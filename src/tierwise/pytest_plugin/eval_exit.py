"""The exit code of a session with evals: undecided is neither passed nor failed."""

from __future__ import annotations

from dataclasses import dataclass

from tierwise.errors import ExitCode


@dataclass(slots=True, kw_only=True)
class Endings:
    """How many items of a session ended in which way that is not a pass."""

    n_failed: int = 0
    """Tests that failed, evals that were refuted, and whatever else went wrong."""
    n_misuse: int = 0
    n_undecided: int = 0
    n_nothing: int = 0
    n_budget: int = 0

    def count(self, state: str | None) -> None:
        """Count a failed report by the state of its eval; None is a plain failure."""
        if state == "undecided":
            self.n_undecided += 1
        elif state == "nothing":
            self.n_nothing += 1
        elif state == "budget":
            self.n_budget += 1
        elif state == "misuse":
            self.n_misuse += 1
        else:
            self.n_failed += 1


def settle_exit(exit_code: int, *, n_selected: int, n_judged: int) -> int:
    """Return the exit code of a run that was asked for evals; only pytest's 0 is ever refined.

    What was asked for and not judged is not proven, whatever skipped it or ended the session.
    """
    if exit_code != ExitCode.OK or n_judged >= n_selected:
        return exit_code
    return ExitCode.UNDECIDED if n_judged else ExitCode.NOTHING_OBSERVED


def decide_exit(exit_code: int, endings: Endings) -> int:
    """Return the exit code; only pytest's own "tests failed" is ever refined.

    A failure goes before misuse, misuse before a budget that was reached, that before nothing
    observed, that before undecided.
    """
    if exit_code != ExitCode.FAILED or endings.n_failed:
        return exit_code
    if endings.n_misuse:
        return ExitCode.USAGE
    if endings.n_budget:
        return ExitCode.STOPPED_BY_BUDGET
    if endings.n_nothing:
        return ExitCode.NOTHING_OBSERVED
    return ExitCode.UNDECIDED if endings.n_undecided else exit_code
