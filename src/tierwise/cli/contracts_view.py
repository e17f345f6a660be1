"""How contracts are shown: a table of implementations, and the matrix of clauses on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.cli.console import open_console
from tierwise.domain import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from tierwise.contracts.standing import Standing

_STYLES = {"verified": "green", "unverified": "yellow", "broken": "bold red"}
_MARKS = {
    "passed": "kept",
    "failed": "BROKEN",
    "error": "ERROR",
    "unobservable": "-",
    "not_run": "not run",
}


def print_contracts(found: Mapping[str, Sequence[Standing]], *, is_whole: bool, hint: str) -> None:
    """Print each contract; with `is_whole`, each clause of it too."""
    console = open_console()
    for contract, standings in found.items():
        console.print(short_name(contract, found), style="bold", markup=False)
        _print_table(console, standings)
        if is_whole:
            _print_matrix(console, standings)
        console.print()
    states = [standing.state.value for each in found.values() for standing in each]
    if states:
        counts = [f"{states.count(state)} {state}" for state in _STYLES if state in states]
        console.print(f"{len(states)} implementations: {', '.join(counts)}", markup=False)
    # `[tool.tierwise]` is a name and no markup.
    console.print(hint, markup=False, soft_wrap=True)


def short_name(contract: str, known: Mapping[str, object]) -> str:
    """Return the name of the class alone, where no other contract has the same."""
    short = contract.rpartition(".")[2]
    is_alone = sum(other.rpartition(".")[2] == short for other in known) == 1
    return short if is_alone and " " not in contract else contract


def _print_table(console: Console, standings: Sequence[Standing]) -> None:
    from rich.markup import escape  # noqa: PLC0415  rich is slow to load
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False)
    for name in ("  implementation", "side", "state", "kept", "proven", "commit", "why"):
        table.add_column(name, overflow="fold", no_wrap=name not in ("  implementation", "why"))
    for standing in standings:
        side, state = standing.side, standing.state.value
        kept = len(side.select(Outcome.PASSED))
        table.add_row(
            f"  {escape(side.name)}",
            "real" if side.is_real else "double",
            f"[{_STYLES[state]}]{state}[/]",
            f"{kept} of {len(side.cells)}",
            standing.proven_at[:10],
            standing.commit[:7],
            escape(standing.reason),
        )
    console.print(table)


def _print_matrix(console: Console, standings: Sequence[Standing]) -> None:
    from rich.markup import escape  # noqa: PLC0415  rich is slow to load
    from rich.table import Table  # noqa: PLC0415

    from tierwise.contracts.standing import title_of  # noqa: PLC0415

    table = Table(box=None, pad_edge=False)
    for name in ("  clause", *(standing.side.name for standing in standings)):
        table.add_column(escape(name), overflow="fold")
    marks = [{c.clause: _MARKS[c.outcome] for c in s.side.cells} for s in standings]
    for clause in dict.fromkeys(clause for each in marks for clause in each):
        cells = (each.get(clause, "") for each in marks)
        table.add_row(f"  {escape(title_of(clause))}", *cells)
    console.print(table)
    for standing in standings:
        for cell in standing.side.cells:
            if cell.reason:
                line = f"  {_MARKS[cell.outcome]} {standing.side.name}, {title_of(cell.clause)}: "
                console.print(line + cell.reason, markup=False, soft_wrap=True)


def as_data(found: Mapping[str, Sequence[Standing]]) -> list[dict[str, object]]:
    """Return all that is known as plain data."""
    return [
        {"contract": contract, "implementations": [_side_as_data(s) for s in standings]}
        for contract, standings in found.items()
    ]


def _side_as_data(standing: Standing) -> dict[str, object]:
    side = standing.side
    return {
        "name": side.name,
        "real": side.is_real,
        "double_of": side.double_of,
        "state": standing.state.value,
        "reason": standing.reason,
        "exit_code": int(standing.code),
        "n_proven": standing.n_proven,
        "n_kept": len(side.select(Outcome.PASSED)),
        "n_clauses": len(side.cells),
        "proven_at": standing.proven_at,
        "commit": standing.commit,
        "clauses": [
            {
                "clause": cell.clause,
                "outcome": cell.outcome.value,
                "reason": cell.reason,
                "at": cell.started_at,
                "commit": cell.commit,
                "run": cell.run_id,
            }
            for cell in side.cells
        ],
    }
