"""`tierwise records`: what was learnt, exported, taken in, pruned and described."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tierwise.cli.lazy import lazy_group

if TYPE_CHECKING:
    from collections.abc import Mapping

_COMMANDS: Mapping[str, str] = {
    "export": "write runs as JSON Lines, for another store to take in",
    "import": "take in runs that another store has exported",
    "info": "say what the store holds, where it is and what pruning would do",
    "prune": "delete old runs by a policy, but for those that something rests on",
}


@click.group(cls=lazy_group("tierwise.cli.records_", _COMMANDS))
def command() -> None:
    """Export, import, prune and describe what was learnt."""
