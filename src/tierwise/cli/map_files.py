"""The files that `tierwise map` reads and writes: its baseline, and the document it is part of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.errors import MisuseError
from tierwise.report.baseline import Fallen, find_fallen, read_baseline, write_baseline
from tierwise.report.docstrings import describe_tests
from tierwise.report.markdown import BEGIN, END, group_tests, put_between, render_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from tierwise.config import Config
    from tierwise.records import KeptGapRow
    from tierwise.report.docstrings import Described
    from tierwise.report.map import LevelRow


def save_baseline(config: Config, rows: Iterable[LevelRow]) -> Path:
    """Write the levels as they are; return the file to review."""
    path = config.root / config.map.baseline
    path.write_text(write_baseline(rows), encoding="utf-8")
    return path


def compare_with_baseline(config: Config, rows: Iterable[LevelRow]) -> tuple[Fallen, ...]:
    """Return the levels that fell; MisuseError where there is nothing to compare with."""
    path = config.root / config.map.baseline
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise MisuseError(
            f"There is no baseline {config.map.baseline} to compare with. Write one by `tierwise "
            "map --save-baseline`, look at it, and commit it."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise MisuseError(
            f"The baseline {config.map.baseline} cannot be read: {error}."
        ) from error
    return find_fallen(rows, read_baseline(text, config.map.baseline))


def write_document(
    path: Path,
    rows: Sequence[LevelRow],
    names: Mapping[str, Sequence[str]],
    *,
    gaps: Sequence[KeptGapRow],
    config: Config,
) -> bool:
    """Put the tables between the markers of a document; tell whether that changed it.

    A document that is not there is made.
    """
    try:
        before = _read_as_it_is(path) if path.exists() else f"{BEGIN}\n{END}\n"
    except (OSError, UnicodeDecodeError) as error:
        raise MisuseError(f"{path} cannot be read as a document: {error}.") from error
    described = _describe(config.root, names)
    order = [tier.name for tier in config.tiers]
    tiers = sorted(names, key=lambda tier: order.index(tier) if tier in order else len(order))
    groups = {tier: group_tests(names[tier], described) for tier in tiers}
    text = render_document(rows, groups, gaps)
    if "\r\n" in before:
        text = text.replace("\n", "\r\n")
    after = put_between(before, text, str(path))
    if after == before and path.exists():
        return False
    try:
        path.write_text(after, encoding="utf-8", newline="")
    except OSError as error:
        raise MisuseError(f"{path} cannot be written: {error}.") from error
    return True


def _read_as_it_is(path: Path) -> str:
    """Return the text with its own ends of lines: all but what is between the markers stays."""
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def _describe(root: Path, names: Mapping[str, Sequence[str]]) -> dict[str, dict[str, Described]]:
    files = {nodeid.partition("::")[0] for each in names.values() for nodeid in each}
    return {file: read_described(root, file) for file in files}


def read_described(root: Path, file: str) -> dict[str, Described]:
    """Return what a test file says of its tests; nothing where it cannot be read."""
    path = (root / file).resolve()
    if not path.is_relative_to(root.resolve()) or path.suffix != ".py":
        return {}  # a record may come from elsewhere: no file outside is opened
    try:
        return describe_tests(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return {}
