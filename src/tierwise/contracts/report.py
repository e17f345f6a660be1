"""What a contract found: a matrix of clauses and implementations, as data and as text."""

from __future__ import annotations

from dataclasses import dataclass

from tierwise.domain import Outcome, Verdict

_MARKS = {
    Outcome.PASSED: "kept",
    Outcome.FAILED: "BROKEN",
    Outcome.ERROR: "ERROR",
    Outcome.UNOBSERVABLE: "-",
    Outcome.NOT_RUN: "not run",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseResult:
    """One clause tried on one implementation; `message` says why, where it was not kept."""

    clause: str
    implementation: str
    outcome: Outcome
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractReport:
    """All results of one contract, clause by clause."""

    contract: str
    results: tuple[ClauseResult, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses, in the order of the contract."""
        return tuple(dict.fromkeys(result.clause for result in self.results))

    @property
    def implementations(self) -> tuple[str, ...]:
        """The implementations, in the order given."""
        return tuple(dict.fromkeys(result.implementation for result in self.results))

    def select(self, outcome: Outcome) -> tuple[ClauseResult, ...]:
        """Return the results with one outcome."""
        return tuple(result for result in self.results if result.outcome is outcome)

    def outcome_of(self, clause: str, implementation: str) -> Outcome:
        """Return one cell of the matrix; `not_run` for a cell that is not there."""
        for result in self.results:
            if (result.clause, result.implementation) == (clause, implementation):
                return result.outcome
        return Outcome.NOT_RUN

    def verdict_of(self, implementation: str) -> Verdict:
        """Return what is known of one implementation.

        A broken clause refutes it. It is proven by at least one kept clause and no error; clauses
        that were unobservable prove nothing and are listed by `render`.
        """
        outcomes = {r.outcome for r in self.results if r.implementation == implementation}
        if Outcome.FAILED in outcomes:
            return Verdict.REFUTED
        if Outcome.ERROR in outcomes or Outcome.PASSED not in outcomes:
            return Verdict.UNDECIDED
        return Verdict.PROVEN

    def render(self) -> str:
        """Return the matrix, a line for each clause, and below it why a cell is not `kept`."""
        width = max((len(_title(clause)) for clause in self.clauses), default=0)
        columns = [max(len(name), len("not run")) for name in self.implementations]
        heads = (n.ljust(c) for n, c in zip(self.implementations, columns, strict=True))
        lines = [f"{self.contract.ljust(width)}  {'  '.join(heads)}".rstrip()]
        for clause in self.clauses:
            marks = (
                _MARKS[self.outcome_of(clause, name)].ljust(column)
                for name, column in zip(self.implementations, columns, strict=True)
            )
            lines.append(f"{_title(clause).ljust(width)}  {'  '.join(marks)}".rstrip())
        lines += [
            f"{_MARKS[r.outcome]} {r.implementation}, {_title(r.clause)}: {r.message}"
            for r in self.results
            if r.outcome is not Outcome.PASSED
        ]
        return "\n".join(lines)


def _title(clause: str) -> str:
    return clause.removeprefix("test_").replace("_", " ")
