"""The project's run store as the commands about records open it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tierwise.domain.masking import secrets_of_environment
from tierwise.errors import MisuseError
from tierwise.records import RunStore

if TYPE_CHECKING:
    from tierwise.config import Config


def open_store(config: Config, *, is_made: bool = False) -> RunStore:
    """Open the store of a project; make it only where that is asked for."""
    path = config.store_path
    if not path.exists() and not is_made:
        raise MisuseError(
            f"There is no run store at {path}: nothing was recorded in this project yet. Run "
            "`pytest`, or take records in by `tierwise records import FILE`."
        )
    if not os.access(path.parent, os.W_OK) and (found := RunStore.open_existing(path)):
        return found  # to be read, as that of a mounted artefact
    return RunStore.open(
        path,
        secrets=secrets_of_environment(os.environ),
        on_network_drive=config.records.network_drive,
    )
