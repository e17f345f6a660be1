"""A secret that is planted in any text reaches no column of the run store."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.records import RunStore

if TYPE_CHECKING:
    from pathlib import Path

MADE_BY_TIERWISE = frozenset(
    {
        # Ids and hashes, names of the project's tiers and words of closed sets.
        *("run_id", "plan_hash", "definition", "measurement", "inputs_hash", "key", "code_hash"),
        *("started_at", "finished_at", "imported_at", "complete_tiers", "arm", "tier", "level"),
        *("outcome", "verdict", "decision", "source", "watcher", "action"),
    }
)


@pytest.fixture
def planted(tmp_path: Path, canaries: Any) -> dict[str, list[Any]]:
    with RunStore.open(tmp_path / "records.db", secrets=[canaries.secret]) as store:
        canaries.plant(store)
    return dict(canaries.texts_of(tmp_path / "records.db"))


def test_no_column_holds_a_secret(planted: dict[str, list[Any]], canaries: Any) -> None:
    """Neither what looks like a key nor a value that was named as a secret is kept anywhere."""
    for column, values in planted.items():
        for value in values:
            text = zlib.decompress(value).decode() if isinstance(value, bytes) else str(value)
            assert canaries.key not in text, column
            assert "canary" not in text, column
            assert "tweet" not in text, column


def test_the_canary_was_planted_in_every_text_column(planted: dict[str, list[Any]]) -> None:
    """A column that a later version adds must be planted, too, or said to be made here."""
    missed = [
        column
        for column, values in planted.items()
        if column.split(".")[1] not in MADE_BY_TIERWISE
        and not any(
            "masked" in (zlib.decompress(v).decode() if isinstance(v, bytes) else str(v))
            for v in values
        )
    ]
    assert missed == []
