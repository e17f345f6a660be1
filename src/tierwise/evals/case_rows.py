"""Rows of a file of cases: each a mapping, with where it stands."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tierwise.errors import EvalUsageError
from tierwise.evals.case_yaml import read_yaml_rows
from tierwise.evals.json_text import NoJson, extract_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_SHOWN = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One case of a file; `where` names its line or its place in a list."""

    where: str
    fields: Mapping[str, Any]


def read_rows(data: bytes, kind: str, file: str) -> tuple[Row, ...]:
    """Return the rows of a file's bytes; `kind` is its suffix, `file` its name for errors."""
    text = _decode(data, file)
    rows = tuple(READERS[kind](text, file))
    if not rows:
        raise EvalUsageError(
            f"{file} holds no cases: there is nothing to run, and nothing run is nothing proven."
        )
    return rows


def _decode(data: bytes, file: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise EvalUsageError(f"{file} is encoded as UTF-16: save it as UTF-8.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise EvalUsageError(
            f"{file}, line {line}: byte 0x{data[error.start]:02x} is no UTF-8. Save the file as "
            "UTF-8."
        ) from None


def _read_jsonl(text: str, file: str) -> Iterator[Row]:
    # Only a line feed ends a line of JSON: others may stand in its texts.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"line {number}"
        parsed = extract_json(line, "whole")
        if isinstance(parsed, NoJson):
            reason = parsed.reason.replace("line 1 column", "column")
            hint = " A JSON list over several lines belongs into a .json file." * (
                line.strip() == "["
            )
            raise EvalUsageError(f"{file}, {where} is no JSON: {reason}.{hint}")
        yield Row(where=where, fields=_require_mapping(parsed.value, file, where))


def _read_json(text: str, file: str) -> Iterator[Row]:
    if not text.strip():
        return
    parsed = extract_json(text, "whole")
    if isinstance(parsed, NoJson):
        hint = " One object a line belongs into a .jsonl file." * ("Extra data" in parsed.reason)
        raise EvalUsageError(f"{file} is no JSON: {parsed.reason}.{hint}")
    for number, value in enumerate(require_list(parsed.value, file), start=1):
        where = f"entry {number}"
        yield Row(where=where, fields=_require_mapping(value, file, where))


def _read_yaml(text: str, file: str) -> Iterator[Row]:
    for line, value in read_yaml_rows(text, file):
        where = f"line {line}"
        yield Row(where=where, fields=_require_mapping(value, file, where))


def _read_csv(text: str, file: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] | None = None
    line = 1
    try:
        for cells in reader:
            where, line = f"line {line}", reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = _read_header(cells, file)
                continue
            yield Row(where=where, fields=_pair(header, cells, f"{file}, {where}"))
    except csv.Error as error:
        raise EvalUsageError(f"{file}, line {reader.line_num} is no CSV: {error}.") from None


def _read_header(cells: list[str], file: str) -> list[str]:
    names = [cell.strip() for cell in cells]
    if len(names) == 1 and any(mark in names[0] for mark in ";\t|"):
        raise EvalUsageError(
            f"{file}, line 1 has the one column {names[0]!r}: expected commas between columns."
        )
    if "" in names:
        raise EvalUsageError(f"{file}, line 1: column {names.index('') + 1} has no name.")
    twins = [name for name, n in Counter(names).items() if n > 1]
    if twins:
        raise EvalUsageError(f"{file}, line 1 names the column {twins[0]!r} twice.")
    return names


def _pair(header: list[str], cells: list[str], where: str) -> dict[str, str]:
    if len(cells) != len(header):
        raise EvalUsageError(
            f"{where} has {len(cells)} cells and the header {len(header)}: expected one for each "
            "column. A comma inside a cell needs the cell in double quotes."
        )
    return dict(zip(header, cells, strict=True))


def require_list(value: object, file: str) -> list[Any]:
    """Return a file's content as the list that it has to be."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        keys = ", ".join(map(repr, list(value)[:5]))
        raise EvalUsageError(
            f"{file} holds one mapping (with {keys or 'nothing in it'}) where a list of cases was "
            "expected. A single case is a list of one; cases under a key stand in no list."
        )
    raise EvalUsageError(f"{file} holds {show(value)}: expected a list of cases.")


def _require_mapping(value: object, file: str, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise EvalUsageError(
            f"{file}, {where} is {show(value)}: expected a case with named fields, such as "
            '{"question": "..."}.'
        )
    for name in value:
        if not isinstance(name, str):
            raise EvalUsageError(f"{file}, {where}: the field {name!r} is no text.")
    return value


def show(value: object) -> str:
    """Return a value for an error, cut where it is long."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


READERS: Mapping[str, Callable[[str, str], Iterator[Row]]] = {
    ".jsonl": _read_jsonl,
    ".json": _read_json,
    ".csv": _read_csv,
    ".yaml": _read_yaml,
    ".yml": _read_yaml,
}
"""How a file is read, by its suffix."""
